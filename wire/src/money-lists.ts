import { type Static, Type } from 'typebox'
import { TokenSummary } from './catalogue.ts'
import type { Operation } from './define.ts'
import { AT, ETHER, SEPOLIA, USER_ID as PERSON_ID } from './examples.ts'
import { SYMBOL, amount, columns } from './exports.ts'
import { baseUnits, count, text, textOrNull, timestamp, timestampOrNull } from './fields.ts'
import {
  ASSIGN_REASON,
  ChainFilter,
  LIST,
  NextCursor,
  Page,
  REFERENCE_ID,
  TOTP_CODE,
  TimeFilter,
  TokenFilter,
  UNATTRIBUTED_ID,
  USER_ID,
  oneOf,
} from './parameters.ts'

export const SWEEP_STATES = ['Waiting', 'Sent', 'Done', 'Failed'] as const

/** What a sweep waits for before it is signed, by code. */
export const SWEEP_WAITS = {
  confirmations:
    'Gas, delegated energy or a deposit on the way to its address, or an earlier transaction of ' +
    'that address, is not confirmed yet.',
  gas: 'The gas wallet of the chain holds too little: send native currency to it.',
  fee: 'The network fee is above the fee cap.',
  chain: 'The chain is stopped, or its nodes do not answer.',
} as const
export type SweepWait = keyof typeof SWEEP_WAITS
const WAITS = Object.keys(SWEEP_WAITS).filter((code): code is SweepWait =>
  Object.hasOwn(SWEEP_WAITS, code),
)

/** Why a sweep failed, by code. */
export const SWEEP_FAILURES = {
  NOT_WORTH_FEE: 'The amount is not worth the network fee.',
  FEE_TOO_HIGH: 'The token needs more gas for a transfer than the limit allows.',
  INSUFFICIENT_BALANCE: 'The chain shows a lower balance than the ledger.',
  TOKEN_SUSPENDED: 'The token is suspended.',
  RECIPIENT_REFUSES: 'The token refuses the transfer.',
  GAS_REFUSED: 'The address does not accept the native currency that the fee needs.',
  SENDER_HALTED: 'The address signs nothing until the operator resumes it.',
  REVERTED: 'The transaction failed in its block.',
  DISPLACED: 'A foreign transaction took its place.',
  EXPIRED: 'The transaction and its replacements expired.',
} as const
export type SweepFailureCode = keyof typeof SWEEP_FAILURES
const FAILURES = Object.keys(SWEEP_FAILURES).filter((code): code is SweepFailureCode =>
  Object.hasOwn(SWEEP_FAILURES, code),
)

const meanings = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join(' ')

const coinsOrNull = (description: string) =>
  Type.Union([Type.String({ pattern: '^[0-9]+$' }), Type.Null()], { description })

/** A transfer of confirmed deposits from a deposit address to the settlement address. */
export const Sweep = Type.Object({
  id: text('Unique id.'),
  chainId: text('The chain: a CAIP-2 id.'),
  tokenId: text('The token: a CAIP-19 id.'),
  address: text('The deposit address that is swept.'),
  amount: baseUnits('The amount that is to be moved.'),
  moved: baseUnits('The amount that reached the settlement address; 0 until it is included.'),
  status: Type.Enum([...SWEEP_STATES], {
    description:
      '`Waiting`: not signed yet, for example because its address lacks gas. `Sent`: signed. ' +
      '`Done`: included in a block. `Failed`: see `error`; its funds are swept again later.',
  }),
  txnHash: textOrNull('The transaction on the chain; null before it is signed.'),
  fee: coinsOrNull(
    'The network fee that was paid, in base units of the native currency; null until it is ' +
      'included. Gas that was sent to its address before is not part of it.',
  ),
  maxFee: coinsOrNull(
    'The most that its transaction can cost, in base units of the native currency, which is ' +
      'reserved until it is included; null before it is signed.',
  ),
  waitingFor: Type.Union([Type.Enum(WAITS), Type.Null()], {
    description:
      `Why it is not signed yet. ${meanings(SWEEP_WAITS)} Null before the first attempt, and ` +
      'once it is signed or has failed.',
  }),
  waitingReason: text('The same in words; empty if `waitingFor` is null.'),
  waitingSince: timestampOrNull('When that wait began; null if `waitingFor` is null.'),
  error: text('Why it failed; empty otherwise.'),
  failureCode: Type.Union([Type.Enum(FAILURES), Type.Null()], {
    description: `The same as a code; null unless it has failed. ${meanings(SWEEP_FAILURES)}`,
  }),
  Token: TokenSummary,
  createdAt: timestamp('When it was planned.'),
  updatedAt: timestamp('When it was last changed.'),
})
export type Sweep = Static<typeof Sweep>

export const UNATTRIBUTED_STATES = ['Waiting', 'Proposed', 'Assigned'] as const

/** A payment to a shared base account without a known destination tag. */
export const UnattributedPayment = Type.Object({
  id: text('Unique id.'),
  chainId: text('The chain: a CAIP-2 id.'),
  txnHash: text('The transaction on the chain.'),
  tokenId: text('The token: a CAIP-19 id.'),
  amount: baseUnits('The amount that was paid.'),
  address: text('The base account that was paid.'),
  destinationTag: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'The tag of the payment; null without a tag.',
  }),
  senderAddress: text('The sender.'),
  status: Type.Enum([...UNATTRIBUTED_STATES], {
    description:
      '`Proposed`: a first person named the end user. `Assigned`: a second person confirmed; it ' +
      'is the deposit `depositId`.',
  }),
  externalUserId: text('Your own id of the proposed end user; empty before a proposal.'),
  proposedBy: text('The id of the user who proposed; empty before.'),
  assignedBy: text('The id of the user who confirmed; empty before.'),
  depositId: textOrNull('The deposit that it became; null before.'),
  blockNumber: count('The height of its block.'),
  blockHash: text('The hash of its block.'),
  Token: TokenSummary,
  createdAt: timestamp('When it was detected.'),
})
export type UnattributedPayment = Static<typeof UnattributedPayment>

/** The claims of the ledger, and its places without their addresses. */
export const LEDGER_ACCOUNTS = [
  'claim:unconfirmed',
  'claim:available',
  'claim:reserved',
  'claim:below_minimum',
  'claim:held',
  'claim:unattributed',
  'claim:gas',
  'place:deposits',
  'place:settlement',
  'place:gas',
] as const

/** A posting of the organization's ledger: one debit and one credit of the same amount. */
export const LedgerEntry = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Its number; numbers of others lie between.' }),
  chainId: text('The chain: a CAIP-2 id.'),
  tokenId: text('The token: a CAIP-19 id.'),
  debit: text('The account that is debited: `claim:<kind>` or `place:<kind>:<address>`.'),
  credit: text('The account that is credited.'),
  amount: baseUnits('The amount.'),
  reason: text('Why it was posted, such as `deposit.confirmed`.'),
  reversal: Type.Boolean({ description: 'Whether it reverses what a reorg undid.' }),
  referenceId: text('The record that it belongs to: a deposit, withdrawal, sweep or spend.'),
  blockNumber: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'The height of its block; null if it belongs to no block.',
  }),
  Token: TokenSummary,
  createdAt: timestamp('When it was posted.'),
})
export type LedgerEntry = Static<typeof LedgerEntry>

export const AssignmentRequest = Type.Object({
  externalUserId: USER_ID,
  reason: ASSIGN_REASON,
  totpCode: TOTP_CODE,
})

const HASH = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd'
const XRPL = 'xrpl:0'
const XRP = { id: `${XRPL}/slip44:144`, name: 'XRP', symbol: 'XRP', decimals: 6, address: '' }
const SWEEP: Sweep = {
  id: '019ab4f2-1111-7000-8000-000000000001',
  chainId: SEPOLIA,
  tokenId: ETHER.id,
  address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  amount: '20000000000000000',
  moved: '20000000000000000',
  status: 'Done',
  txnHash: HASH,
  fee: '31500000000000',
  maxFee: '42000000000000',
  waitingFor: null,
  waitingReason: '',
  waitingSince: null,
  error: '',
  failureCode: null,
  Token: ETHER,
  createdAt: AT,
  updatedAt: AT,
}
const UNATTRIBUTED: UnattributedPayment = {
  id: '019ab4f2-2222-7000-8000-000000000002',
  chainId: XRPL,
  txnHash: HASH.slice(2).toUpperCase(),
  tokenId: XRP.id,
  amount: '25000000',
  address: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
  destinationTag: null,
  senderAddress: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  status: 'Proposed',
  externalUserId: 'customer-42',
  proposedBy: PERSON_ID,
  assignedBy: '',
  depositId: null,
  blockNumber: 91_000_000,
  blockHash: HASH.slice(2).toUpperCase(),
  Token: XRP,
  createdAt: AT,
}
const ENTRY: LedgerEntry = {
  id: 4711,
  chainId: SEPOLIA,
  tokenId: ETHER.id,
  debit: 'claim:unconfirmed',
  credit: 'claim:available',
  amount: '20000000000000000',
  reason: 'deposit.confirmed',
  reversal: false,
  referenceId: '019ab4ef-4444-7000-8000-000000000004',
  blockNumber: 7_512_034,
  Token: ETHER,
  createdAt: AT,
}

export const MONEY_LIST_OPERATIONS = {
  getSweeps: {
    method: 'GET',
    path: '/sweeps',
    tag: 'Balances',
    summary: 'Lists sweeps, newest first',
    description: `Transfers from deposit addresses to the settlement address. ${LIST}`,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      chainId: ChainFilter,
      tokenId: TokenFilter,
      status: oneOf(SWEEP_STATES, 'Only sweeps in this status.'),
      ...TimeFilter,
      ...Page,
    }),
    responses: { 200: Type.Object({ sweeps: Type.Array(Sweep), nextCursor: NextCursor }) },
    export: {
      name: 'sweeps',
      columns: [
        ...columns('id', 'createdAt', 'status', 'chainId', 'tokenId'),
        SYMBOL,
        ...amount('amount'),
        ...amount('moved'),
        ...amount('fee', 'coins'),
        ...amount('maxFee', 'coins'),
        ...columns('address', 'txnHash', 'waitingFor', 'waitingReason', 'waitingSince'),
        ...columns('error', 'failureCode', 'updatedAt'),
      ],
    },
    errors: [],
    example: {
      query: { status: 'Done', limit: 50 },
      answers: { 200: { sweeps: [SWEEP], nextCursor: null } },
    },
  },
  getUnattributed: {
    method: 'GET',
    path: '/unattributed',
    tag: 'Deposits',
    summary: 'Lists payments without a known tag, newest first',
    description:
      'Payments to a shared base account (XRPL) whose destination tag is missing or unknown. Two ' +
      `people assign them to an end user. ${LIST}`,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      chainId: ChainFilter,
      status: oneOf(UNATTRIBUTED_STATES, 'Only payments in this status.'),
      ...TimeFilter,
      ...Page,
    }),
    responses: {
      200: Type.Object({ unattributed: Type.Array(UnattributedPayment), nextCursor: NextCursor }),
    },
    export: {
      name: 'unattributed',
      columns: [
        ...columns('id', 'createdAt', 'status', 'chainId', 'tokenId'),
        SYMBOL,
        ...amount('amount'),
        ...columns('address', 'destinationTag', 'senderAddress', 'txnHash', 'externalUserId'),
        ...columns('proposedBy', 'assignedBy', 'depositId', 'blockNumber', 'blockHash'),
      ],
    },
    errors: [],
    example: {
      query: { status: 'Proposed', limit: 50 },
      answers: { 200: { unattributed: [UNATTRIBUTED], nextCursor: null } },
    },
  },
  postUnattributedAssign: {
    method: 'POST',
    path: '/unattributed/:id/assign',
    tag: 'Deposits',
    summary: 'Assigns a payment without a known tag to an end user; two people must agree',
    description:
      'The first approver or admin proposes an end user. A second one who names the same user ' +
      'confirms, and the payment becomes a deposit. Another name starts a new proposal.',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: Type.Object({ id: UNATTRIBUTED_ID }),
    body: AssignmentRequest,
    responses: { 200: Type.Object({ unattributed: UnattributedPayment }) },
    errors: ['INVALID_TOTP', 'INVALID_USER_ID'],
    example: {
      params: { id: UNATTRIBUTED.id },
      body: { externalUserId: 'customer-42', reason: 'Ticket 1204', totpCode: '123456' },
      answers: { 200: { unattributed: UNATTRIBUTED } },
    },
  },
  getLedgerEntries: {
    method: 'GET',
    path: '/ledger-entries',
    tag: 'Balances',
    summary: 'Lists postings of the ledger, newest first',
    description: `The postings of all accounts of the organization. ${LIST}`,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      chainId: ChainFilter,
      tokenId: TokenFilter,
      account: oneOf(
        LEDGER_ACCOUNTS,
        'Only postings that debit or credit this claim, or a place of this kind.',
      ),
      referenceId: REFERENCE_ID,
      ...TimeFilter,
      ...Page,
    }),
    responses: {
      200: Type.Object({ ledgerEntries: Type.Array(LedgerEntry), nextCursor: NextCursor }),
    },
    export: {
      name: 'ledger-entries',
      columns: [
        ...columns('id', 'createdAt', 'reason', 'referenceId', 'chainId', 'tokenId'),
        SYMBOL,
        ...columns('debit', 'credit'),
        ...amount('amount'),
        ...columns('reversal', 'blockNumber'),
      ],
    },
    errors: [],
    example: {
      query: { account: 'claim:available', limit: 50 },
      answers: { 200: { ledgerEntries: [ENTRY], nextCursor: null } },
    },
  },
} as const satisfies Record<string, Operation>
