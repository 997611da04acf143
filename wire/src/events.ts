import type { Account, Deposit, TokenSummary, Withdrawal } from './resources.ts'

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

/** What every `withdrawal.*` event carries (decisions, section 10). */
export interface WithdrawalEvent
  extends Pick<
    Withdrawal,
    | 'id'
    | 'chainId'
    | 'tokenId'
    | 'amount'
    | 'memo'
    | 'reference'
    | 'status'
    | 'txnHash'
    | 'txnError'
    | 'externalUserId'
    | 'initiator'
    | 'requiredApprovals'
    | 'createdAt'
    | 'updatedAt'
  > {
  toAddress: string
  /** Ids of the users whose approval counts. */
  approvedBy: readonly string[]
  completedAt: string | null
  Token: TokenSummary
}

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
   * After and before, and the difference, in base units: what the organization can use of this
   * token on this chain. With the reasons `sweep` and `gas`, which change nothing about that, what
   * the account itself holds; where a gas wallet was funded, what can be spent on gas.
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

/** A gas wallet has become low (decisions, section 10). */
export interface GasLowEvent {
  chainId: string
  /** The gas wallet, to be funded. */
  address: string
  /** What may still be spent on gas, in base units of the native currency. */
  balance: string
  /** How many sweeps of a token that pays for at the worst. */
  sweepsLeft: number
  Token: TokenSummary
  at: string
}

/** What the events of later rooms carry is added here with those rooms. */
export interface EventPayloads {
  'deposit.detected': DepositEvent
  'deposit.confirmed': DepositEvent & { confirmedAt: string }
  'deposit.reverted': DepositEvent & { previousStatus: Deposit['status'] }
  'deposit.held': DepositEvent & { reason: string }
  'withdrawal.created': WithdrawalEvent
  'withdrawal.approved': WithdrawalEvent
  'withdrawal.processing': WithdrawalEvent
  'withdrawal.completed': WithdrawalEvent
  'withdrawal.failed': WithdrawalEvent
  'withdrawal.cancelled': WithdrawalEvent
  'account.created': AccountEvent
  'balance.updated': BalanceEvent
  'gas.low': GasLowEvent
  'chain.frozen': ChainFrozenEvent
}
