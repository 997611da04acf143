import type { UtxoAdapter } from '../../chains/chain-adapter.ts'
import { readChainState } from '../../catalogue/chain-state.ts'
import type { BlockRef, CoinPoint } from '../../chains/port.ts'
import { assertLease } from '../../store/lease.ts'
import { haltSender } from '../core/halt.ts'
import type { SpendDeps } from '../core/payment-request.ts'
import { selectSenderForUpdate } from '../core/sender-rows.ts'
import type { Sender } from '../core/sender.ts'
import { unreservedCoins } from './coin-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { selectRecorded } from './input-rows.ts'

/**
 * Compares unreserved coins with the nodes' pools. A coin that is spent there was spent by a
 * transaction that we have forgotten, for example after restoring an old backup. Paying again with
 * other coins could pay twice, so the sender is halted (W25). Transactions that no pool knows are
 * not found. Returns false without comparing while blocks remain to be scanned, since they may
 * include the forgotten transaction.
 */
export async function compareCoins(
  deps: SpendDeps,
  { orgId, address }: Pick<Sender, 'orgId' | 'address'>,
): Promise<boolean> {
  const { adapter, database, entry, lease } = deps
  if (adapter.paymentModel !== 'utxo') return true
  const chainId = entry.id
  const { head } = await adapter.tip()
  const state = await database.transaction((tx) => readChainState(tx, chainId))
  if (state === null || !isReadTo(state.tip, head)) return false
  const coins = await database.transaction((tx) => unreservedCoins(tx, { orgId, chainId }))
  const pooled = await adapter.pooled(coins)
  // Otherwise a block may have removed transactions from the pool.
  if ((await adapter.tip()).head.hash !== head.hash) return false
  const taken = coins.filter((_, at) => pooled[at] === true)
  if (taken.length === 0) return true
  const strange = new Set((await withoutRecorded({ ...deps, adapter }, taken)).map(pointKey))
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await selectSenderForUpdate(tx, { chainId, address })
    // Coins that another sender of the organization has reserved meanwhile are not forgotten.
    const standing = await unreservedCoins(tx, { orgId, chainId })
    const forgotten = standing.filter((coin) => strange.has(pointKey(coin)))
    if (forgotten.length > 0) await halt(tx, { chainId, address }, forgotten)
  })
  return true
}

/** Whether our tip is at or above a node's head. */
function isReadTo(tip: BlockRef, head: BlockRef): boolean {
  return tip.height > head.height || tip.hash === head.hash
}

/**
 * Without those that a transaction of ours spends which waits somewhere, though its payment has
 * ended in another way: a node that has stalled keeps what was replaced.
 */
async function withoutRecorded(
  { adapter, database, entry }: SpendDeps & { adapter: UtxoAdapter },
  taken: readonly CoinPoint[],
): Promise<readonly CoinPoint[]> {
  const query = { chainId: entry.id, coins: taken }
  const recorded = await database.transaction((tx) => selectRecorded(tx, query))
  const hashes = [...new Set(recorded.map(({ spentBy }) => spentBy))]
  if (hashes.length === 0) return taken
  const waits = await adapter.waiting(hashes)
  const waiting = new Set(hashes.filter((_, at) => waits[at] === true))
  const explained = recorded.filter(({ spentBy }) => waiting.has(spentBy)).map(pointKey)
  return taken.filter((coin) => !explained.includes(pointKey(coin)))
}

async function halt(
  tx: Parameters<typeof haltSender>[0],
  sender: Pick<Sender, 'chainId' | 'address'>,
  forgotten: readonly OwnCoin[],
): Promise<void> {
  const coins = forgotten.map(pointKey)
  const message =
    `Transactions that are not in our records wait for a block and spend outputs that ` +
    `${sender.address} pays with: ${coins.slice(0, NAMED_MAX).join(', ')}.`
  await haltSender(tx, { ...sender, code: 'spend.forgotten', message, details: { coins } })
}

/** Coins that a message names. */
const NAMED_MAX = 10
