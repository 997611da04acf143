import { type TSchema, Type } from 'typebox'
import { RedeliveryCount, SingleEvent, StoredEvent } from './deliveries.ts'
import { NextCursor } from './parameters.ts'
import {
  AccountsQuery,
  ApprovalRequest,
  ApprovalsRequest,
  ChainPath,
  ChainsQuery,
  CodeRequest,
  DepositAddressQuery,
  EventPath,
  EventsQuery,
  LoginRequest,
  MinSignersRequest,
  PaymentsQuery,
  PortfolioQuery,
  RedeliveryRequest,
  RejectionRequest,
  TokensQuery,
  TraceQuery,
  UserDepositsQuery,
  UserPath,
  WebhookRequest,
  WithdrawalPath,
  WithdrawalRequest,
  WithdrawalsQuery,
} from './requests.ts'
import {
  AccessToken,
  Account,
  CancelledWithdrawal,
  Chain,
  Deposit,
  GasWallet,
  Health,
  NewApiKey,
  NewSigningSecret,
  Organization,
  PortfolioEntry,
  Profile,
  Readiness,
  RefusedApproval,
  SingleWithdrawal,
  Token,
  Withdrawal,
} from './resources.ts'
import { PaymentTrace } from './trace.ts'

/** The value of `x-api-version`. Changes are additive; it says which of them are present. */
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
  | 'sendEvents'
  | 'rotateApiKey'
  | 'none'

export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  credential: Credential
  permission: Permission
  query?: TSchema
  /**
   * Whether query parameters are ignored: probes and their proxies add some of their own. Every
   * other operation refuses a parameter that it does not know.
   */
  ignoresQuery?: true
  params?: TSchema
  body?: TSchema
  /** A request without a body counts as one with `{}`. */
  bodyMayBeMissing?: true
  /**
   * A person's fresh two-factor code in the body or the header `x-totp-code`: `required` of
   * everybody but API keys, `optional` where it only shows more.
   */
  code?: 'required' | 'optional'
  responses: Readonly<Record<number, TSchema>>
}

const Empty = Type.Object({})
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
    body: LoginRequest,
    responses: { 200: AccessToken },
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
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: NewApiKey },
  },
  getOrganisation: {
    method: 'GET',
    path: '/organisation',
    summary: 'The organization of the caller, with its settings',
    credential: 'either',
    permission: 'read',
    code: 'optional',
    responses: { 200: Organization },
  },
  patchWebhook: {
    method: 'PATCH',
    path: '/organisation/webhook',
    summary: 'Sets the URL that receives events',
    credential: 'either',
    permission: 'configure',
    body: WebhookRequest,
    code: 'required',
    responses: { 200: Empty },
  },
  patchSigningSecret: {
    method: 'PATCH',
    path: '/organisation/webhook/signing-secret',
    summary: 'Replaces the secret that signs deliveries',
    credential: 'either',
    permission: 'configure',
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: NewSigningSecret },
  },
  getDepositAddress: {
    method: 'GET',
    path: '/payments/deposit-address',
    summary: 'The deposit account of a user on a chain; made when there is none',
    credential: 'either',
    permission: 'issueAddresses',
    query: DepositAddressQuery,
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
    query: PaymentsQuery,
    responses: { 200: Type.Object({ payments: Type.Array(Deposit), nextCursor: NextCursor }) },
  },
  getUserDeposits: {
    method: 'GET',
    path: '/payments/:userId/deposits',
    summary: 'Deposits of one user on all chains, newest first',
    credential: 'either',
    permission: 'read',
    params: UserPath,
    query: UserDepositsQuery,
    responses: { 200: Type.Object({ deposits: Type.Array(Deposit), nextCursor: NextCursor }) },
  },
  getPaymentsTrace: {
    method: 'GET',
    path: '/payments/trace',
    summary: 'Why the payments of a transaction are credited, or are not, step by step',
    credential: 'either',
    permission: 'read',
    query: TraceQuery,
    responses: { 200: Type.Object({ trace: PaymentTrace }) },
  },
  getAccounts: {
    method: 'GET',
    path: '/accounts',
    summary: 'Deposit accounts of the organization, newest first',
    credential: 'either',
    permission: 'read',
    query: AccountsQuery,
    responses: { 200: Type.Object({ accounts: Type.Array(Account), nextCursor: NextCursor }) },
  },
  getChains: {
    method: 'GET',
    path: '/chains',
    summary: 'Chains, by default those enabled for the organization',
    credential: 'either',
    permission: 'read',
    query: ChainsQuery,
    responses: { 200: Type.Object({ chains: Type.Array(Chain) }) },
  },
  getChain: {
    method: 'GET',
    path: '/chains/:id',
    summary: 'One chain',
    credential: 'either',
    permission: 'read',
    params: ChainPath,
    responses: { 200: Type.Object({ chain: Chain }) },
  },
  getTokens: {
    method: 'GET',
    path: '/tokens',
    summary: 'Tokens, by default those enabled for the organization',
    credential: 'either',
    permission: 'read',
    query: TokensQuery,
    responses: { 200: Type.Object({ tokens: Type.Array(Token) }) },
  },
  patchMinWithdrawalSigners: {
    method: 'PATCH',
    path: '/organisation/min-withdrawal-signers',
    summary: 'Sets how many approvals a new withdrawal needs',
    credential: 'either',
    permission: 'configure',
    body: MinSignersRequest,
    code: 'required',
    responses: { 200: Empty },
  },
  getWithdrawals: {
    method: 'GET',
    path: '/withdrawals',
    summary: 'Withdrawals of the organization, newest first',
    credential: 'either',
    permission: 'read',
    query: WithdrawalsQuery,
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
    body: WithdrawalRequest,
    responses: { 201: Type.Object({ withdrawal: Withdrawal }) },
  },
  getWithdrawal: {
    method: 'GET',
    path: '/withdrawals/:id',
    summary: 'One withdrawal',
    credential: 'either',
    permission: 'read',
    params: WithdrawalPath,
    responses: { 200: SingleWithdrawal },
  },
  deleteWithdrawal: {
    method: 'DELETE',
    path: '/withdrawals/:id',
    summary: 'Cancels a withdrawal that is not being processed yet',
    credential: 'either',
    permission: 'createWithdrawals',
    params: WithdrawalPath,
    responses: { 200: Type.Object({ withdrawal: CancelledWithdrawal }) },
  },
  postWithdrawalApprove: {
    method: 'POST',
    path: '/withdrawals/:id/approve',
    summary: 'Approves a withdrawal, with a fresh two-factor code',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: WithdrawalPath,
    body: ApprovalRequest,
    responses: { 200: Type.Object({ withdrawal: Withdrawal }) },
  },
  postWithdrawalReject: {
    method: 'POST',
    path: '/withdrawals/:id/reject',
    summary: 'Rejects a withdrawal that waits for approvals, with a fresh two-factor code',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: WithdrawalPath,
    body: RejectionRequest,
    responses: { 200: Type.Object({ withdrawal: Withdrawal }) },
  },
  postWithdrawalsApprove: {
    method: 'POST',
    path: '/withdrawals/approve',
    summary: 'Approves several withdrawals with one fresh two-factor code',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    body: ApprovalsRequest,
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
    query: PortfolioQuery,
    responses: { 200: Type.Object({ portfolio: Type.Array(PortfolioEntry) }) },
  },
  getEvents: {
    method: 'GET',
    path: '/events',
    summary: 'Events of the organization, newest first; with `after` the feed, oldest first',
    credential: 'either',
    permission: 'read',
    query: EventsQuery,
    responses: { 200: Type.Object({ events: Type.Array(StoredEvent), nextCursor: NextCursor }) },
  },
  getEvent: {
    method: 'GET',
    path: '/events/:id',
    summary: 'One event, with every attempt to deliver it',
    credential: 'either',
    permission: 'read',
    params: EventPath,
    responses: { 200: Type.Object({ event: SingleEvent }) },
  },
  postEventRedeliver: {
    method: 'POST',
    path: '/events/:id/redeliver',
    summary: 'Sends an event again, under the same id',
    credential: 'either',
    permission: 'sendEvents',
    params: EventPath,
    responses: { 200: Type.Object({ event: StoredEvent }) },
  },
  postEventsRedeliver: {
    method: 'POST',
    path: '/events/redeliver',
    summary: 'Sends all events again that match a filter, however many',
    credential: 'either',
    permission: 'sendEvents',
    body: RedeliveryRequest,
    responses: { 200: RedeliveryCount },
  },
  postWebhookTest: {
    method: 'POST',
    path: '/organisation/webhook/test',
    summary: 'Sends a test event to the webhook URL',
    credential: 'either',
    permission: 'sendEvents',
    responses: { 200: Type.Object({ event: StoredEvent }) },
  },
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the process is alive',
    credential: 'none',
    permission: 'none',
    ignoresQuery: true,
    responses: { 200: Health },
  },
  getReadiness: {
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the service can do its work',
    credential: 'none',
    permission: 'none',
    ignoresQuery: true,
    responses: { 200: Readiness, 503: Readiness },
  },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS
