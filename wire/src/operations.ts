import { type TSchema, Type } from 'typebox'
import { Account, Chain, Deposit, Organization, Token } from './resources.ts'

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
export type Permission = 'read' | 'issueAddresses' | 'configure' | 'none'

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
const NextCursor = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/**
 * Every operation of the interface that stands; the routes are checked against this table, and it
 * against them.
 */
export const OPERATIONS = {
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
