import { type Static, Type } from 'typebox'
import { baseUnits, count, text, textOrNull, timestamp } from './fields.ts'

const RECORD = {
  createdAt: timestamp('When it was made.'),
  updatedAt: timestamp('When it was changed last.'),
}

/** Section 4.1. */
export const AccessToken = Type.Object({
  accessToken: text('A JWT: the bearer token of the session.'),
  expiresIn: count('How long it is valid, in seconds.'),
})
export const NewApiKey = Type.Object({
  apiKey: text('The new key. It is shown this once: only a hash of it is kept.'),
})

/** Section 4.2. */
export const NewSigningSecret = Type.Object({
  webhookSigningSecret: text('The new secret; `webhook-signature` has both for 24 hours more.'),
})

/** Section 2.3: the part of a token that stands inside other records. */
export const TokenSummary = Type.Object({
  id: text('The token: a CAIP-19 id.'),
  name: text('As people know it.'),
  symbol: text('Its ticker.'),
  decimals: count('Decimal places: base units of one whole token are 10 to this power.'),
  address: text('The contract; empty for a native currency.'),
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
  id: text('Unique id: deduplicate deposits by it.'),
  index: count('The position inside its transaction.'),
  chainId: text('Where the money arrived: a CAIP-2 id.'),
  txnHash: text('The transaction on the chain.'),
  tokenId: text('The token: a CAIP-19 id.'),
  amount: baseUnits('What arrived.'),
  accountChainId: text('The chain of the account it arrived at.'),
  externalUserId: text('Your own id of the end user.'),
  senderAddress: text('Who sent it.'),
  status: Type.Enum([...DEPOSIT_STATUSES], { description: 'Credited at `Confirmed`.' }),
  confirmations: count('Blocks on top of its own.'),
  requiredConfirmations: count('How many it needs to be credited, where its chain counts them.'),
  blockNumber: count('The height of its block.'),
  blockHash: text('Its block.'),
  confirmedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it was credited; null until then.',
  }),
  Token: TokenSummary,
  createdAt: timestamp('When it was detected.'),
  updatedAt: RECORD.updatedAt,
})
export type Deposit = Static<typeof Deposit>

/** Section 2.4. */
export const Account = Type.Object({
  orgId: text('The owning organization.'),
  chainId: text('The chain: a CAIP-2 id.'),
  externalUserId: text('Your own id of the end user.'),
  orgDepositAccountId: text('The account, unique within the organization.'),
  properties: Type.Object(
    {
      address: text('Where the end user pays to.'),
      destinationTag: Type.Optional(text('The tag that the payment must carry (XRP).')),
      xAddress: Type.Optional(text('Address and tag in one (XRP).')),
    },
    { description: 'Where the end user pays to: `address`, on XRP with `destinationTag`.' },
  ),
  createdAt: RECORD.createdAt,
  updatedAt: RECORD.updatedAt,
})
export type Account = Static<typeof Account>

/** Section 2.5. */
export const Chain = Type.Object({
  id: text('The CAIP-2 id.'),
  name: text('As people know it.'),
  namespace: text('The family: `eip155`, `bip122`, `tron` or `xrpl`.'),
  reference: text('The id after its colon.'),
  enabled: Type.Boolean({ description: 'Whether the organization can use it now.' }),
  isTestnet: Type.Boolean({ description: 'Whether its coins are worth nothing.' }),
  properties: Type.Object(
    {
      nativeCurrency: text('The symbol of its own currency.'),
      decimals: count('Decimal places of that currency.'),
      carriesMemo: Type.Boolean({
        description:
          'Whether the `memo` of a withdrawal goes on-chain: true on TRON (as the data of the ' +
          'transaction) and XRPL (as the destination tag). False on EVM chains and Bitcoin, ' +
          'where ' +
          '`memo` is stored with the withdrawal and never sent.',
      }),
    },
    { additionalProperties: true },
  ),
})
export type Chain = Static<typeof Chain>

/** Section 2.6. `address` is "" for a native currency. */
export const Token = Type.Object({
  id: text('The token: a CAIP-19 id.'),
  chainId: text('The chain: a CAIP-2 id.'),
  name: text('As people know it.'),
  symbol: text('Its ticker.'),
  decimals: count('Decimal places: base units of one whole token are 10 to this power.'),
  address: text('The contract; empty for a native currency.'),
  enabled: Type.Boolean({ description: 'Whether the organization can use it now.' }),
  minimumAmount: baseUnits('The smallest deposit that is credited, and withdrawal that is made.'),
  properties: Type.Record(Type.String(), Type.Unknown(), {
    description: '`maximumWithdrawalAmount`, null for none, and more.',
  }),
})
export type Token = Static<typeof Token>

/** Section 2.8. */
export const GasWallet = Type.Object({
  chainId: text('The chain: a CAIP-2 id.'),
  address: text('Where to send native currency for fees.'),
  balance: baseUnits('What it holds, native currency.'),
  live: Type.Boolean({
    description: 'False while no node of the chain answers: the balance is that of our last block.',
  }),
  spendable: baseUnits('What may be spent on gas: transactions under way are taken off.'),
  Chain: Type.Object({
    name: text('As people know the chain.'),
    properties: Type.Object({
      nativeCurrency: text('The symbol of its own currency.'),
      decimals: count('Decimal places of that currency.'),
    }),
  }),
})
export type GasWallet = Static<typeof GasWallet>

export const PORTFOLIO_TYPES = ['settlement', 'gas', 'deposits'] as const
export type PortfolioType = (typeof PORTFOLIO_TYPES)[number]

/**
 * What an account holds of a token (decisions, sections 8 and 13). The claims (`available` to
 * `gas`) are the organization's of the token on the chain and are shown with the settlement
 * account, as is `unswept`: what its deposit addresses hold. The claims of a token add up to the
 * `balance` of its accounts.
 */
export const PortfolioEntry = Type.Object({
  id: text('Unique id.'),
  orgId: text('The owning organization.'),
  chainId: text('The chain: a CAIP-2 id.'),
  tokenId: text('The token: a CAIP-19 id.'),
  accountId: text('The address; empty for the deposit addresses of a chain, which are summed.'),
  accountType: Type.Enum([...PORTFOLIO_TYPES], { description: 'What the account is for.' }),
  balance: baseUnits('What lies there.'),
  available: baseUnits('What can be withdrawn.'),
  reserved: baseUnits('What withdrawals under way have taken.'),
  heldForFees: baseUnits(
    'Held for the network fees of withdrawals that have not ended, on Bitcoin and XRPL, where ' +
      'fees are paid from the balance. What is not spent returns to `available`. 0 elsewhere.',
  ),
  unconfirmed: baseUnits('What was detected and is not credited yet.'),
  belowMinimum: baseUnits('Deposits below the minimum, not credited yet.'),
  held: baseUnits('Deposits that are held for an operator.'),
  unattributed: baseUnits('Payments that name no user, until an operator assigns them (XRPL).'),
  gas: baseUnits(
    'Native currency kept for fees (EVM, TRON) or for the reserve of the base account (XRPL).',
  ),
  unswept: baseUnits('What still lies at deposit addresses.'),
  Token: TokenSummary,
  lastUpdated: timestamp('When it moved last.'),
  createdAt: RECORD.createdAt,
  updatedAt: RECORD.updatedAt,
})
export type PortfolioEntry = Static<typeof PortfolioEntry>

/** Section 2.7. `webhookUrl` is "" while none is set. */
export const Organization = Type.Object({
  id: text('Unique id.'),
  name: text('Its name.'),
  webhookUrl: text('Where events are sent; empty while none is set.'),
  webhookSigningSecret: text(
    'Signs deliveries (HMAC SHA-256). Whole for the API key, and for an admin who sends a fresh ' +
      'two-factor code in the header `x-totp-code`; otherwise its last four characters.',
  ),
  minWithdrawalSigners: count('Approvals that a new withdrawal needs; 1: none but its own.'),
  minHumanApprovals: count('How many of these must be of people: an API key does not count.'),
  createdAt: RECORD.createdAt,
  updatedAt: RECORD.updatedAt,
})
export type Organization = Static<typeof Organization>

/** Section 2.9, with the role that says what the person may do (decisions, section 5). */
export const Profile = Type.Object({
  id: text('Unique id.'),
  username: text('The name that the person signs in with.'),
  role: text('`viewer`, `operator`, `approver` or `admin`.'),
  org: Type.Object({ id: text('The organization.'), name: text('Its name.') }),
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

export const WAITING_FOR = [
  'approvals',
  'confirmations',
  'gas',
  'fee',
  'chain',
  'operator',
] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

/** Section 2.2 with the fields of decisions, sections 6, 7 and 13. */
export const Withdrawal = Type.Object({
  id: text('Unique id.'),
  orgId: text('The owning organization.'),
  chainId: text('The chain: a CAIP-2 id.'),
  tokenId: text('The token: a CAIP-19 id.'),
  amount: baseUnits('What the recipient gets.'),
  recipient: text('The address it is paid to.'),
  memo: textOrNull('A memo or destination tag.'),
  reference: text('Your own key of the withdrawal; one for each.'),
  internalNote: textOrNull('A note of your own; it never reaches a chain.'),
  status: Type.Enum([...WITHDRAWAL_STATUSES], { description: 'Where it stands.' }),
  txnHash: textOrNull(
    'The transaction on the chain: the one on its way, in the end the one that was confirmed; ' +
      'null before it is signed.',
  ),
  txnError: textOrNull('Why it failed, or `CANCELLED BY <user id>`.'),
  failureCode: textOrNull('Why it failed, as a code.'),
  initiator: text('The user who asked for it.'),
  approvers: Type.Array(Type.String(), {
    description: 'The users who approved it, the initiator first.',
  }),
  requiredApprovals: count(
    'How many approvals it needs; `requiredHumans` of the record says how many of people.',
  ),
  requiredHumans: count('How many people must have approved it; an API key is none.'),
  externalUserId: textOrNull('Your own id of the end user.'),
  fee: Type.Union([Type.String({ pattern: '^[0-9]+$' }), Type.Null()], {
    description: 'What the chain took, in base units of its native currency; null until known.',
  }),
  waitingFor: Type.Union([Type.Enum([...WAITING_FOR]), Type.Null()], {
    description:
      'What it waits for. `approvals` of people; `confirmations` of its transaction, of ' +
      'an earlier one of the same sender, or of the deposit or sweep that brings its funds; ' +
      '`gas`: the gas wallet holds too little; `fee`: the network fee is above the cap; `chain`: ' +
      'the chain is stopped, or its nodes do not answer; `operator`: the operator must act. Null ' +
      'when nothing keeps it, or when it has ended.',
  }),
  waitingSince: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Since when it waits for that; null if `waitingFor` is null.',
  }),
  createdAt: RECORD.createdAt,
  updatedAt: RECORD.updatedAt,
})
export type Withdrawal = Static<typeof Withdrawal>

/** The single read (section 2.2): `externalUserId` is "" for none, to keep its type. */
export const SingleWithdrawal = Type.Object({
  ...Withdrawal.properties,
  externalUserId: text('Your own id of the end user; empty for none.'),
  Token: TokenSummary,
})
export type SingleWithdrawal = Static<typeof SingleWithdrawal>

/** What the cancellation answers with (section 4.3). */
export const CancelledWithdrawal = Type.Pick(Withdrawal, ['id', 'status', 'txnError', 'updatedAt'])
export type CancelledWithdrawal = Static<typeof CancelledWithdrawal>

/** A withdrawal among several that could not be approved, and why. */
export const RefusedApproval = Type.Object({
  id: text('The withdrawal.'),
  error: text('The error code.'),
  message: text('What happened and what to do.'),
})
export type RefusedApproval = Static<typeof RefusedApproval>

/** Decisions, section 12. */
export const Health = Type.Object({ status: text('`ok`: the process answers.') })
export const Readiness = Type.Object(
  {
    status: text('`ready`, `degraded` (a chain lags) or `unavailable`.'),
    checks: Type.Record(Type.String(), Type.String(), { description: 'What was looked at.' }),
  },
  { additionalProperties: true },
)
