import { type Static, Type } from 'typebox'
import { TokenSummary } from './catalogue.ts'
import type { EventDefinition, Operation } from './define.ts'
import { AT, ETHER, ORG_ID, SEPOLIA } from './examples.ts'
import { SYMBOL, amount, columns, renamed } from './exports.ts'
import { baseUnits, count, text, timestamp, timestampOrNull } from './fields.ts'
import {
  AddressFilter,
  CHAIN_ID,
  ChainFilter,
  HashFilter,
  LIST,
  NextCursor,
  Page,
  TOKEN_ID,
  TimeFilter,
  TokenFilter,
  USER_ID,
  USER_ID_OF_PATH,
  UserFilter,
  oneOf,
  search,
} from './parameters.ts'

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
  index: count('The position in its transaction.'),
  chainId: text('The chain of the transaction: a CAIP-2 id.'),
  txnHash: text('The transaction on the chain.'),
  tokenId: text('The token: a CAIP-19 id.'),
  amount: baseUnits('The amount that was paid.'),
  accountChainId: text('The chain of the account that was paid.'),
  externalUserId: text('Your own id of the end user.'),
  senderAddress: text('The sender.'),
  status: Type.Enum([...DEPOSIT_STATUSES], { description: 'Credited at `Confirmed`.' }),
  confirmations: count('Blocks on top of its block.'),
  requiredConfirmations: count(
    'Confirmations that it needs to be credited, on chains that count them.',
  ),
  blockNumber: count('The height of its block.'),
  blockHash: text('The hash of its block.'),
  confirmedAt: timestampOrNull('When it was credited; null until then.'),
  Token: TokenSummary,
  createdAt: timestamp('When it was detected.'),
  updatedAt: timestamp('When it was last changed.'),
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
      address: text('The address to pay to.'),
      destinationTag: Type.Optional(text('The tag that the payment must carry (XRP).')),
      xAddress: Type.Optional(text('Address and tag in one text (XRP).')),
    },
    { description: 'The address to pay to; on XRP with a `destinationTag`.' },
  ),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
})
export type Account = Static<typeof Account>

const DEPOSIT: Deposit = {
  id: '019ab4ef-4444-7000-8000-000000000004',
  index: 0,
  chainId: SEPOLIA,
  txnHash: '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd',
  tokenId: ETHER.id,
  amount: '20000000000000000',
  accountChainId: SEPOLIA,
  externalUserId: 'customer-42',
  senderAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  status: 'Confirmed',
  confirmations: 12,
  requiredConfirmations: 12,
  blockNumber: 7_512_034,
  blockHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  confirmedAt: AT,
  Token: ETHER,
  createdAt: AT,
  updatedAt: AT,
}
const CREATED_ACCOUNT = {
  orgId: ORG_ID,
  chainId: SEPOLIA,
  externalUserId: 'customer-42',
  orgDepositAccountId: '019ab4ef-3333-7000-8000-000000000003',
  properties: { address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
  createdAt: AT,
}
const ACCOUNT: Account = { ...CREATED_ACCOUNT, updatedAt: AT }
/** The records that examples of other parts refer to. */
export { ACCOUNT as EXAMPLE_ACCOUNT, DEPOSIT as EXAMPLE_DEPOSIT }

const DepositFilter = {
  chainId: ChainFilter,
  tokenId: TokenFilter,
  status: oneOf(DEPOSIT_STATUSES, 'Only deposits in this status.'),
  txnHash: HashFilter,
  q: search(
    'Only deposits whose `id`, `externalUserId`, `txnHash` or deposit address equals this text. ' +
      'An X-address with a tag (XRPL) selects the account of that tag.',
  ),
  ...TimeFilter,
}

const DEPOSIT_COLUMNS = [
  ...columns('id', 'createdAt', 'confirmedAt', 'status', 'externalUserId', 'chainId', 'tokenId'),
  SYMBOL,
  ...amount('amount'),
  ...columns('txnHash', 'index', 'senderAddress', 'accountChainId', 'blockNumber', 'blockHash'),
  ...columns('confirmations', 'requiredConfirmations', 'updatedAt'),
]

/** Section 4.4 and 4.5. */
export const DEPOSIT_OPERATIONS = {
  getDepositAddress: {
    method: 'GET',
    path: '/payments/deposit-address',
    tag: 'Deposits',
    summary: 'Returns the deposit account of a user on a chain; creates it if needed',
    description:
      'One account for each end user and chain; it accepts every token of the chain. 201 if this ' +
      'request created it, 200 if it existed. On XRPL payments must carry the destination tag.',
    credential: 'either',
    permission: 'issueAddresses',
    query: Type.Object({ chainId: CHAIN_ID, tokenId: TOKEN_ID, userId: USER_ID }),
    responses: {
      200: Type.Object({ address: Account }),
      201: Type.Object({ address: Account }),
    },
    errors: [
      'INVALID_CHAIN',
      'CHAIN_NOT_ENABLED',
      'INVALID_TOKEN',
      'INVALID_TOKEN_CHAIN',
      'TOKEN_NOT_ENABLED',
      'INVALID_USER_ID',
      'FAILED_TO_CREATE_DEPOSIT_ACCOUNT',
    ],
    failure: 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT',
    example: {
      query: { chainId: SEPOLIA, tokenId: ETHER.id, userId: 'customer-42' },
      answers: { 200: { address: ACCOUNT }, 201: { address: ACCOUNT } },
    },
  },
  getPayments: {
    method: 'GET',
    path: '/payments',
    tag: 'Deposits',
    summary: 'Lists deposits, newest first',
    description: `Deposits of all end users on all chains. ${LIST}`,
    credential: 'either',
    permission: 'read',
    query: Type.Object({ userId: UserFilter, ...DepositFilter, ...Page }),
    responses: { 200: Type.Object({ payments: Type.Array(Deposit), nextCursor: NextCursor }) },
    export: { name: 'payments', columns: DEPOSIT_COLUMNS },
    errors: ['INVALID_USER_ID'],
    example: {
      query: { chainId: SEPOLIA, status: 'Confirmed', from: '2026-01-01', limit: 50 },
      answers: { 200: { payments: [DEPOSIT], nextCursor: null } },
    },
  },
  getUserDeposits: {
    method: 'GET',
    path: '/payments/:userId/deposits',
    tag: 'Deposits',
    summary: 'Lists deposits of a user on all chains, newest first',
    description:
      `${LIST} For the user ids \`.\` and \`..\` use \`GET /payments?userId=\`: most clients ` +
      'remove such a segment from a path, encoded or not.',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ userId: USER_ID_OF_PATH }),
    query: Type.Object({ ...DepositFilter, ...Page }),
    responses: { 200: Type.Object({ deposits: Type.Array(Deposit), nextCursor: NextCursor }) },
    export: { name: 'deposits', columns: DEPOSIT_COLUMNS },
    errors: ['INVALID_USER_ID'],
    example: {
      params: { userId: 'customer-42' },
      query: { limit: 50 },
      answers: { 200: { deposits: [DEPOSIT], nextCursor: null } },
    },
  },
  getAccounts: {
    method: 'GET',
    path: '/accounts',
    tag: 'Deposits',
    summary: 'Lists deposit accounts, newest first',
    description: LIST,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      chainId: ChainFilter,
      userId: UserFilter,
      address: AddressFilter,
      ...Page,
    }),
    responses: { 200: Type.Object({ accounts: Type.Array(Account), nextCursor: NextCursor }) },
    export: {
      name: 'accounts',
      columns: [
        ...columns('orgDepositAccountId', 'createdAt', 'externalUserId', 'chainId'),
        renamed('address', 'properties.address'),
        renamed('destinationTag', 'properties.destinationTag'),
        renamed('xAddress', 'properties.xAddress'),
        ...columns('updatedAt'),
      ],
    },
    errors: ['INVALID_USER_ID'],
    example: {
      query: { userId: 'customer-42', limit: 50 },
      answers: { 200: { accounts: [ACCOUNT], nextCursor: null } },
    },
  },
} as const satisfies Record<string, Operation>

/** The fields of every `deposit.*` event. */
export const DepositEvent = Type.Pick(Deposit, [
  'id',
  'index',
  'status',
  'chainId',
  'txnHash',
  'tokenId',
  'amount',
  'externalUserId',
  'accountChainId',
  'senderAddress',
  'blockNumber',
  'confirmations',
  'Token',
])
export type DepositEvent = Static<typeof DepositEvent>
export const AccountEvent = Type.Omit(Account, ['updatedAt'])
export type AccountEvent = Static<typeof AccountEvent>

const {
  requiredConfirmations: _required,
  blockHash: _hash,
  confirmedAt: _confirmedAt,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...CONFIRMED
} = DEPOSIT
const DETECTED: DepositEvent = { ...CONFIRMED, status: 'Detected', confirmations: 0 }

export const DEPOSIT_EVENTS = {
  'deposit.detected': {
    description:
      'A deposit was detected in a block. It is not credited yet: wait for `deposit.confirmed`.',
    payload: DepositEvent,
    example: DETECTED,
  },
  'deposit.confirmed': {
    description:
      'A deposit has its confirmations and is credited. Deduplicate by the `id` of the payload.',
    payload: Type.Object({
      ...DepositEvent.properties,
      confirmedAt: timestamp('When it was credited.'),
    }),
    example: { ...CONFIRMED, confirmedAt: AT },
  },
  'deposit.reverted': {
    description:
      'The block of a deposit left the chain. If `previousStatus` is `Confirmed`, the credit was ' +
      'reversed.',
    payload: Type.Object({
      ...DepositEvent.properties,
      previousStatus: Type.Enum([...DEPOSIT_STATUSES], {
        description: 'The status before; after `Confirmed` the credit was reversed.',
      }),
    }),
    example: {
      ...CONFIRMED,
      status: 'Orphaned',
      confirmations: 0,
      previousStatus: 'Confirmed',
    },
  },
  'deposit.held': {
    description:
      'A deposit is held for the `reason` given. `deposit.confirmed` follows after an operator ' +
      'of the service releases it, or after the audit if only a second source was missing.',
    payload: Type.Object({ ...DepositEvent.properties, reason: text('Why it is held.') }),
    example: { ...DETECTED, status: 'Held', reason: 'An operator holds it.' },
  },
  'account.created': {
    description: 'A deposit account was created for an end user on a chain.',
    payload: AccountEvent,
    example: CREATED_ACCOUNT,
  },
} as const satisfies Record<string, EventDefinition>
