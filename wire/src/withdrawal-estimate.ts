import { type Static, Type } from 'typebox'
import { ETHER, SEPOLIA } from './examples.ts'
import { baseUnits, count, text, textOrNull } from './fields.ts'
import { EXAMPLE_WITHDRAWAL } from './withdrawal.ts'

/** The meaning of each warning of an estimate, by code. */
export const ESTIMATE_WARNINGS = {
  FIRST_PAYMENT:
    'No earlier withdrawal of the organization paid this recipient on this chain (with this ' +
    'destination tag, on chains that have tags).',
  LOOKALIKE_ADDRESS:
    'The recipient begins and ends like another address that the organization knows, and differs ' +
    'between: `details.addresses` lists up to five, each with `address` and `known` ' +
    '(`recipient`, `deposit`, `settlement` or `gas`). Attackers create such addresses.',
  OWN_ADDRESS: 'The recipient is a deposit address of the organization itself.',
  CONTRACT_RECIPIENT: 'The recipient is a contract. It may keep or refuse what it receives.',
  CONTRACT_UNKNOWN: 'No node answered whether the recipient is a contract.',
  TAG_MISSING:
    'The request has no destination tag, and earlier withdrawals to this recipient had one.',
  TAG_UNKNOWN: 'No node answered whether the recipient requires a destination tag.',
  DUPLICATE_PAYMENT:
    'The same amount of the same token was requested for this recipient within 24 hours; ' +
    '`details.withdrawalId` names that withdrawal.',
  LARGE_SHARE: 'The amount is more than half of the available balance.',
} as const
export type EstimateWarningCode = keyof typeof ESTIMATE_WARNINGS

const CODES = Object.keys(ESTIMATE_WARNINGS).filter((code): code is EstimateWarningCode =>
  Object.hasOwn(ESTIMATE_WARNINGS, code),
)

export const EstimateWarning = Type.Object({
  code: Type.Enum(CODES, {
    description: Object.entries(ESTIMATE_WARNINGS)
      .map(([code, says]) => `\`${code}\`: ${says}`)
      .join(' '),
  }),
  message: text('The point that a person should check.'),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The facts of the warning; its fields depend on the code.',
  }),
})
export type EstimateWarning = Static<typeof EstimateWarning>

const amountOrNull = (description: string) =>
  Type.Union([Type.String({ pattern: '^[0-9]+$' }), Type.Null()], { description })

/** The network fee of a payment that is not signed yet. */
export const EstimatedFee = Type.Object(
  {
    tokenId: text('The native currency of the chain, which pays the fee: a CAIP-19 id.'),
    expected: amountOrNull(
      'The fee of a plain transfer at the current price, with headroom, in base units of the ' +
        'native currency; null if no node answers.',
    ),
    maximum: baseUnits(
      'The fee cap: the most that the service pays for this withdrawal, replacements included.',
    ),
    unknownReason: textOrNull('Why `expected` is null; otherwise null.'),
  },
  { description: 'The network fee.' },
)
export type EstimatedFee = Static<typeof EstimatedFee>

/** The available balance without and with a payment. */
export const EstimatedBalance = Type.Object(
  {
    before: baseUnits('Available without the withdrawal.'),
    after: baseUnits('Available with the withdrawal: without the amount and `held`.'),
    held: baseUnits('Held for the fee in addition to the amount; zero if a gas wallet pays it.'),
  },
  { description: 'The balance of the token that withdrawals may use.' },
)
export type EstimatedBalance = Static<typeof EstimatedBalance>

const Warnings = Type.Array(EstimateWarning, {
  description: 'Points that a person should check; may be empty.',
})

/** The fee and the approvals of a withdrawal if it were created now. */
export const WithdrawalEstimate = Type.Object({
  chainId: text('The chain: a CAIP-2 id.'),
  tokenId: text('The token: a CAIP-19 id.'),
  amount: baseUnits('The amount that the recipient would receive.'),
  recipient: text('The address that would be paid.'),
  memo: textOrNull('The memo or destination tag, also if it is part of the recipient.'),
  fee: EstimatedFee,
  available: EstimatedBalance,
  needsApprovals: Type.Boolean({
    description: 'Whether it would wait for approvals of others before it is paid.',
  }),
  requiredApprovals: count('How many approvals it would need, that of the caller included.'),
  requiredHumans: count('How many people must approve it; an API key does not count.'),
  missingApprovals: count('How many more approvals it would need after the creation.'),
  warnings: Warnings,
})
export type WithdrawalEstimate = Static<typeof WithdrawalEstimate>

/** The same of a withdrawal that exists, for those who approve it. */
export const WithdrawalReview = Type.Object({
  fee: Type.Union([EstimatedFee, Type.Null()], {
    description: 'The network fee; null unless its status is `PendingApproval` or `Pending`.',
  }),
  available: Type.Union([EstimatedBalance, Type.Null()], {
    description:
      'The balance of the token that withdrawals may use; null unless its status is ' +
      '`PendingApproval` or `Pending`.',
  }),
  warnings: Warnings,
})
export type WithdrawalReview = Static<typeof WithdrawalReview>

export const EXAMPLE_ESTIMATE = {
  chainId: SEPOLIA,
  tokenId: ETHER.id,
  amount: EXAMPLE_WITHDRAWAL.amount,
  recipient: EXAMPLE_WITHDRAWAL.recipient,
  memo: null,
  fee: {
    tokenId: ETHER.id,
    expected: '42000000000000',
    maximum: '1000000000000000',
    unknownReason: null,
  },
  available: { before: '50000000000000000', after: '40000000000000000', held: '0' },
  needsApprovals: true,
  requiredApprovals: 2,
  requiredHumans: 1,
  missingApprovals: 1,
  warnings: [
    {
      code: 'FIRST_PAYMENT',
      message:
        'The organization has not paid this recipient on this chain before. Compare the whole ' +
        'address with its source.',
      details: {},
    },
  ],
} satisfies WithdrawalEstimate

export const EXAMPLE_REVIEW = {
  fee: EXAMPLE_ESTIMATE.fee,
  available: EXAMPLE_ESTIMATE.available,
  warnings: EXAMPLE_ESTIMATE.warnings,
} satisfies WithdrawalReview
