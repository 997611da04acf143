import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { resolveAlert } from '../../alerts/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import type { HooksByPurpose } from '../core/hooks.ts'
import { endRow, lockSpends, selectUnmined } from '../core/spend-rows.ts'
import { SENDS, type Spend } from '../core/spend.ts'
import { releaseSubjects } from '../core/subject-rows.ts'
import type { SpendKey } from '../core/transaction-rows.ts'
import { coinsSpentBy } from './coin-rows.ts'
import { lostAmong } from './judge-coins.ts'
import { releaseCoins } from './reserve-rows.ts'

/** Spends of coins that can never be included (`lostAmong`), by sender and number. */
export async function selectLost(
  tx: Tx,
  { chainId, upTo, limit }: { chainId: ChainId; upTo: number; limit: number },
): Promise<Spend[]> {
  const waiting = await selectUnmined(tx, { chainId })
  const lost = await lostAmong(tx, { chainId, spends: waiting, upTo })
  return waiting.filter(({ id }) => lost.has(id)).slice(0, limit)
}

/**
 * Ends a spend if it can never be included. Checked again under its lock, because a replacement
 * without the lost inputs may have been signed meanwhile.
 */
export async function displaceCoins(
  tx: Tx,
  { key, upTo, hooks }: { key: SpendKey; upTo: number; hooks: HooksByPurpose },
): Promise<boolean> {
  const [spend] = await lockSpends(tx, [key])
  if (spend?.state !== 'Sent') return false
  const lost = await lostAmong(tx, { chainId: spend.chainId, spends: [spend], upTo })
  if (!lost.has(spend.id)) return false
  await endCoins(tx, { spend, hooks })
  return true
}

/** Ends a locked spend in state `Sent`, releases its coins and calls the hook. */
export async function endCoins(
  tx: Tx,
  { spend, hooks }: { spend: Spend; hooks: HooksByPurpose },
): Promise<void> {
  const now = await endRow(tx, { spend, move: SENDS.displace })
  assert(now, 'locked spend cannot be displaced', { spend })
  await releaseSubjects(tx, now)
  await releaseCoins(tx, { orgId: now.orgId, spendId: now.id })
  await resolveAlert(tx, { code: 'spend.stuck', subject: now.id })
  await hooks[now.purpose].onDisplaced(tx, now)
}

/** A spend of coins is settled: what only others of its transactions would have spent is free. */
export async function concludeCoins(
  tx: Tx,
  { orgId, id: spendId, chainId, txnHash }: Spend,
): Promise<void> {
  const but = await coinsSpentBy(tx, { chainId, hashes: [txnHash] })
  await releaseCoins(tx, { orgId, spendId, but })
}
