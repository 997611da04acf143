import { type Static, Type } from 'typebox'

/** ISO 8601, UTC, milliseconds. */
const Timestamp = Type.String({ format: 'date-time' })
/** A whole number of base units, as text. */
const BaseUnits = Type.String({ pattern: '^-?[0-9]+$' })

/** Section 2.3: the part of a token that stands inside other records. */
export const TokenSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Number(),
  address: Type.String(),
})
export type TokenSummary = Static<typeof TokenSummary>

export const DEPOSIT_STATUSES = [
  'Detected',
  'Confirmed',
  'BelowMinimum',
  'Held',
  'Orphaned',
] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

/** Section 2.3 with the fields of decisions, section 2. */
export const Deposit = Type.Object({
  id: Type.String(),
  index: Type.Number(),
  chainId: Type.String(),
  txnHash: Type.String(),
  tokenId: Type.String(),
  amount: BaseUnits,
  accountChainId: Type.String(),
  externalUserId: Type.String(),
  senderAddress: Type.String(),
  status: Type.Enum([...DEPOSIT_STATUSES]),
  confirmations: Type.Number(),
  requiredConfirmations: Type.Number(),
  blockNumber: Type.Number(),
  blockHash: Type.String(),
  confirmedAt: Type.Union([Timestamp, Type.Null()]),
  Token: TokenSummary,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Deposit = Static<typeof Deposit>

/** Section 2.4. */
export const Account = Type.Object({
  orgId: Type.String(),
  chainId: Type.String(),
  externalUserId: Type.String(),
  orgDepositAccountId: Type.String(),
  properties: Type.Object({
    address: Type.String(),
    destinationTag: Type.Optional(Type.String()),
    xAddress: Type.Optional(Type.String()),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Account = Static<typeof Account>

/** Section 2.5. */
export const Chain = Type.Object({
  id: Type.String(),
  name: Type.String(),
  namespace: Type.String(),
  reference: Type.String(),
  enabled: Type.Boolean(),
  isTestnet: Type.Boolean(),
  properties: Type.Object(
    { nativeCurrency: Type.String(), decimals: Type.Number() },
    { additionalProperties: true },
  ),
})
export type Chain = Static<typeof Chain>

/** Section 2.6. `address` is "" for a native currency. */
export const Token = Type.Object({
  id: Type.String(),
  chainId: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Number(),
  address: Type.String(),
  enabled: Type.Boolean(),
  minimumAmount: BaseUnits,
  properties: Type.Record(Type.String(), Type.Unknown()),
})
export type Token = Static<typeof Token>

/** Section 2.8. */
export const GasWallet = Type.Object({
  chainId: Type.String(),
  address: Type.String(),
  balance: BaseUnits,
  /** False while no node of the chain answers: then the balance is that of our last block. */
  live: Type.Boolean(),
  /** What of it may be spent on gas: transactions under way are taken off at their dearest. */
  spendable: BaseUnits,
  Chain: Type.Object({
    name: Type.String(),
    properties: Type.Object({ nativeCurrency: Type.String(), decimals: Type.Number() }),
  }),
})
export type GasWallet = Static<typeof GasWallet>

export const PORTFOLIO_TYPES = ['settlement', 'gas', 'deposits'] as const
export type PortfolioType = (typeof PORTFOLIO_TYPES)[number]

/**
 * What an account holds of a token (decisions, section 8). What is available, reserved and
 * unconfirmed is the organization's of the token on the chain, and stands with the settlement
 * account, as does `unswept`: what its deposit addresses hold.
 */
export const PortfolioEntry = Type.Object({
  id: Type.String(),
  orgId: Type.String(),
  chainId: Type.String(),
  tokenId: Type.String(),
  /** The address; "" for the deposit addresses of a chain, which are summed. */
  accountId: Type.String(),
  accountType: Type.Enum([...PORTFOLIO_TYPES]),
  balance: BaseUnits,
  available: BaseUnits,
  reserved: BaseUnits,
  unconfirmed: BaseUnits,
  unswept: BaseUnits,
  Token: TokenSummary,
  lastUpdated: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type PortfolioEntry = Static<typeof PortfolioEntry>

/** Section 2.7. `webhookUrl` is "" while none is set. */
export const Organization = Type.Object({
  id: Type.String(),
  name: Type.String(),
  webhookUrl: Type.String(),
  webhookSigningSecret: Type.String(),
  minWithdrawalSigners: Type.Number(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Organization = Static<typeof Organization>

/** Section 2.9, with the role that says what the person may do (decisions, section 5). */
export const Profile = Type.Object({
  id: Type.String(),
  username: Type.String(),
  role: Type.String(),
  org: Type.Object({ id: Type.String(), name: Type.String() }),
})
export type Profile = Static<typeof Profile>

export const WITHDRAWAL_STATUSES = [
  'PendingApproval',
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** Section 2.2 with the fields of decisions, sections 6 and 7. */
export const Withdrawal = Type.Object({
  id: Type.String(),
  orgId: Type.String(),
  chainId: Type.String(),
  tokenId: Type.String(),
  amount: BaseUnits,
  recipient: Type.String(),
  memo: TextOrNull,
  reference: Type.String(),
  internalNote: TextOrNull,
  status: Type.Enum([...WITHDRAWAL_STATUSES]),
  txnHash: TextOrNull,
  txnError: TextOrNull,
  failureCode: TextOrNull,
  initiator: Type.String(),
  approvers: Type.Array(Type.String()),
  requiredApprovals: Type.Number(),
  externalUserId: TextOrNull,
  /** Base units of the native currency; null until it is known. */
  fee: Type.Union([BaseUnits, Type.Null()]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Withdrawal = Static<typeof Withdrawal>

/** The single read (section 2.2): `externalUserId` is "" for none, to keep its type. */
export const SingleWithdrawal = Type.Object({
  ...Withdrawal.properties,
  externalUserId: Type.String(),
  Token: TokenSummary,
})
export type SingleWithdrawal = Static<typeof SingleWithdrawal>

/** What the cancellation answers with (section 4.3). */
export const CancelledWithdrawal = Type.Pick(Withdrawal, ['id', 'status', 'txnError', 'updatedAt'])
export type CancelledWithdrawal = Static<typeof CancelledWithdrawal>

/** A withdrawal among several that could not be approved, and why. */
export const RefusedApproval = Type.Object({
  id: Type.String(),
  error: Type.String(),
  message: Type.String(),
})
export type RefusedApproval = Static<typeof RefusedApproval>
