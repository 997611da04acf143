import { assert } from '../base/assert.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { BlockRef } from '../chains/port.ts'
import { resolveAlert } from '../alerts/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import type { SpendPoint } from './core/crash-points.ts'
import type { HooksByPurpose } from './core/hooks.ts'
import { selectDisplacing } from './core/foreign-rows.ts'
import { endRow, lockNonce, lockSpends, selectWaiting } from './core/spend-rows.ts'
import { isConcluded, SENDS } from './core/spend.ts'
import { concludeCoins, displaceCoins, selectLost } from './utxo/settle-coins.ts'

interface Settling {
  entry: ChainEntry
  /** The highest block that counts as settled, by the rule of the chain. */
  upTo: number
  hooks: HooksByPurpose
  /** At most so many in one commit; the rest follow. */
  limit: number
  crash?: ((point: SpendPoint) => void) | undefined
}

/**
 * Ends spends with enough confirmations: `Settled`, or `Displaced` if the block has a foreign
 * transaction under their nonce. Calls the hooks. Call it only while the chain is running. Returns
 * the number of spends ended.
 */
export async function settleSpends(tx: Tx, settling: Settling): Promise<number> {
  const settled = await settleIncluded(tx, settling)
  const displaced = await displaceLost(tx, settling)
  if (settled + displaced > 0) settling.crash?.('settle.settled')
  return settled + displaced
}

/** The block of the highest spend that is due for settlement; null if no spend is due. */
export async function dueSpends(
  tx: Tx,
  { entry, upTo, limit }: Pick<Settling, 'entry' | 'upTo' | 'limit'>,
): Promise<{ last: BlockRef | null; displacing: boolean }> {
  if (upTo < 0) return { last: null, displacing: false }
  const chainId = entry.id
  const [waiting, displacing] = await Promise.all([
    selectWaiting(tx, { chainId, upTo, limit }),
    selectDisplaced(tx, { entry, upTo, limit: 1 }),
  ])
  return { last: waiting.at(-1)?.block ?? null, displacing: displacing.length > 0 }
}

async function settleIncluded(tx: Tx, { entry, upTo, hooks, limit }: Settling): Promise<number> {
  const due = await selectWaiting(tx, { chainId: entry.id, upTo, limit })
  if (due.length === 0) return 0
  const standing = new Map((await lockSpends(tx, due)).map((spend) => [spend.id, spend]))
  let settled = 0
  for (const { id, block } of due) {
    const spend = standing.get(id)
    if (spend?.state !== 'Included' || spend.block?.hash !== block?.hash) continue
    const now = await endRow(tx, { spend, move: SENDS.settle })
    assert(now !== null && isConcluded(now), 'settled spend has no outcome', { spend })
    await hooks[now.purpose].onSettled(tx, now)
    if (entry.paymentModel === 'utxo') await concludeCoins(tx, now)
    settled += 1
  }
  return settled
}

/** The foreign transactions that displace spends, or the displaced spends themselves. */
function selectDisplaced(
  tx: Tx,
  { entry, ...range }: Pick<Settling, 'entry' | 'upTo' | 'limit'>,
): Promise<readonly unknown[]> {
  const asked = { chainId: entry.id, ...range }
  return entry.paymentModel === 'utxo' ? selectLost(tx, asked) : selectDisplacing(tx, asked)
}

async function displaceLost(tx: Tx, { entry, upTo, hooks, limit }: Settling): Promise<number> {
  if (entry.paymentModel === 'utxo') {
    let ended = 0
    for (const key of await selectLost(tx, { chainId: entry.id, upTo, limit })) {
      if (await displaceCoins(tx, { key, upTo, hooks })) ended += 1
    }
    return ended
  }
  const lost = await selectDisplacing(tx, { chainId: entry.id, upTo, limit })
  let displaced = 0
  for (const foreign of lost) {
    const { nonce } = foreign
    if (nonce === null) continue
    const spend = await lockNonce(tx, { ...foreign, nonce })
    if (spend?.state !== 'Sent') continue
    const now = await endRow(tx, { spend, move: SENDS.displace })
    assert(now, 'locked spend cannot be displaced', { spend })
    await hooks[now.purpose].onDisplaced(tx, now)
    await resolveAlert(tx, { code: 'spend.stuck', subject: now.id })
    displaced += 1
  }
  return displaced
}
