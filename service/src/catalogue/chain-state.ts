import type { ChainId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import * as rows from './rows.ts'

/**
 * `running`: everything goes on. `frozen`: a block with booked money left the chain; scanning goes
 * on, crediting and signing do not. `halted`: not even scanning (engineering, 9). Only an operator
 * ends the last two.
 */
export type Condition = rows.ChainStateRow['condition']

/** What a chain is doing. The row exists from the first successful contact on (engineering, 13). */
export interface ChainState {
  chainId: ChainId
  /** Hash of the first block, pinned at first contact (engineering, 16). */
  genesis: string
  /** The height the cursor began at; it never moves. */
  startHeight: number
  /** The last block that is ours: everything up to it is in the ledger. */
  tip: BlockRef
  /** The height the nodes are at. */
  headHeight: number
  /** The highest block the chain itself calls final; null while no node names one. */
  final: BlockRef | null
  condition: Condition
  /** Why it does not run; "" while it does. */
  cause: string
  /**
   * Whether blocks were undone, and the nodes have not been seen since to have our tip: how many
   * more are to be undone is not known, nor whether the chain is to be frozen for one of them.
   */
  isUndoing: boolean
  /** The tip's own time. */
  tipTime: Millis
  updatedAt: Millis
}

/** The state of a chain; null before first contact. */
export async function readChainState(tx: Tx, chainId: string): Promise<ChainState | null> {
  const row = await rows.selectChainState(tx, chainId)
  return row === null ? null : fromRow(row)
}

/**
 * Whether anything may be signed on a chain, or sent to its nodes: not while it is frozen or halted
 * (engineering, 9), nor while blocks are being undone, which may freeze it at any step (R04).
 */
export function maySpend(state: ChainState | null): state is ChainState {
  return state?.condition === 'running' && !state.isUndoing
}

/** The states of all chains that were ever contacted, in the order of their ids. */
export async function readChainStates(tx: Tx): Promise<ChainState[]> {
  return (await rows.selectChainStates(tx)).map(fromRow)
}

/**
 * Stores the cursor of a chain at its first contact: blocks above `tip` will be scanned. False, and
 * nothing changed, where the chain had started before.
 */
export async function startChain(
  tx: Tx,
  given: {
    chainId: ChainId
    genesis: string
    tip: BlockRef
    tipTime: Millis
    headHeight: number
    final: BlockRef | null
  },
): Promise<boolean> {
  return rows.insertChainState(tx, given)
}

/**
 * Moves the cursor from one block to another, forward or back: back means that blocks are being
 * undone. An Outage where it does not stand at
 * `from` any more: another scanner has taken over, and this one's step must come to nothing.
 */
export async function moveTip(
  tx: Tx,
  given: { chainId: ChainId; from: BlockRef; to: BlockRef; tipTime: Millis },
): Promise<void> {
  const moved = await rows.updateTip(tx, given)
  if (!moved)
    throw new Outage(
      'cursor',
      `${given.chainId} is no longer at block ${given.from.height} ${given.from.hash}`,
    )
}

/** Records that blocks are being undone, where the cursor stays for the while. */
export async function noteUndoing(tx: Tx, chainId: ChainId): Promise<void> {
  await rows.updateUndoing(tx, chainId)
}

/** Records how far the nodes are, what they call final, and whether blocks are being undone. */
export async function noteHead(
  tx: Tx,
  given: { chainId: ChainId; headHeight: number; final: BlockRef | null; isUndoing: boolean },
): Promise<void> {
  await rows.updateHead(tx, given)
}

/**
 * Freezes, halts or resumes a chain. True where that changed its condition: a halted chain does not
 * thaw into a frozen one, the first cause stays, and a chain never contacted has none.
 * To resume is to have looked: what had been called final is forgotten, so that the nodes' chain is
 * followed again even where it contradicts that, one block after the other as in any reorg.
 */
export async function setCondition(
  tx: Tx,
  given: { chainId: string; condition: Condition; cause: string },
): Promise<boolean> {
  return rows.updateCondition(tx, {
    ...given,
    cause: given.condition === 'running' ? '' : given.cause,
  })
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
    tipTime: row.tip_time,
    updatedAt: row.updated_at,
  }
}
