/** What decides how much native currency a settlement account is given; all in base units. */
export interface FloatQuestion {
  /** What the settlement account holds, less what its unmined spends may take. */
  settlement: bigint
  /** What of the gas wallet is confirmed, less what its unmined spends may take. */
  wallet: bigint
  /** What may be spent on gas in all, less what unmined spends may cost. */
  gas: bigint
  /** What waiting withdrawals of native currency lack at the settlement account. */
  missing: bigint
  /** The most that one withdrawal costs. */
  fee: bigint
  /** The most that the top-up itself costs. */
  topUpFee: bigint
}

/** The settlement account is topped up when it has less than so many fees of the gas wallet's. */
const LOW_FEES = 3n
/** And then it is given so many: one transaction for many withdrawals (engineering, 2). */
const BATCH_FEES = 10n

/**
 * How much the gas wallet is to send to the settlement account now; 0 for nothing. What the gas
 * wallet holds above the claim on gas is the settlement account's: fees that were paid out of
 * clients' coins, given back with the float. Native currency that is still to be swept is not
 * advanced: what is missing beyond a batch of fees is left to the sweeps.
 */
export function floatWanted(question: FloatQuestion): bigint {
  const { settlement, wallet, gas, missing, fee, topUpFee } = question
  const batch = BATCH_FEES * fee
  const advanced = gas - wallet
  const spare = settlement < advanced ? settlement : advanced
  const forFees = spare < LOW_FEES * fee ? batch - spare : 0n
  const forPayment = missing > 0n && missing <= batch ? missing + fee : 0n
  const wanted = forFees > forPayment ? forFees : forPayment
  if (wanted === 0n || gas < topUpFee) return 0n
  const there = wallet - topUpFee
  const amount = wanted < there ? wanted : there
  // Less than one fee helps nobody.
  return amount < fee ? 0n : amount
}
