import { larger, smaller } from '../base/amount.ts'

/** What decides how much native currency a settlement account is given; all in base units. */
export interface FloatQuestion {
  /** What the settlement account holds, less what its unmined spends may take. */
  settlement: bigint
  /** What of the gas wallet is confirmed, less what its unmined spends may take. */
  wallet: bigint
  /** What may be spent on gas in all, less what unmined spends may cost. */
  gas: bigint
  /** Gas that lies on deposit addresses, and that no sweep takes by itself. */
  dust: bigint
  /** Clients' coins, wherever they lie, less what unmined spends of the settlement pay. */
  owed: bigint
  /** What of them was set aside for withdrawals. */
  reserved: bigint
  /** What waiting withdrawals of native currency lack at the settlement account. */
  missing: bigint
  /** Whether a withdrawal waits for gas: what it costs may be more than most do. */
  isStarved: boolean
  /** The most that one withdrawal costs. */
  fee: bigint
  /** The most that the top-up itself costs. */
  topUpFee: bigint
  /** What the wallet keeps for sweeps while nobody waits. */
  keep: bigint
}

/** The settlement account is topped up when it has less than so many fees of the gas wallet's. */
const LOW_FEES = 3n

/** And then it is given so many: one transaction for many withdrawals (engineering, 2). */
const BATCH_FEES = 10n

/**
 * How much the gas wallet is to send to the settlement account now; 0 for nothing. What the gas
 * wallet holds above the claim on gas is the settlement account's: fees that were paid out of
 * clients' coins, given back with the float. Gas that stays on deposit addresses is no float.
 * Native currency that is still to be swept is not advanced: what is missing beyond a batch of fees
 * is left to the sweeps, as far as it was not fees that took it.
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
  // Less than one fee helps nobody.
  return amount < fee ? 0n : amount
}

/** Whether the answer may depend on the dust, which is dear to count. */
export function dustMatters(question: FloatQuestion): boolean {
  const { settlement, owed, fee, isStarved } = question
  const isShort = settlement - owed < (isStarved ? BATCH_FEES : LOW_FEES) * fee
  return isShort && (question.missing > 0n || forFees(question) === 0n)
}

/** Due whatever lies elsewhere: were every deposit address swept, it would still be too little. */
function forFees({ settlement, wallet, gas, fee }: FloatQuestion): bigint {
  return fill(smaller(settlement, gas - wallet), fee)
}

/**
 * Due because dust does not come back, and may have been made good out of clients' coins meanwhile.
 * Some of the dust may be a client's own, and prices make more of it: sweeps are not to go without
 * their gas for that before anybody waits.
 */
function forDebt(question: FloatQuestion, there: bigint): bigint {
  const { keep, fee } = question
  const debt = debtOf(question)
  const spared = smaller(debt, there - keep)
  return spared < smaller(debt, BATCH_FEES * fee) ? 0n : spared
}

/** Due because somebody waits: at most what is missing, and a batch for the fees. */
function forPayment(question: FloatQuestion): bigint {
  const { settlement, reserved, missing, fee } = question
  const batch = BATCH_FEES * fee
  // What is to be paid is there to the last unit, and its fee is not: no sweep is asked for that.
  const lacksFee = reserved > 0n && settlement >= reserved && settlement < reserved + fee
  if (missing <= 0n) return lacksFee ? reserved + batch - settlement : 0n
  return larger(smaller(missing + batch, debtOf(question)), missing <= batch ? missing + fee : 0n)
}

/**
 * Due because somebody waits for gas that the account does not hold, be it more than a few fees: a
 * batch more, as far as the wallet keeps what sweeps need.
 */
function forDearest(question: FloatQuestion, there: bigint): bigint {
  const { keep, fee, isStarved } = question
  const batch = BATCH_FEES * fee
  return isStarved && spareOf(question) < batch ? smaller(batch, there - keep) : 0n
}

/**
 * What the settlement account lacks of a batch of fees when dust counts for nothing; never more
 * than it takes beyond all coins of clients.
 */
function debtOf(question: FloatQuestion): bigint {
  return fill(spareOf(question), question.fee)
}

/** What the settlement account holds for fees when dust counts for nothing. */
function spareOf({ settlement, wallet, gas, dust, owed }: FloatQuestion): bigint {
  return smaller(settlement, larger(gas - wallet - dust, settlement - owed))
}

function fill(spare: bigint, fee: bigint): bigint {
  return spare < LOW_FEES * fee ? BATCH_FEES * fee - spare : 0n
}
