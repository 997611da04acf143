import { assert } from '../../base/assert.ts'
import type { Signed } from '../../chains/port.ts'
import { type Terms, maxFeeOf } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendMeans } from './mandate.ts'
import type { Spend } from './spend.ts'
import { replaceRow } from './spend-rows.ts'
import { storeTransaction } from './store.ts'
import type { SpendTransaction } from './transaction.ts'
import { renewRow } from './transaction-rows.ts'

/**
 * Stores a replacement beside all that was signed before for a spend that is locked and `Sent`.
 * The spend is named by it from now on, and whoever asked for it is told in the same commit (W18).
 */
export async function storeReplacement(
  tx: Tx,
  means: Pick<SpendMeans, 'fates'>,
  given: { spend: Spend; number: number; signed: Signed; terms: Terms; height: number },
): Promise<Spend> {
  const { spend, signed, terms } = given
  await storeTransaction(tx, given)
  const { txnHash } = signed
  return nameBy(tx, means, { spend, txnHash, maxFee: maxFeeOf(terms) })
}

/**
 * Takes up one that was signed before for a spend that is locked and `Sent`: it waits anew from
 * `height` on, and the spend is named by it. A block had an earlier one and lost it, or a coin went
 * and came back: what takes its place then may be what did the first time, to the byte.
 */
export async function takeUpAgain(
  tx: Tx,
  means: Pick<SpendMeans, 'fates'>,
  given: { spend: Spend; known: SpendTransaction; height: number },
): Promise<Spend> {
  const { spend, known, height } = given
  const { chainId, txnHash, maxFee } = known
  await renewRow(tx, { chainId, txnHash, signedHeight: height })
  return nameBy(tx, means, { spend, txnHash, maxFee })
}

async function nameBy(
  tx: Tx,
  { fates }: Pick<SpendMeans, 'fates'>,
  given: { spend: Spend; txnHash: string; maxFee: bigint },
): Promise<Spend> {
  const { id, purpose } = given.spend
  const replaced = await replaceRow(tx, given)
  assert(replaced !== null, 'a spend moved although it was locked', { id })
  await fates?.[purpose].replaced(tx, replaced)
  return replaced
}
