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
