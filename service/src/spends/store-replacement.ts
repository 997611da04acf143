import { assert } from '../base/assert.ts'
import type { Signed } from '../chains/port.ts'
import { type Terms, maxFeeOf } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import type { SpendMeans } from './mandate.ts'
import type { Spend } from './spend.ts'
import { replaceRow } from './spend-rows.ts'
import { storeTransaction } from './store.ts'

/**
 * Stores a replacement beside all that was signed before for a spend that is locked and `Sent`.
 * The spend is named by it from now on, and whoever asked for it is told in the same commit (W18).
 */
export async function storeReplacement(
  tx: Tx,
  { fates }: Pick<SpendMeans, 'fates'>,
  given: { spend: Spend; number: number; signed: Signed; terms: Terms; height: number },
): Promise<Spend> {
  const { spend, signed, terms } = given
  await storeTransaction(tx, given)
  const { txnHash } = signed
  const replaced = await replaceRow(tx, { spend, txnHash, maxFee: maxFeeOf(terms) })
  assert(replaced !== null, 'a spend moved although it was locked', { id: spend.id })
  await fates?.[spend.purpose].replaced(tx, replaced)
  return replaced
}
