/** Describes an invalid value, in words after its path; empty if valid. */
export type Shape = (value: unknown, path: string) => string[]

const that =
  (holds: (value: unknown) => boolean, what: string): Shape =>
  (value, path) =>
    holds(value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${what}`]

const matching = (pattern: RegExp, what: string): Shape =>
  that((value) => typeof value === 'string' && pattern.test(value), what)

export const text = that((value) => typeof value === 'string', 'text')
export const filled = matching(/./u, 'text that says something')
export const flag = that((value) => typeof value === 'boolean', 'true or false')
export const count = that((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a count')
export const nothing = that((value) => value === null, 'null')
export const anything: Shape = () => []
/** Section 2: ISO 8601, UTC, milliseconds. */
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a timestamp')
/** Section 1: an integer count of base units, as text. */
export const units = matching(/^(0|[1-9]\d*)$/, 'base units')
export const signedUnits = matching(/^(0|-?[1-9]\d*)$/, 'base units with a sign')
const chainId = matching(/^(eip155|bip122|tron|xrpl):[\w.-]+$/, 'a CAIP-2 id')
const tokenId = matching(
  /^(eip155|bip122|tron|xrpl):[\w.-]+\/(erc20|trc20|slip44|token):\S+$/,
  'CAIP-19',
)

export const one = (...values: readonly unknown[]): Shape =>
  that((value) => values.includes(value), values.join(' or '))

export const orNull =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path)

export const list =
  (shape: Shape): Shape =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, at) => shape(item, `${path}[${at}]`))
      : [`${path} is no list`]

/** An object with exactly these keys; `maybe` may be there too. */
export const object =
  (keys: Readonly<Record<string, Shape>>, maybe: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [`${path} is no object`]
    const all = { ...keys, ...maybe }
    const missing = Object.keys(keys).filter((key) => !(key in value))
    const found = Object.entries(value)
    return [
      ...missing.map((key) => `${path}.${key} is missing`),
      ...found.flatMap(([key, item]) =>
        Object.hasOwn(all, key)
          ? (all[key] ?? anything)(item, `${path}.${key}`)
          : [`${path}.${key} is in no document`],
      ),
    ]
  }

/** Sections 2.3 and 2.2: fields of a token in other records. */
export const TokenSummary = object({
  id: tokenId,
  name: filled,
  symbol: filled,
  decimals: count,
  address: text,
})

export const WITHDRAWAL_STATUSES = [
  'PendingApproval',
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
] as const

const withdrawal = {
  id: filled,
  orgId: filled,
  chainId,
  tokenId,
  amount: units,
  recipient: filled,
  memo: orNull(text),
  reference: filled,
  internalNote: orNull(text),
  status: one(...WITHDRAWAL_STATUSES),
  txnHash: orNull(filled),
  txnError: orNull(filled),
  initiator: filled,
  approvers: list(filled),
  createdAt: timestamp,
  updatedAt: timestamp,
  // Decisions, sections 6 and 7.
  requiredApprovals: count,
  requiredHumans: count,
  externalUserId: orNull(filled),
  fee: orNull(units),
  failureCode: orNull(filled),
  waitingFor: orNull(one('approvals', 'confirmations', 'gas', 'fee', 'chain', 'operator')),
  waitingSince: orNull(timestamp),
}

/** Section 2.2. */
export const Withdrawal = object(withdrawal)
/** The single read of section 2.2; no end user is an empty text (decisions, 6). */
export const SingleWithdrawal = object({
  ...withdrawal,
  externalUserId: text,
  Token: TokenSummary,
  initiatorName: filled,
  eligibleApprovers: list(object({ userId: filled, name: filled })),
  transactions: list(
    object({
      txnHash: filled,
      state: one('Signed', 'Sent', 'Included', 'Confirmed', 'Failed', 'Replaced', 'Displaced'),
      fee: orNull(units),
      maxFee: units,
      blockNumber: orNull(count),
      signedAt: timestamp,
      broadcastAt: orNull(timestamp),
    }),
  ),
  approvals: list(
    object({
      userId: filled,
      name: filled,
      createdAt: timestamp,
      method: orNull(one('totp', 'passkey')),
      voidedAt: orNull(timestamp),
      voidCause: orNull(text),
    }),
  ),
  cancellation: orNull(
    object({
      kind: one('cancelled', 'rejected'),
      userId: filled,
      name: filled,
      at: timestamp,
      reason: orNull(text),
    }),
  ),
  speedUp: object({ possible: flag, reason: orNull(filled), requestedAt: orNull(timestamp) }),
})
/** Section 4.3. */
export const CancelledWithdrawal = object({
  id: filled,
  status: one('Cancelled'),
  txnError: filled,
  updatedAt: timestamp,
})

/** Section 2.3 and decisions, section 2. */
export const Deposit = object({
  chainId,
  txnHash: filled,
  tokenId,
  amount: units,
  accountChainId: chainId,
  externalUserId: filled,
  senderAddress: text,
  Token: TokenSummary,
  createdAt: timestamp,
  updatedAt: timestamp,
  id: filled,
  index: count,
  status: one('Detected', 'Confirmed', 'BelowMinimum', 'Held', 'Orphaned'),
  confirmations: count,
  requiredConfirmations: count,
  blockNumber: count,
  blockHash: filled,
  confirmedAt: orNull(timestamp),
})

/** Section 2.4. */
export const Account = object({
  orgId: filled,
  chainId,
  externalUserId: filled,
  orgDepositAccountId: filled,
  properties: object({ address: filled }, { destinationTag: text, xAddress: text }),
  createdAt: timestamp,
  updatedAt: timestamp,
})

/** Section 2.5; `properties` may have more (section 2.11). */
export const Chain = object({
  id: chainId,
  name: filled,
  namespace: one('eip155', 'bip122', 'tron', 'xrpl'),
  reference: filled,
  enabled: flag,
  enabledByOperator: flag,
  enabledByOrganization: flag,
  isTestnet: flag,
  properties: (value, path) => [
    ...filled(Object(value).nativeCurrency, `${path}.nativeCurrency`),
    ...count(Object(value).decimals, `${path}.decimals`),
    ...flag(Object(value).carriesMemo, `${path}.carriesMemo`),
  ],
})

/** Section 2.6. */
export const Token = object({
  id: tokenId,
  chainId,
  name: filled,
  symbol: filled,
  decimals: count,
  address: text,
  enabled: flag,
  enabledByOperator: flag,
  enabledByOrganization: flag,
  minimumAmount: units,
  // Decisions, section 7.
  properties: (value, path) =>
    orNull(units)(Object(value).maximumWithdrawalAmount, `${path}.maximumWithdrawalAmount`),
})

/** Section 2.7. */
export const Organization = object({
  id: filled,
  name: filled,
  webhookUrl: text,
  webhookSigningSecret: filled,
  minWithdrawalSigners: count,
  minHumanApprovals: count,
  permissions: list(filled),
  createdAt: timestamp,
  updatedAt: timestamp,
})

/** Section 2.8, with live and spendable amounts. */
export const GasWallet = object(
  {
    chainId,
    address: filled,
    balance: units,
    Chain: object({
      name: filled,
      properties: object({ nativeCurrency: filled, decimals: count }),
    }),
  },
  { live: flag, spendable: units },
)

/** Section 2.9; the role is added. */
export const Profile = object(
  { id: filled, username: filled, org: object({ id: filled, name: filled }) },
  { role: one('viewer', 'operator', 'approver', 'admin'), permissions: list(filled) },
)

/** Decisions, section 8. */
export const PortfolioEntry = object({
  id: filled,
  orgId: filled,
  chainId,
  tokenId,
  accountId: text,
  balance: units,
  lastUpdated: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
  accountType: one('settlement', 'gas', 'deposits'),
  available: signedUnits,
  reserved: units,
  heldForFees: units,
  unconfirmed: units,
  belowMinimum: units,
  held: units,
  unattributed: units,
  gas: units,
  unswept: units,
  Token: TokenSummary,
  asOf: object({ height: count, hash: filled, time: timestamp }),
})
