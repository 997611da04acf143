import { type TSchema, Type } from 'typebox'
import {
  Account,
  CancelledWithdrawal,
  Chain,
  Deposit,
  GasWallet,
  Organization,
  PortfolioEntry,
  Profile,
  RefusedApproval,
  SingleWithdrawal,
  Token,
  Withdrawal,
} from './resources.ts'

/**
 * What `x-api-version` says; changes are additive, so that it only ever tells which of them are
 * there.
 */
export const API_VERSION = '1'

/**
 * Who may call: a server with the organization's key, a person with a session, or anybody (health).
 */
export type Credential = 'apiKey' | 'bearer' | 'either' | 'none'

/** What a caller must be allowed to do (decisions, section 5). */
export type Permission =
  | 'read'
  | 'issueAddresses'
  | 'createWithdrawals'
  | 'approveWithdrawals'
  | 'configure'
  | 'rotateApiKey'
  | 'none'

export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  credential: Credential
  permission: Permission
  query?: TSchema
  params?: TSchema
  body?: TSchema
  responses: Readonly<Record<number, TSchema>>
}

const Empty = Type.Object({})
/** Query parameters are text; each is parsed by the route that reads it. */
const Text = Type.Optional(Type.String())
const Page = { limit: Text, cursor: Text }
const DepositFilter = {
  chainId: Text,
  tokenId: Text,
  status: Text,
  txnHash: Text,
  from: Text,
  to: Text,
}
const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const ById = Type.Object({ id: Type.String() })
const NextCursor = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/**
 * Every operation of the interface that stands; the routes are checked against this table, and it
 * against them.
 */
export const OPERATIONS = {
  postLogin: {
    method: 'POST',
    path: '/auth/login',
    summary: 'Signs a person in: user name, password and a fresh two-factor code',
    credential: 'none',
    permission: 'none',
    body: Type.Object({
      username: Type.String(),
      password: Type.String(),
      totpCode: Type.String(),
    }),
    responses: { 200: Type.Object({ accessToken: Type.String(), expiresIn: Type.Number() }) },
  },
  getProfile: {
    method: 'GET',
    path: '/auth/profile',
    summary: 'Who is signed in',
    credential: 'bearer',
    permission: 'none',
    responses: { 200: Profile },
  },
  patchApiKey: {
    method: 'PATCH',
    path: '/organisation/api-key',
    summary: 'Replaces the API key; the one before is refused at once',
    credential: 'bearer',
    permission: 'rotateApiKey',
    responses: { 200: Type.Object({ apiKey: Type.String() }) },
  },
  getOrganisation: {
    method: 'GET',
    path: '/organisation',
    summary: 'The organization of the caller, with its settings',
    credential: 'either',
    permission: 'read',
    responses: { 200: Organization },
  },
  patchWebhook: {
    method: 'PATCH',
    path: '/organisation/webhook',
    summary: 'Sets the URL that receives events',
    credential: 'either',
    permission: 'configure',
    body: Type.Object({ webhookUrl: Type.String() }),
    responses: { 200: Empty },
  },
  patchSigningSecret: {
    method: 'PATCH',
    path: '/organisation/webhook/signing-secret',
    summary: 'Replaces the secret that signs deliveries',
    credential: 'either',
    permission: 'configure',
    responses: { 200: Type.Object({ webhookSigningSecret: Type.String() }) },
  },
  getDepositAddress: {
    method: 'GET',
    path: '/payments/deposit-address',
    summary: 'The deposit account of a user on a chain; made when there is none',
    credential: 'either',
    permission: 'issueAddresses',
    query: Type.Object({ chainId: Type.String(), tokenId: Type.String(), userId: Type.String() }),
    responses: {
      200: Type.Object({ address: Account }),
      201: Type.Object({ address: Account }),
    },
  },
  getPayments: {
    method: 'GET',
    path: '/payments',
    summary: 'Deposits of the organization, newest first',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ userId: Text, ...DepositFilter, ...Page }),
    responses: { 200: Type.Object({ payments: Type.Array(Deposit), nextCursor: NextCursor }) },
  },
  getUserDeposits: {
    method: 'GET',
    path: '/payments/:userId/deposits',
    summary: 'Deposits of one user on all chains, newest first',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ userId: Type.String() }),
    query: Type.Object({ ...DepositFilter, ...Page }),
    responses: { 200: Type.Object({ deposits: Type.Array(Deposit), nextCursor: NextCursor }) },
  },
  getAccounts: {
    method: 'GET',
    path: '/accounts',
    summary: 'Deposit accounts of the organization, newest first',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ userId: Text, chainId: Text, address: Text, ...Page }),
    responses: { 200: Type.Object({ accounts: Type.Array(Account), nextCursor: NextCursor }) },
  },
  getChains: {
    method: 'GET',
    path: '/chains',
    summary: 'Chains, by default those enabled for the organization',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ enabledOnly: Text }),
    responses: { 200: Type.Object({ chains: Type.Array(Chain) }) },
  },
  getChain: {
    method: 'GET',
    path: '/chains/:id',
    summary: 'One chain',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: Type.Object({ chain: Chain }) },
  },
  getTokens: {
    method: 'GET',
    path: '/tokens',
    summary: 'Tokens, by default those enabled for the organization',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ chainId: Text, enabledOnly: Text }),
    responses: { 200: Type.Object({ tokens: Type.Array(Token) }) },
  },
  patchMinWithdrawalSigners: {
    method: 'PATCH',
    path: '/organisation/min-withdrawal-signers',
    summary: 'Sets how many approvals a new withdrawal needs',
    credential: 'either',
    permission: 'configure',
    body: Type.Object({ minWithdrawalSigners: Type.Number() }),
    responses: { 200: Empty },
  },
  getWithdrawals: {
    method: 'GET',
    path: '/withdrawals',
    summary: 'Withdrawals of the organization, newest first',
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      status: Text,
      chainId: Text,
      reference: Text,
      externalUserId: Text,
      from: Text,
      to: Text,
      ...Page,
    }),
    responses: {
      200: Type.Object({ withdrawals: Type.Array(Withdrawal), nextCursor: NextCursor }),
    },
  },
  postWithdrawals: {
    method: 'POST',
    path: '/withdrawals',
    summary: 'Creates a withdrawal and reserves its amount',
    credential: 'either',
    permission: 'createWithdrawals',
    body: Type.Object({
      chainId: Type.String(),
      tokenId: Type.String(),
      amount: Type.String(),
      recipient: Type.String(),
      reference: Type.String(),
      memo: OptionalText,
      internalNote: OptionalText,
      externalUserId: OptionalText,
    }),
    responses: { 201: Type.Object({ withdrawal: Withdrawal }) },
  },
  getWithdrawal: {
    method: 'GET',
    path: '/withdrawals/:id',
    summary: 'One withdrawal',
    credential: 'either',
    permission: 'read',
    params: ById,
    responses: { 200: SingleWithdrawal },
  },
  deleteWithdrawal: {
    method: 'DELETE',
    path: '/withdrawals/:id',
    summary: 'Cancels a withdrawal that is not being processed yet',
    credential: 'either',
    permission: 'createWithdrawals',
    params: ById,
    responses: { 200: Type.Object({ withdrawal: CancelledWithdrawal }) },
  },
  postWithdrawalApprove: {
    method: 'POST',
    path: '/withdrawals/:id/approve',
    summary: 'Approves a withdrawal, with a fresh two-factor code',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: ById,
    body: Type.Object({ totpCode: Type.String() }),
    responses: { 200: Type.Object({ withdrawal: Withdrawal }) },
  },
  postWithdrawalReject: {
    method: 'POST',
    path: '/withdrawals/:id/reject',
    summary: 'Rejects a withdrawal that waits for approvals, with a fresh two-factor code',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: ById,
    body: Type.Object({ totpCode: Type.String(), reason: OptionalText }),
    responses: { 200: Type.Object({ withdrawal: Withdrawal }) },
  },
  postWithdrawalsApprove: {
    method: 'POST',
    path: '/withdrawals/approve',
    summary: 'Approves several withdrawals with one fresh two-factor code',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    body: Type.Object({ ids: Type.Array(Type.String()), totpCode: Type.String() }),
    responses: {
      200: Type.Object({
        withdrawals: Type.Array(Withdrawal),
        refused: Type.Array(RefusedApproval),
      }),
    },
  },
  getGasStation: {
    method: 'GET',
    path: '/gas-station',
    summary: 'Gas wallets of the organization, with what they hold now',
    credential: 'either',
    permission: 'read',
    responses: { 200: Type.Object({ gasWallets: Type.Array(GasWallet) }) },
  },
  getPortfolio: {
    method: 'GET',
    path: '/portfolio',
    summary: 'What the organization holds, by token and account',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ chainId: Text, tokenId: Text }),
    responses: { 200: Type.Object({ portfolio: Type.Array(PortfolioEntry) }) },
  },
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the process is alive',
    credential: 'none',
    permission: 'none',
    responses: { 200: Type.Object({ status: Type.String() }) },
  },
  getReadiness: {
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the service can do its work',
    credential: 'none',
    permission: 'none',
    responses: {
      200: Type.Object({ status: Type.String() }, { additionalProperties: true }),
      503: Type.Object({ status: Type.String() }, { additionalProperties: true }),
    },
  },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS
