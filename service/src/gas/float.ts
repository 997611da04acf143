import { larger, smaller } from '../base/amount.ts'

/** Inputs of the decision how much native currency a settlement account gets; base units. */
export interface FloatQuestion {
  /** Balance of the settlement account less the outflow of its unmined spends. */
  settlement: bigint
  /** Confirmed balance of the gas wallet less the outflow of its unmined spends. */
  wallet: bigint
  /** Claim on gas less the highest fees of unmined spends. */
  gas: bigint
  /** Gas on deposit addresses, too little to be swept. */
  dust: bigint
  /** Clients' coins, wherever they lie, less what unmined spends of the settlement pay. */
  owed: bigint
  /** The part of `owed` that is reserved for withdrawals. */
  reserved: bigint
  /** Shortage of the settlement account for waiting native withdrawals. */
  missing: bigint
  /** Whether a withdrawal waits for gas: what it costs may be more than most do. */
  isStarved: boolean
  /** The most that one withdrawal costs. */
  fee: bigint
  /** The most that the top-up itself costs. */
  topUpFee: bigint
  /** Gas that the wallet keeps for sweeps while no withdrawal waits. */
  keep: bigint
}

/** The settlement account is topped up when it has less than so many fees of the gas wallet's. */
const LOW_FEES = 3n

/** And then it is given so many: one transaction for many withdrawals (engineering, 2). */
const BATCH_FEES = 10n

/**
 * How much the gas wallet sends to the settlement account now; 0 for no transfer. The part of the
 * gas wallet above the claim on gas belongs to the settlement account: fees that were paid out of
 * clients' coins, repaid with the float. Gas on deposit addresses is not float. Unswept native
 * currency is not advanced: apart from a batch of fees and what fees took, sweeps bring what is
 * missing.
 */
export function floatWanted(question: FloatQuestion): bigint {
  const { wallet, gas, fee, topUpFee } = question
  const there = wallet - topUpFee
  const wanted = [
    forDebt(question, there),
    forPayment(question),
    forDearest(question, there),
  ].reduce(larger, forFees(question))
  if (wanted === 0n || gas < topUpFee) return 0n
  const amount = smaller(wanted, there)
  // Less than one fee is useless.
  return amount < fee ? 0n : amount
}

/** Whether the answer may depend on the dust, which is dear to count. */
export function dustMatters(question: FloatQuestion): boolean {
  const { settlement, owed, fee, isStarved } = question
  const isShort = settlement - owed < (isStarved ? BATCH_FEES : LOW_FEES) * fee
  return isShort && (question.missing > 0n || forFees(question) === 0n)
}

/** Needed even if every deposit address were swept. */
function forFees({ settlement, wallet, gas, fee }: FloatQuestion): bigint {
  return fill(smaller(settlement, gas - wallet), fee)
}

/**
 * Repays dust, which does not return and may have been paid out of clients' coins. Some dust may be
 * a client's own, and rising prices create more. For that reason sweeps keep their gas while no
 * withdrawal waits.
 */
function forDebt(question: FloatQuestion, there: bigint): bigint {
  const { keep, fee } = question
  const debt = debtOf(question)
  const spared = smaller(debt, there - keep)
  return spared < smaller(debt, BATCH_FEES * fee) ? 0n : spared
}

/** Needed by a waiting withdrawal: at most what is missing, and a batch of fees. */
function forPayment(question: FloatQuestion): bigint {
  const { settlement, reserved, missing, fee } = question
  const batch = BATCH_FEES * fee
  // The amount is there to the last unit and the fee is not: no sweep would be requested.
  const lacksFee = reserved > 0n && settlement >= reserved && settlement < reserved + fee
  if (missing <= 0n) return lacksFee ? reserved + batch - settlement : 0n
  return larger(smaller(missing + batch, debtOf(question)), missing <= batch ? missing + fee : 0n)
}

/**
 * Needed by a withdrawal whose gas exceeds a few fees: a batch more, as long as the wallet keeps
 * enough for sweeps.
 */
function forDearest(question: FloatQuestion, there: bigint): bigint {
  const { keep, fee, isStarved } = question
  const batch = BATCH_FEES * fee
  return isStarved && spareOf(question) < batch ? smaller(batch, there - keep) : 0n
}

/**
 * Shortage of the settlement account against a batch of fees, without counting dust; at most what
 * fees took beyond all clients' coins.
 */
function debtOf(question: FloatQuestion): bigint {
  return fill(spareOf(question), question.fee)
}

/** Balance of the settlement account for fees, without counting dust. */
function spareOf({ settlement, wallet, gas, dust, owed }: FloatQuestion): bigint {
  return smaller(settlement, larger(gas - wallet - dust, settlement - owed))
}

function fill(spare: bigint, fee: bigint): bigint {
  return spare < LOW_FEES * fee ? BATCH_FEES * fee - spare : 0n
}
