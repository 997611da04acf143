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
  'settings.changed',
  'webhook.test',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** What each type tells, and when it is sent (section 6.2), in whole sentences. */
export const EVENT_DESCRIPTIONS: Readonly<Record<EventType, string>> = {
  'deposit.detected':
    'A deposit was seen in a block. It is not credited yet: wait for `deposit.confirmed`.',
  'deposit.confirmed':
    'A deposit has its confirmations and is credited. Deduplicate by the `id` of the payload.',
  'deposit.reverted':
    'A deposit that was announced left the chain. `previousStatus` says whether it had been ' +
    'credited: then the credit was taken back.',
  'deposit.held':
    'A deposit is not credited until an operator of the service lets it go, or the audit where ' +
    'only a witness was missing; `reason` says why. `deposit.confirmed` follows then.',
  'withdrawal.created':
    'A withdrawal was created and its amount is reserved. It comes once for each withdrawal.',
  'withdrawal.approved':
    'A withdrawal has all the approvals it needs and will be processed. It comes again where ' +
    'approvals became void in the meantime and were given anew.',
  'withdrawal.processing': 'The transaction of a withdrawal is signed and goes to the chain.',
  'withdrawal.completed':
    'The transaction of a withdrawal succeeded and is confirmed as deep as a deposit must be.',
  'withdrawal.failed':
    'A withdrawal can never be paid any more, and its amount is available again; `txnError` says ' +
    'why.',
  'withdrawal.cancelled': 'A withdrawal was cancelled or rejected; its amount is available again.',
  'account.created': 'A deposit account was made for an end user on a chain.',
  'balance.updated':
    'What the organization can use of a token, or what one of its own addresses holds, has ' +
    'changed; `reason` and `referenceId` say by what.',
  'gas.low': 'A gas wallet pays for few more sweeps: send native currency to its address.',
  'chain.frozen':
    'A chain credits and signs nothing until an operator of the service has looked at it.',
  'settings.changed':
    'The webhook URL, the signing secret or the number of signers was changed. After a change of ' +
    'the URL it goes to the URL before, so that whoever listened there learns of it. If nobody ' +
    'of yours did this, and no operator of the service, rotate the API key.',
  'webhook.test':
    'Somebody of the organization asked for a test. It tells of nothing, and is sent once.',
}

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

/** What of the settings was changed. */
export const CHANGED_SETTINGS = ['webhookUrl', 'signingSecret', 'minWithdrawalSigners'] as const
export type ChangedSetting = (typeof CHANGED_SETTINGS)[number]

/** A setting that decides who is told or who must consent was changed. */
export interface SettingsChangedEvent {
  setting: ChangedSetting
  /**
   * Before and after: of a URL the origin alone, since its path may be a secret; of the signing
   * secret "", both times; of the number of signers its decimal digits.
   */
  previous: string
  current: string
  /** Id of the user, an API key acts as the user it belongs to; "" for an operator. */
  changedBy: string
  /** An operator of the service comes by its command line. */
  credential: 'apiKey' | 'bearer' | 'commandLine'
  at: string
}

/** A test of the way to the receiver. */
export interface WebhookTestEvent {
  test: true
  message: string
  /** Id of the user who asked. */
  requestedBy: string
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
  'settings.changed': SettingsChangedEvent
  'webhook.test': WebhookTestEvent
}
