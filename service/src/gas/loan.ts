import type { ChainId } from '@sluice/wire'
import { isPausingForAll, type Millis } from '../base/clock.ts'
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
  /** Who pays with it. */
  address: Address
  place: TopUpPlace
  /** Base units of the native currency, which stay staked. */
  stake: bigint
  /** What it is good for. */
  energy: bigint
  state: LoanState
  spendId: string | null
  /** The subject of the spend that takes it back; null while none was signed. */
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

/** After loans that came to nothing coins are burnt for so long: another would be in vain too. */
export const REST_MS = 60 * 60_000

/**
 * A loan may come back unused because its process stood still, or its payment was given up; where
 * so many do at one address, something else keeps what is lent there from being used.
 */
const UNUSED_MAX = 2

/** Whether nothing is lent now: `failed` ones of its organization, `unused` ones of the address. */
export function isResting({ failed, unused }: { failed: number; unused: number }): boolean {
  return failed > 0 || unused >= UNUSED_MAX
}

/** What nobody used for so long is taken back, and what could not be is tried again. */
export const IDLE_MS = 10 * 60_000

/**
 * Whether a loan is to be taken back: every payment that counted on it is over, or none did for
 * long. One that could not be taken back rests a while.
 */
export function isOver(
  loan: Pick<Loan, 'state' | 'returnId' | 'updatedAt'>,
  { uses, unsettled, now }: { uses: number; unsettled: number; now: Millis },
): boolean {
  if (loan.state !== 'Lent' || unsettled > 0) return false
  const hasRested = !isPausingForAll(now, loan.updatedAt, IDLE_MS)
  return loan.returnId === null ? uses > 0 || hasRested : hasRested
}
