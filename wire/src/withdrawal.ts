import { type Static, Type } from 'typebox'
import { TokenSummary } from './catalogue.ts'
import type { EventDefinition } from './define.ts'
import { AT, ETHER, ORG_ID, SEPOLIA, USER_ID } from './examples.ts'
import {
  baseUnits,
  count,
  countOrNull,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from './fields.ts'

export const WITHDRAWAL_STATUSES = [
  'PendingApproval',
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

export const WAITING_FOR = [
  'approvals',
  'confirmations',
  'gas',
  'fee',
  'chain',
  'signer',
  'operator',
] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

/** Section 2.2 with the fields of decisions, sections 6, 7 and 13. */
export const Withdrawal = Type.Object({
  id: text('Unique id.'),
  orgId: text('The owning organization.'),
  chainId: text('The chain: a CAIP-2 id.'),
  tokenId: text('The token: a CAIP-19 id.'),
  amount: baseUnits('The amount that the recipient receives.'),
  recipient: text('The address that is paid.'),
  memo: textOrNull('A memo or destination tag.'),
  reference: text('Your own key of the withdrawal, unique in the organization.'),
  internalNote: textOrNull('Your own note; it is never sent to a chain.'),
  status: Type.Enum([...WITHDRAWAL_STATUSES], { description: 'The status.' }),
  txnHash: textOrNull(
    'The transaction on the chain: the current one, and finally the one that was confirmed; null ' +
      'before it is signed.',
  ),
  txnError: textOrNull('Why it failed, or `CANCELLED BY <user id>`.'),
  failureCode: textOrNull('Why it failed, as a code.'),
  initiator: text('The user who created it.'),
  approvers: Type.Array(Type.String(), {
    description: 'The users who approved it, the initiator first.',
  }),
  requiredApprovals: count(
    'How many approvals it needs; `requiredHumans` of them must come from people.',
  ),
  requiredHumans: count('How many people must approve it; an API key does not count.'),
  externalUserId: textOrNull('Your own id of the end user.'),
  fee: Type.Union([Type.String({ pattern: '^[0-9]+$' }), Type.Null()], {
    description: 'The network fee in base units of the native currency; null until known.',
  }),
  waitingFor: Type.Union([Type.Enum([...WAITING_FOR]), Type.Null()], {
    description:
      'Why it is not paid yet. `approvals` of people; `confirmations` of its transaction, of ' +
      'an earlier one of the same sender, or of the deposit or sweep that brings its funds; ' +
      '`gas`: the gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: ' +
      'the chain is stopped, or its nodes do not answer; `operator`: the operator must act. Null ' +
      'if nothing blocks it, or if it has ended.',
  }),
  waitingSince: timestampOrNull('When that wait began; null if `waitingFor` is null.'),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
})
export type Withdrawal = Static<typeof Withdrawal>

/** An approval in the single read of a withdrawal. */
export const WithdrawalApproval = Type.Object({
  userId: text('The user who approved it.'),
  name: text('The name of that user.'),
  createdAt: timestamp('When it was approved; that of the initiator is the creation.'),
  method: Type.Union([Type.Enum(['totp', 'passkey']), Type.Null()], {
    description:
      'How the person proved it: `totp`, a one-time code, or `passkey`. Null for the initiator, ' +
      'whose approval is the request.',
  }),
  voidedAt: timestampOrNull('When the approval became void; null while it counts.'),
  voidCause: textOrNull('Why the approval became void; null while it counts.'),
})
export type WithdrawalApproval = Static<typeof WithdrawalApproval>

/** The end of a withdrawal by a user. */
export const WithdrawalCancellation = Type.Object({
  kind: Type.Enum(['cancelled', 'rejected'], {
    description: 'Whether it was cancelled, or rejected by an approver.',
  }),
  userId: text('The user who did it.'),
  name: text('The name of that user.'),
  at: timestamp('When it happened.'),
  reason: textOrNull('The reason of a rejection, or empty; null if cancelled.'),
})
export type WithdrawalCancellation = Static<typeof WithdrawalCancellation>

/** A person whose approval a withdrawal still needs or accepts. */
export const EligibleApprover = Type.Object({
  userId: text('The user.'),
  name: text('The name of that user.'),
})
export type EligibleApprover = Static<typeof EligibleApprover>

export const TRANSACTION_STATES = [
  'Signed',
  'Sent',
  'Included',
  'Confirmed',
  'Failed',
  'Replaced',
  'Displaced',
] as const

/** A transaction that was signed for a withdrawal. At most one of them is ever included. */
export const WithdrawalTransaction = Type.Object({
  txnHash: text('The transaction on the chain.'),
  state: Type.Enum([...TRANSACTION_STATES], {
    description:
      '`Signed`: not broadcast yet. `Sent`: broadcast. `Included`: in a block. `Confirmed`: with ' +
      'as many confirmations as a deposit needs. `Failed`: in a block, where the payment failed. ' +
      '`Replaced`: a later one with a higher fee took its place; it can still be included until ' +
      'another one is confirmed. `Displaced`: it can never be included.',
  }),
  fee: Type.Union([Type.String({ pattern: '^[0-9]+$' }), Type.Null()], {
    description:
      'The network fee of the whole transaction in base units of the native currency; null until ' +
      'it is included.',
  }),
  maxFee: baseUnits('The most that it can cost, of the native currency.'),
  blockNumber: countOrNull('The height of its block; null until it is included.'),
  signedAt: timestamp('When it was signed.'),
  broadcastAt: timestampOrNull('When it was last broadcast; null before.'),
})
export type WithdrawalTransaction = Static<typeof WithdrawalTransaction>

export const SPEED_UP_REASONS = [
  'unsigned',
  'included',
  'ended',
  'expires',
  'earlier',
  'child',
  'feeCap',
] as const
export type SpeedUpReason = (typeof SPEED_UP_REASONS)[number]

/** Whether the transaction of a withdrawal can be replaced by one with a higher fee. */
export const SpeedUp = Type.Object({
  possible: Type.Boolean({
    description: 'Whether `POST /withdrawals/:id/speed-up` is accepted now.',
  }),
  reason: Type.Union([Type.Enum([...SPEED_UP_REASONS]), Type.Null()], {
    description:
      'Why it is not possible; null if it is. `unsigned`: no transaction is signed yet; ' +
      '`included`: a block includes the transaction; `ended`: the withdrawal was cancelled or ' +
      'has failed; `expires`: transactions of this chain (TRON, XRP Ledger) expire after minutes ' +
      'and are then signed again; `earlier`: an earlier transaction of the same sender is not ' +
      'included yet; `child`: a later transaction already pays for this one; `feeCap`: the fee ' +
      'cap allows no higher fee.',
  }),
  requestedAt: timestampOrNull(
    'When the replacement of the current transaction was requested; null without a request, and ' +
      'after the replacement.',
  ),
})
export type SpeedUp = Static<typeof SpeedUp>

/** The single read (section 2.2): `externalUserId` is never null, to keep its type. */
export const SingleWithdrawal = Type.Object({
  ...Withdrawal.properties,
  externalUserId: text('Your own id of the end user; empty without an end user.'),
  Token: TokenSummary,
  initiatorName: text('The name of the person or API key that created it.'),
  eligibleApprovers: Type.Array(EligibleApprover, {
    description:
      'The people whose approval would count now; empty unless its status is `PendingApproval`.',
  }),
  transactions: Type.Array(WithdrawalTransaction, {
    description: 'Every transaction that was signed for it, replacements included, in order.',
  }),
  approvals: Type.Array(WithdrawalApproval, {
    description: 'Every approval with its user, void ones included, the earliest first.',
  }),
  cancellation: Type.Union([WithdrawalCancellation, Type.Null()], {
    description: 'The user who cancelled or rejected it; null unless its status is `Cancelled`.',
  }),
  speedUp: SpeedUp,
})
export type SingleWithdrawal = Static<typeof SingleWithdrawal>

export const CancelledWithdrawal = Type.Pick(Withdrawal, ['id', 'status', 'txnError', 'updatedAt'])
export type CancelledWithdrawal = Static<typeof CancelledWithdrawal>

export const EXAMPLE_WITHDRAWAL = {
  id: '019ab4f0-7c1e-7d3a-9d0e-3f5a1c2b4d6e',
  orgId: ORG_ID,
  chainId: SEPOLIA,
  tokenId: ETHER.id,
  amount: '10000000000000000',
  recipient: '0x52908400098527886E0F7030069857D2E4169EE7',
  memo: null,
  reference: 'payout-2026-0042',
  internalNote: 'Requested by phone.',
  status: 'Pending',
  txnHash: null,
  txnError: null,
  failureCode: null,
  initiator: USER_ID,
  approvers: [USER_ID],
  requiredApprovals: 1,
  requiredHumans: 0,
  waitingFor: null,
  waitingSince: null,
  externalUserId: 'customer-42',
  fee: null,
  createdAt: AT,
  updatedAt: AT,
} satisfies Withdrawal

/** The fields of every `withdrawal.*` event (decisions, section 10). */
export const WithdrawalEvent = Type.Object({
  id: Withdrawal.properties.id,
  chainId: Withdrawal.properties.chainId,
  tokenId: Withdrawal.properties.tokenId,
  amount: Withdrawal.properties.amount,
  toAddress: Withdrawal.properties.recipient,
  memo: Withdrawal.properties.memo,
  reference: Withdrawal.properties.reference,
  status: Withdrawal.properties.status,
  txnHash: Withdrawal.properties.txnHash,
  txnError: Withdrawal.properties.txnError,
  externalUserId: Withdrawal.properties.externalUserId,
  initiator: Withdrawal.properties.initiator,
  approvedBy: Type.Array(Type.String(), { description: 'The users whose approval counts.' }),
  requiredApprovals: Withdrawal.properties.requiredApprovals,
  createdAt: Withdrawal.properties.createdAt,
  updatedAt: Withdrawal.properties.updatedAt,
  completedAt: timestampOrNull('When it was confirmed; null until then.'),
  Token: TokenSummary,
})
export type WithdrawalEvent = Static<typeof WithdrawalEvent>

const COMPLETED: WithdrawalEvent = {
  id: EXAMPLE_WITHDRAWAL.id,
  chainId: SEPOLIA,
  tokenId: ETHER.id,
  amount: EXAMPLE_WITHDRAWAL.amount,
  toAddress: EXAMPLE_WITHDRAWAL.recipient,
  memo: null,
  reference: EXAMPLE_WITHDRAWAL.reference,
  status: 'Completed',
  txnHash: '0x9b1f4d8f2f8a4f6f3d6f1e0c7a5b3d2c1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b',
  txnError: null,
  externalUserId: EXAMPLE_WITHDRAWAL.externalUserId,
  initiator: USER_ID,
  approvedBy: [USER_ID],
  requiredApprovals: 1,
  createdAt: AT,
  updatedAt: AT,
  completedAt: AT,
  Token: ETHER,
}
const PENDING: WithdrawalEvent = {
  ...COMPLETED,
  status: 'Pending',
  txnHash: null,
  completedAt: null,
}

export const WITHDRAWAL_EVENTS = {
  'withdrawal.created': {
    description: 'A withdrawal was created and its amount is reserved. Sent once per withdrawal.',
    payload: WithdrawalEvent,
    example: PENDING,
  },
  'withdrawal.approved': {
    description:
      'A withdrawal has all approvals that it needs and will be processed. Sent again if ' +
      'approvals expired and were given again.',
    payload: WithdrawalEvent,
    example: PENDING,
  },
  'withdrawal.processing': {
    description: 'The transaction of a withdrawal is signed and will be broadcast.',
    payload: WithdrawalEvent,
    example: { ...COMPLETED, status: 'Processing', completedAt: null },
  },
  'withdrawal.completed': {
    description:
      'The transaction of a withdrawal succeeded and has as many confirmations as a deposit needs.',
    payload: WithdrawalEvent,
    example: COMPLETED,
  },
  'withdrawal.failed': {
    description:
      'A withdrawal can no longer be paid, and its amount is available again; `txnError` says why.',
    payload: WithdrawalEvent,
    example: {
      ...COMPLETED,
      status: 'Failed',
      txnError: 'The recipient refuses the payment.',
      completedAt: null,
    },
  },
  'withdrawal.cancelled': {
    description: 'A withdrawal was cancelled or rejected; its amount is available again.',
    payload: WithdrawalEvent,
    example: { ...PENDING, status: 'Cancelled', txnError: `CANCELLED BY ${USER_ID}` },
  },
} as const satisfies Record<string, EventDefinition>
