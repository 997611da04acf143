import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { pointKey } from '../coins/coin.ts'
import { coinsAt, coinsSpentBy } from '../coins/find.ts'
import { releaseCoins } from '../coins/reserve.ts'
import { resolveAlert } from '../journal/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import type { SpendFates } from './fates.ts'
import { selectPaying } from './foreign-rows.ts'
import { selectInputs, selectSpenders } from './input-rows.ts'
import { SENDS, type Spend } from './spend.ts'
import { endRow, lockSpends, selectUnmined } from './spend-rows.ts'
import { releaseSubjects } from './subject-rows.ts'
import { type SpendKey, selectTransactions } from './transaction-rows.ts'

/**
 * Spends of coins that can never be included: a coin that all their transactions spend was spent,
 * in a block at or below a height, by a transaction that is none of them (its first coins are in
 * every replacement). One whose place somebody has taken who pays the same people is left for an
 * operator to judge: to pay them again would be to pay twice.
 */
export async function selectLost(
  tx: Tx,
  { chainId, upTo, limit }: { chainId: ChainId; upTo: number; limit: number },
): Promise<SpendKey[]> {
  const waiting = await selectUnmined(tx, { chainId })
  if (waiting.length === 0) return []
  const inputs = await selectInputs(tx, waiting)
  const own = new Set(inputs.map(({ spentBy }) => spentBy))
  const firsts = inputs.filter(({ number }) => number === 1)
  const taken = new Map<string, string>()
  for (const coin of await coinsAt(tx, { chainId, points: firsts })) {
    const { spent } = coin
    if (spent === null || spent.height > upTo || own.has(spent.txnHash)) continue
    taken.set(pointKey(coin), spent.txnHash)
  }
  if (taken.size === 0) return []
  const paying = new Set(await selectPaying(tx, { chainId, hashes: [...taken.values()] }))
  const lost = new Set<string>()
  for (const input of firsts) {
    const by = taken.get(pointKey(input))
    if (by !== undefined && !paying.has(by)) lost.add(input.spendId)
  }
  return waiting.filter(({ id }) => lost.has(id)).slice(0, limit)
}

/** Ends a spend that can never be included; what it held is free, and whoever asked is told. */
export async function displaceCoins(
  tx: Tx,
  { key, fates }: { key: SpendKey; fates: SpendFates },
): Promise<boolean> {
  const [spend] = await lockSpends(tx, [key])
  if (spend?.state !== 'Sent') return false
  const now = await endRow(tx, { spend, move: SENDS.displace })
  assert(now, 'a locked spend that was not to be displaced', { spend })
  await releaseSubjects(tx, now)
  await releaseCoins(tx, { orgId: now.orgId, spendId: now.id })
  await resolveAlert(tx, { code: 'spend.stuck', subject: now.id })
  await fates[now.purpose].displaced(tx, now)
  return true
}

/**
 * A spend of coins is settled: what only others of its transactions would have spent is free, and
 * what was to be made of what these would have returned can never be.
 */
export async function concludeCoins(
  tx: Tx,
  { spend, fates }: { spend: Spend; fates: SpendFates },
): Promise<void> {
  const { orgId, id: spendId, chainId, txnHash } = spend
  const but = await coinsSpentBy(tx, { chainId, hashes: [txnHash] })
  await releaseCoins(tx, { orgId, spendId, but })
  const losers = (await selectTransactions(tx, [spend])).filter((one) => one.txnHash !== txnHash)
  if (losers.length === 0) return
  for (const key of await selectSpenders(tx, { chainId, coins: losers, always: true })) {
    await displaceCoins(tx, { key, fates })
  }
}
