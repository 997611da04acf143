import type { ChainId, WaitingFor as ShownWait, TokenId, WithdrawalStatus } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'

/**
 * What a withdrawal waits for. `gas`: the gas wallet cannot pay its fee; `fee`: the fee is above
 * its cap; `funds`: the settlement account does not hold its amount or may not spend it (it
 * is unswept, the account's own gas is under way, a reserve or small coins); `confirmations`: its
 * own transaction, or an earlier one of the same sender, is not confirmed; `chain`: the chain is
 * frozen or halted, or its nodes do not answer; `operator`: an operator must act on it, its token
 * or its sender.
 */
export type WaitingFor =
  | 'approvals'
  | 'confirmations'
  | 'gas'
  | 'fee'
  | 'funds'
  | 'chain'
  | 'operator'

/** As it is shown: what brings funds is a deposit, sweep or payment that is not confirmed. */
export function shownWait(waitingFor: WaitingFor | null): ShownWait | null {
  return waitingFor === 'funds' ? 'confirmations' : waitingFor
}

/** What a withdrawal waits for as soon as it has a status; null for nothing that is known. */
export function firstWait(status: WithdrawalStatus): WaitingFor | null {
  if (status === 'PendingApproval') return 'approvals'
  return status === 'Processing' ? 'confirmations' : null
}

/** Why a withdrawal failed, by code (engineering, 5). */
export type FailureCode =
  | 'INSUFFICIENT_GAS'
  | 'INSUFFICIENT_BALANCE'
  | 'FEE_TOO_HIGH'
  | 'RECIPIENT_REFUSES'
  | 'REVERTED'
  | 'DISPLACED'
  | 'EXPIRED'

/** What was asked for; none of it ever changes, and the MAC covers all of it (engineering, 7). */
export interface Requested {
  orgId: string
  id: string
  chainId: ChainId
  tokenId: TokenId
  /** Base units. */
  amount: bigint
  recipient: Address
  memo: string | null
  reference: string
  internalNote: string | null
  externalUserId: string | null
  /** As the organization's setting was when it was created (decisions, 6). */
  requiredApprovals: number
  /** How many of them must be people's and not the API key's. */
  requiredHumans: number
  initiator: string
  createdAt: Millis
}

/** Money on its way out, from the request to the chain's word on it (section 2.2). */
export interface Withdrawal extends Requested {
  status: WithdrawalStatus
  mac: Uint8Array
  /** Users whose approval stands, the earliest first. */
  approvers: readonly string[]
  spendId: string | null
  txnHash: string | null
  txnError: string | null
  failureCode: string | null
  /** Base units of the native currency; null until it is known. */
  fee: bigint | null
  waitingFor: WaitingFor | null
  waitingSince: Millis | null
  completedAt: Millis | null
  updatedAt: Millis
}

/** One user's consent to one withdrawal. */
export interface Approval {
  orgId: string
  id: string
  withdrawalId: string
  userId: string
  /** Step of the two-factor code it was given with; 0 for the initiator's, which the request is. */
  totpStep: number
  mac: Uint8Array
  createdAt: Millis
}

/**
 * The states of a withdrawal and the moves between them (section 3.1, engineering, 5 and 6); every
 * move is a guarded update of this table's making.
 */
export const MOVES = {
  approve: { from: ['PendingApproval'], to: 'PendingApproval' },
  release: { from: ['PendingApproval'], to: 'Pending' },
  recall: { from: ['Pending'], to: 'PendingApproval' },
  process: { from: ['Pending'], to: 'Processing' },
  complete: { from: ['Processing'], to: 'Completed' },
  fail: { from: ['Pending', 'Processing'], to: 'Failed' },
  cancel: { from: ['Pending', 'PendingApproval'], to: 'Cancelled' },
  reject: { from: ['PendingApproval'], to: 'Cancelled' },
} as const satisfies Record<string, Move>

export interface Move {
  from: readonly WithdrawalStatus[]
  to: WithdrawalStatus
}

/** Whether it can no longer be stopped: it is signed, or it is over. */
export function isProcessed({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'Processing' || status === 'Completed' || status === 'Failed'
}
