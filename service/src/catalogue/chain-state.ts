import type { ChainId } from '@sluice/wire'
import { type Millis, iso } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import * as rows from './rows.ts'

const SECOND_MS: Millis = 1_000

/**
 * `frozen`: a block with credited deposits left the chain; it is scanned, without crediting or
 * signing. `halted`: not even scanned (engineering, 9). Only an operator ends the last two.
 */
export type Condition = rows.ChainStateRow['condition']

/** Blocks that were replaced by another branch. */
export interface Reorg {
  /** The highest block that stayed. */
  height: number
  /** How many blocks left the chain. */
  depth: number
  at: Millis
}

/** State of a chain, stored from the first successful contact on (engineering, 13). */
export interface ChainState {
  chainId: ChainId
  /** Hash of the first block, pinned at first contact (engineering, 16). */
  genesis: string
  /** Height at which scanning began; constant. */
  startHeight: number
  /** The last processed block: everything up to it is in the ledger. */
  tip: BlockRef
  /** Height of the nodes. */
  headHeight: number
  /** The highest block that the chain calls final; null while no node reports one. */
  final: BlockRef | null
  condition: Condition
  /** Reason why it is not running; else empty. */
  cause: string
  /**
   * Whether blocks were undone and no node has confirmed our tip since: more blocks may have to be
   * undone, one of which may freeze the chain.
   */
  isUndoing: boolean
  /** The last reorg; null before the first. */
  lastReorg: Reorg | null
  /** Block time of the tip. */
  tipTime: Millis
  updatedAt: Millis
}

/** The state of a chain; null before first contact. */
export async function readChainState(tx: Tx, chainId: string): Promise<ChainState | null> {
  const row = await rows.selectChainState(tx, chainId)
  return row === null ? null : fromRow(row)
}

/**
 * Whether transactions may be signed and broadcast on a chain: not while it is frozen or halted
 * (engineering, 9), nor while blocks are being undone, which may freeze it at any step (R04).
 */
export function maySpend(state: ChainState | null): state is ChainState {
  return state?.condition === 'running' && !state.isUndoing
}

/** How far a chain is. `undoing`: it runs, and blocks are being undone. */
export function progressOf(state: ChainState, now: Millis) {
  const { condition, isUndoing, tip, tipTime, headHeight, final, lastReorg } = state
  return {
    condition: condition === 'running' && isUndoing ? ('undoing' as const) : condition,
    tip: { ...tip, time: iso(tipTime) },
    head: headHeight,
    final: final?.height ?? null,
    lag: {
      blocks: Math.max(0, headHeight - tip.height),
      seconds: Math.max(0, Math.floor((now - tipTime) / SECOND_MS)),
    },
    lastReorg: lastReorg && { ...lastReorg, at: iso(lastReorg.at) },
  }
}

/** States of all chains that were contacted, ordered by id. */
export async function readChainStates(tx: Tx): Promise<ChainState[]> {
  return (await rows.selectChainStates(tx)).map(fromRow)
}

/**
 * Stores the cursor of a chain at first contact: blocks above `tip` will be scanned. Returns false
 * if the chain has a cursor already.
 */
export async function startChain(
  tx: Tx,
  start: {
    chainId: ChainId
    genesis: string
    tip: BlockRef
    tipTime: Millis
    headHeight: number
    final: BlockRef | null
  },
): Promise<boolean> {
  return rows.insertChainState(tx, start)
}

/**
 * Moves the cursor to another block; back means that blocks are being undone. An Outage if it is no
 * longer at `from`: another scanner has taken over, so this step must be rolled back.
 */
export async function moveTip(
  tx: Tx,
  move: { chainId: ChainId; from: BlockRef; to: BlockRef; tipTime: Millis },
): Promise<void> {
  if (await rows.updateTip(tx, move)) return
  const { chainId, from } = move
  throw new Outage('cursor', `${chainId} is no longer at block ${from.height} ${from.hash}`)
}

/** Records that blocks are being undone while the cursor stays. */
export async function noteUndoing(tx: Tx, chainId: ChainId): Promise<void> {
  await rows.updateUndoing(tx, chainId)
}

/** The height and final block of the nodes, and whether blocks are being undone. */
export type HeadNote = Pick<ChainState, 'headHeight' | 'final' | 'isUndoing'>

/** Records the head of the nodes. */
export async function noteHead(tx: Tx, head: HeadNote & { chainId: ChainId }): Promise<void> {
  await rows.updateHead(tx, head)
}

/**
 * Freezes, halts or resumes a chain. Returns whether its condition changed: a halted chain is never
 * made frozen, the first cause stays, and a chain that was never contacted has no condition.
 * Resuming clears the final block, so that the nodes are followed, block by block as in any reorg,
 * even if their branch contradicts it.
 */
export async function setCondition(
  tx: Tx,
  { chainId, condition, cause }: { chainId: string; condition: Condition; cause: string },
): Promise<boolean> {
  const kept = condition === 'running' ? '' : cause
  return rows.updateCondition(tx, { chainId, condition, cause: kept })
}

function fromRow(row: rows.ChainStateRow): ChainState {
  const { final_height: height, final_hash: hash } = row
  return {
    chainId: row.chain_id,
    genesis: row.genesis,
    startHeight: row.start_height,
    tip: { height: row.tip_height, hash: row.tip_hash },
    headHeight: row.head_height,
    final: height === null || hash === null ? null : { height, hash },
    condition: row.condition,
    cause: row.condition_cause,
    isUndoing: row.is_undoing,
    lastReorg: reorgIn(row),
    tipTime: row.tip_time,
    updatedAt: row.updated_at,
  }
}

function reorgIn(row: rows.ChainStateRow): Reorg | null {
  const { reorg_height: height, reorg_depth: depth, reorg_at: at } = row
  return height === null || depth === null || at === null ? null : { height, depth, at }
}
