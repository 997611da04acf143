import type { ChainId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'

/**
 * `Sent`: signed and on its way. `Done`: a block has it. `Failed`: a block has it and it moved
 * nothing, or it can never be included.
 */
export type TopUpState = 'Sent' | 'Done' | 'Failed'

/** Target of a top-up: a deposit address before its sweep, or the settlement account. */
export type TopUpPlace = 'deposits' | 'settlement'

/** Native currency sent from a gas wallet to an address that pays fees. */
export interface TopUp {
  orgId: string
  id: string
  chainId: ChainId
  address: Address
  place: TopUpPlace
  /** Base units of the native currency. */
  amount: bigint
  state: TopUpState
  spendId: string | null
  createdAt: Millis
  updatedAt: Millis
}

/**
 * The states of a top-up and the moves between them. `undo` is what a reorg does: the same bytes go
 * out again, and may come to another end.
 */
export const TOP_UP_MOVES = {
  done: { from: ['Sent', 'Failed'], to: 'Done' },
  fail: { from: ['Sent', 'Failed'], to: 'Failed' },
  undo: { from: ['Done', 'Failed'], to: 'Sent' },
} as const satisfies Record<string, { from: readonly TopUpState[]; to: TopUpState }>
