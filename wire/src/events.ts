import type { Account, Deposit, TokenSummary } from './resources.ts'

/** Every type of event (section 6.2 and decisions, section 10). */
export const EVENT_TYPES = [
  'deposit.detected',
  'deposit.confirmed',
  'deposit.reverted',
  'deposit.held',
  'withdrawal.created',
  'withdrawal.approved',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.cancelled',
  'account.created',
  'balance.updated',
  'gas.low',
  'chain.frozen',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Section 6.1, with `id`, `orgId` and `sequence` of decisions, section 10. */
export interface EventEnvelope<Type extends EventType = EventType> {
  id: string
  type: Type
  timestamp: string
  orgId: string
  /** Counts up by one for each event of the organization, without gaps. */
  sequence: number
  payload: EventPayloads[Type]
}

export type DepositEvent = Pick<
  Deposit,
  | 'id'
  | 'index'
  | 'status'
  | 'chainId'
  | 'txnHash'
  | 'tokenId'
  | 'amount'
  | 'externalUserId'
  | 'accountChainId'
  | 'senderAddress'
  | 'blockNumber'
  | 'confirmations'
  | 'Token'
>

export const BALANCE_REASONS = [
  'deposit',
  'withdrawal',
  'sweep',
  'gas',
  'funding',
  'reversal',
] as const
export type BalanceReason = (typeof BALANCE_REASONS)[number]

export interface BalanceEvent {
  chainId: string
  tokenId: string
  /** The blockchain address whose money moved. */
  accountId: string
  /**
   * What the organization can use of this token on this chain, after and before, and the
   * difference, in base units.
   */
  balance: string
  previousBalance: string
  delta: string
  reason: BalanceReason
  referenceId: string
  Token: TokenSummary
  updatedAt: string
}

export type AccountEvent = Omit<Account, 'updatedAt'>

export interface ChainFrozenEvent {
  chainId: string
  state: 'frozen' | 'halted'
  reason: string
  at: string
}

/** What the events of later rooms carry is added here with those rooms. */
export interface EventPayloads {
  'deposit.detected': DepositEvent
  'deposit.confirmed': DepositEvent & { confirmedAt: string }
  'deposit.reverted': DepositEvent & { previousStatus: Deposit['status'] }
  'deposit.held': DepositEvent & { reason: string }
  'withdrawal.created': Record<string, unknown>
  'withdrawal.approved': Record<string, unknown>
  'withdrawal.processing': Record<string, unknown>
  'withdrawal.completed': Record<string, unknown>
  'withdrawal.failed': Record<string, unknown>
  'withdrawal.cancelled': Record<string, unknown>
  'account.created': AccountEvent
  'balance.updated': BalanceEvent
  'gas.low': Record<string, unknown>
  'chain.frozen': ChainFrozenEvent
}
