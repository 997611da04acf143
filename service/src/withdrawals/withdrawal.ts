import type { ChainId, WaitingFor as ShownWait, TokenId, WithdrawalStatus } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'

/**
 * The reason why a withdrawal waits. `gas`: the gas wallet cannot pay its fee; `fee`: the fee is
 * above its cap; `funds`: the settlement account does not hold its amount or may not spend it
 * (unswept deposits, pending gas, a reserve, or small outputs); `confirmations`: its transaction,
 * or an earlier one of the same sender, is not confirmed; `chain`: the chain is frozen or halted,
 * or its nodes do not answer; `signer`: the signer does not answer; `operator`: an operator must
 * act on it, its token or its sender.
 */
export type WaitingFor =
  | 'approvals'
  | 'confirmations'
  | 'gas'
  | 'fee'
  | 'funds'
  | 'chain'
  | 'signer'
  | 'operator'

/** The reason as clients see it: funds arrive with a deposit, sweep or payment once confirmed. */
export function shownWait(waitingFor: WaitingFor | null): ShownWait | null {
  return waitingFor === 'funds' ? 'confirmations' : waitingFor
}

/** The reason to wait that a status begins with; null for none. */
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

/** The requested payment. It never changes, and the MAC covers all fields (engineering, 7). */
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

/** A withdrawal, from the request to its settlement on the chain (section 2.2). */
export interface Withdrawal extends Requested {
  status: WithdrawalStatus
  mac: Uint8Array
  /** Users whose approvals are not void, the earliest first. */
  approvers: readonly string[]
  spendId: string | null
  txnHash: string | null
  txnError: string | null
  failureCode: string | null
  /** Base units of the native currency; null until the transaction is settled. */
  fee: bigint | null
  waitingFor: WaitingFor | null
  waitingSince: Millis | null
  completedAt: Millis | null
  updatedAt: Millis
}

/** A user's approval of a withdrawal. */
export interface Approval {
  orgId: string
  id: string
  withdrawalId: string
  userId: string
  /** Time step of its one-time code; 0 without one. */
  totpStep: number
  /** The passkey that signed it; null without one. */
  passkeyId: string | null
  mac: Uint8Array
  createdAt: Millis
}

/** Whether an approval is the request itself: it has neither a code nor a passkey. */
export function isRequest({ totpStep, passkeyId }: Pick<Approval, 'totpStep' | 'passkeyId'>) {
  return totpStep === 0 && passkeyId === null
}

/**
 * The moves between the statuses of a withdrawal (section 3.1, engineering, 5 and 6); each is a
 * guarded update.
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

/** Whether it can no longer be stopped: it is signed or settled. */
export function isProcessed({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'Processing' || status === 'Completed' || status === 'Failed'
}
