import type { ChainId } from '@sluice/wire'
import { type Millis, isPausing } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { TopUpPlace } from './top-up.ts'

/**
 * `Lending`: signed and on its way. `Lent`: a block has it. `Returning`: what takes it back is
 * signed. `Returned`: a block has that. `Failed`: it never came to be lent.
 */
export type LoanState = 'Lending' | 'Lent' | 'Returning' | 'Returned' | 'Failed'

/** A part of a gas wallet's stake that gives an address of ours its energy for a while. */
export interface Loan {
  orgId: string
  id: string
  chainId: ChainId
  /** The address that pays with it. */
  address: Address
  place: TopUpPlace
  /** Base units of the native currency, which stay staked. */
  stake: bigint
  /** Units of energy. */
  energy: bigint
  state: LoanState
  spendId: string | null
  /** Subject of the spend that takes it back; null until one is signed. */
  returnId: string | null
  createdAt: Millis
  updatedAt: Millis
}

/**
 * The states of a loan and the moves between them; every move is a guarded update. The two that
 * undo are what a reorg does: the same bytes go out again, and may come to another end.
 */
export const LOAN_MOVES = {
  lend: { from: ['Lending', 'Failed'], to: 'Lent' },
  fail: { from: ['Lending', 'Lent'], to: 'Failed' },
  undoLend: { from: ['Lent', 'Failed'], to: 'Lending' },
  takeBack: { from: ['Lent'], to: 'Returning' },
  arrive: { from: ['Returning', 'Lent'], to: 'Returned' },
  stay: { from: ['Returning'], to: 'Lent' },
  undoReturn: { from: ['Returned', 'Lent'], to: 'Returning' },
} as const satisfies Record<string, LoanMove>

export interface LoanMove {
  from: readonly LoanState[]
  to: LoanState
}

/** The alert which says that energy lent to an address could not be taken back. */
export function notReturned({ chainId, address }: Pick<Loan, 'chainId' | 'address'>) {
  return { code: 'energy.not_returned', subject: `${chainId} ${address}` } as const
}

/** After a useless loan, coins are burnt for this long. */
export const REST_MS = 60 * 60_000

/**
 * A loan may be returned unused because its process stopped or its payment failed; after this many
 * at one address, there is another cause.
 */
const UNUSED_MAX = 2

/**
 * Whether to lend nothing now, after `failed` loans of the organization and `unused` ones of the
 * address.
 */
export function isResting({ failed, unused }: { failed: number; unused: number }): boolean {
  return failed > 0 || unused >= UNUSED_MAX
}

/** An unused loan is taken back after this time, and a failed return is retried after it. */
export const IDLE_MS = 10 * 60_000

/**
 * Whether to take a loan back: all payments that use it have ended, or it was not used for long. A
 * failed return is retried later.
 */
export function isOver(
  loan: Pick<Loan, 'state' | 'returnId' | 'updatedAt'>,
  { uses, unsettled, now }: { uses: number; unsettled: number; now: Millis },
): boolean {
  if (loan.state !== 'Lent' || unsettled > 0) return false
  const hasRested = !isPausing(now, loan.updatedAt, IDLE_MS)
  return loan.returnId === null ? uses > 0 || hasRested : hasRested
}
