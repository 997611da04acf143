import type { ChainId, SweepFailureCode, SweepWait, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'

/**
 * `Waiting`: planned, not signed; its address may lack gas. `Sent`: signed. `Done`: included.
 * `Failed`: refused before signing, failed in its block, or it can never be included.
 */
export type SweepState = 'Waiting' | 'Sent' | 'Done' | 'Failed'

/** Confirmed money of a deposit address on its way to the settlement account. */
export interface Sweep {
  orgId: string
  id: string
  chainId: ChainId
  tokenId: TokenId
  address: Address
  /** Base units that are to be moved. */
  amount: bigint
  /** Base units that reached the settlement account; 0 until a block has it. */
  moved: bigint
  state: SweepState
  spendId: string | null
  /** Why it failed, in words and as a code; "" and null for all others. */
  cause: string
  failureCode: SweepFailureCode | null
  /** Why it is not signed yet; null before the first attempt and once it is signed. */
  waitingFor: SweepWait | null
  /** Null if `waitingFor` is. */
  waitingSince: Millis | null
  createdAt: Millis
  updatedAt: Millis
}

/**
 * The states of a sweep and the moves between them; every move is a guarded update of this table's
 * making. `undo` is what a reorg does: the same bytes go out again, and may come to another end.
 */
export const SWEEP_MOVES = {
  send: { from: ['Waiting'], to: 'Sent' },
  refuse: { from: ['Waiting'], to: 'Failed' },
  done: { from: ['Sent', 'Failed'], to: 'Done' },
  fail: { from: ['Sent', 'Failed'], to: 'Failed' },
  undo: { from: ['Done', 'Failed'], to: 'Sent' },
} as const satisfies Record<string, SweepMove>

export interface SweepMove {
  from: readonly SweepState[]
  to: SweepState
}

/** A difference between a node and the ledger is real after this time. */
export const BOOKED_WITHIN_MS = 10 * 60_000

const HOUR_MS = 3_600_000

const DAY_MS = 24 * HOUR_MS

/** Failures are remembered for so long. */
export const FAILURES_MS = 2 * DAY_MS

const FIRST_PAUSE_MS = 10 * 60_000

/**
 * How long an address is left alone after its sweeps of a token failed so often in a row: ten
 * minutes, and four times as long after each further one, at most a day (E23: no storm of retries).
 */
export function pauseAfter(failures: number): Millis {
  if (failures <= 0) return 0
  const pause = FIRST_PAUSE_MS * 4 ** Math.min(failures - 1, 8)
  return Math.min(pause, DAY_MS)
}
