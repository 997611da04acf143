import type { ChainId, TokenId } from '@sluice/wire'
import { Bug } from '../base/assert.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import { soughtCoins } from '../transactions/utxo/follow-coins.ts'
import { recordBlocks } from './record-blocks.ts'
import {
  type Rescan,
  insertRescan,
  moveRescan,
  selectRescan,
  selectWaitingRescan,
} from './rescan-rows.ts'
import { selectHash } from './rows.ts'
import { scopeOf } from './scope.ts'
import { UnlistedTokens } from './unlisted.ts'
import type { Holder } from './watcher.ts'

/** Blocks read between two steps of the scanner, so that the head does not wait long. */
const RESCAN_BATCH = 16

/**
 * Requests that a range of blocks is read again by the lease holder of the chain; audit-logged.
 * Refuses with INVALID_CHAIN if the chain was never scanned, and with BAD_REQUEST if the range ends
 * above the tip or before it begins.
 */
export async function requestRescan(
  tx: Tx,
  range: { chainId: ChainId; from: number; to: number; actor: string },
): Promise<Rescan> {
  const state = await readChainState(tx, range.chainId)
  if (state === null) throw new Refusal('INVALID_CHAIN', { providedChainId: range.chainId })
  const wrong = wrongRange(range, state.tip.height)
  if (wrong !== null) throw new Refusal('BAD_REQUEST', { from: range.from, to: range.to }, wrong)
  await writeAudit(tx, {
    orgId: null,
    actor: range.actor,
    action: 'chain.rescan',
    object: range.chainId,
    details: { from: range.from, to: range.to },
  })
  return insertRescan(tx, range)
}

function wrongRange({ from, to }: { from: number; to: number }, last: number): string | null {
  if (from > to) return `--from is above --to: ${from} and ${to}. Blocks are read upwards.`
  return to > last ? `The range must end at or below ${last}, the last block scanned.` : null
}

/** How far a rescan has come; null for an unknown id. */
export function readRescan(tx: Tx, id: string): Promise<Rescan | null> {
  return selectRescan(tx, id)
}

/**
 * Reads the next blocks of the oldest waiting rescan; false unless some can be read now: a halted
 * chain is not read, nor blocks above our tip. Reading a block twice is harmless: transfers have an
 * identity.
 */
export async function continueRescan(holder: Holder): Promise<boolean> {
  const open = await holder.database.transaction((tx) => selectOpen(tx, holder))
  if (open === null) return false
  const { rescan, upTo, ...sought } = open
  const last = Math.min(upTo, rescan.next + RESCAN_BATCH - 1)
  for (let height = rescan.next; height <= last; height += 1) {
    try {
      await readAgain(holder, rescan, { height, ...sought })
    } catch (error) {
      if (!(error instanceof Bug)) throw error
      // A retry would fail again, and the head of the chain must not wait.
      await giveUp(holder, { ...rescan, next: height }, error)
      return true
    }
  }
  return true
}

/** Coins and unlisted tokens to read in its blocks. */
interface Sought {
  seeks: ReadonlySet<string>
  unlisted: readonly TokenId[]
}

async function giveUp({ database, log, entry }: Holder, rescan: Rescan, bug: Bug): Promise<void> {
  log.error(
    { chainId: entry.id, rescan: rescan.id, height: rescan.next, err: bug },
    'a rescan failed',
  )
  const cause = `block ${rescan.next}: ${bug.message}`
  await database.transaction((tx) =>
    moveRescan(tx, { rescan, next: rescan.next, found: 0, state: 'failed', cause }),
  )
}

/** The oldest waiting rescan, the height up to which it may be read, and what to read. */
async function selectOpen(
  tx: Tx,
  holder: Holder,
): Promise<({ rescan: Rescan; upTo: number } & Sought) | null> {
  const { entry, unlisted = new UnlistedTokens() } = holder
  const { id: chainId } = entry
  const state = await readChainState(tx, chainId)
  const rescan = await selectWaitingRescan(tx, chainId)
  if (rescan === null || state === null || state.condition === 'halted') return null
  const upTo = Math.min(rescan.to, state.tip.height)
  if (rescan.next > upTo) return null
  const seeks = await soughtCoins(tx, entry)
  return { rescan, upTo, seeks, unlisted: await unlisted.read(tx, holder) }
}

async function readAgain(
  holder: Holder,
  rescan: Rescan,
  { height, ...sought }: { height: number } & Sought,
): Promise<void> {
  const { database, entry, lease, crash } = holder
  const scope = { ...scopeOf({ ...holder, ...sought }), isRepair: true }
  const block = await holder.adapter.blockAt({ height }, scope)
  if (block === null) throw new Outage(entry.id, `no node has block ${height} for the rescan`)
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    const ours = await selectHash(tx, { chainId: entry.id, height })
    // A reorg is under way at this height: the scanner undoes it first, then this block is read
    // again.
    if (ours !== null && ours !== block.hash) {
      throw new Outage(entry.id, `block ${height} is being reorganized`)
    }
    const { deposits } = await recordBlocks(tx, holder, { blocks: [block] })
    crash?.('rescan.detected')
    const next = height + 1
    const state = next > rescan.to ? 'done' : 'waiting'
    const at = { ...rescan, next: height }
    await moveRescan(tx, { rescan: at, next, found: deposits.length, state, cause: '' })
    tx.beforeCommit(async () => crash?.('rescan.told'))
  })
  crash?.('rescan.committed')
}
