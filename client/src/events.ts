import type { Account, Deposit, TokenSummary, Withdrawal } from './generated.ts'

/** The envelope that every event comes in. */
export interface EventEnvelope<Type extends EventType = EventType> {
  /** The same however often it is delivered: remember it, and do nothing the second time. */
  id: string
  type: Type
  timestamp: string
  orgId: string
  /** Counts up by one for each event of the organization, without gaps. */
  sequence: number
  payload: EventPayloads[Type]
}

/** Any event; `type` tells which, and what its payload is. */
export type WebhookEvent = { [Type in EventType]: EventEnvelope<Type> }[EventType]

export type EventType = keyof EventPayloads

/** What the deposit events carry. Deduplicate deposits by `id`. */
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

/** What the withdrawal events carry. */
export type WithdrawalEvent = Pick<
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
> & {
  toAddress: string
  /** Ids of the users whose approval counts. */
  approvedBy: readonly string[]
  completedAt: string | null
  Token: TokenSummary
}

export type AccountEvent = Omit<Account, 'updatedAt'>

/** What the organization can use of a token has changed. */
export interface BalanceEvent {
  chainId: string
  tokenId: string
  /** The blockchain address whose money moved. */
  accountId: string
  balance: string
  previousBalance: string
  delta: string
  reason: 'deposit' | 'withdrawal' | 'sweep' | 'gas' | 'funding' | 'reversal'
  referenceId: string
  Token: TokenSummary
  updatedAt: string
}

/** A gas wallet has become low. */
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

/** A chain credits and signs nothing until an operator resumes it. */
export interface ChainFrozenEvent {
  chainId: string
  state: 'frozen' | 'halted'
  reason: string
  at: string
}

/** A setting that decides who is told or who must consent was changed. */
export interface SettingsChangedEvent {
  setting: 'webhookUrl' | 'signingSecret' | 'minWithdrawalSigners'
  /** Before and after; of a URL its origin alone, of the signing secret nothing. */
  previous: string
  current: string
  /** Id of the user, an API key acts as the user it belongs to; '' for an operator. */
  changedBy: string
  /** An operator of the service comes by its command line. */
  credential: 'apiKey' | 'bearer' | 'commandLine'
  at: string
}

/** A test of the way to the receiver; it tells of nothing. */
export interface WebhookTestEvent {
  test: true
  message: string
  /** Id of the user who asked. */
  requestedBy: string
  at: string
}

/** What each type of event carries. */
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
  'settings.changed': SettingsChangedEvent
  'webhook.test': WebhookTestEvent
}
