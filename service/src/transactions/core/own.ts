import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type { Tx } from '../../store/database.ts'
import type { OwnTransaction } from './spend.ts'
import { insertOwn, selectOwn } from './transaction-rows.ts'

/**
 * Which of these transactions of a chain were signed by us, by hash; hashes in the chain's own
 * spelling.
 */
export async function ownTransactions(
  tx: Tx,
  chainId: ChainId,
  hashes: readonly string[],
): Promise<Map<string, OwnTransaction>> {
  if (hashes.length === 0) return new Map()
  const own = await selectOwn(tx, chainId, hashes)
  return new Map(own.map((transaction) => [transaction.txnHash, transaction]))
}

/**
 * Records a signed transaction as ours, in the commit that stores its bytes: it is known before any
 * node has seen it. To record it again changes nothing; one hash never serves two organizations or
 * purposes.
 */
export async function recordOwnTransaction(tx: Tx, own: OwnTransaction): Promise<void> {
  if (await insertOwn(tx, own)) return
  const [standing] = await selectOwn(tx, own.chainId, [own.txnHash])
  const same = standing?.orgId === own.orgId && standing.purpose === own.purpose
  assert(same, 'transaction has two organizations or purposes', { own, standing })
}
