import type { TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Export } from './exports.ts'

/** The value of `x-api-version`. Changes are additive; it says which of them are present. */
export const API_VERSION = '1'

/** The parts of the interface, in the order of the documentation. */
export const TAGS = {
  Authentication: 'People sign in; servers use an API key.',
  People: 'The people of the organization, their roles and invitations.',
  'API keys': 'The keys of servers, with scopes and limits.',
  Organization: 'The organization and its settings.',
  Deposits: 'Deposit addresses and the payments to them.',
  Withdrawals: 'Payments to outside addresses, and their approvals.',
  Catalogue: 'Chains and tokens.',
  Balances: 'Balances of the organization.',
  Reports: 'Sums by day and month, from the ledger.',
  Events: 'Events that were sent to the webhook, and their deliveries.',
  'Webhook endpoints': 'The receivers of events.',
  Health: 'For load balancers and monitors. Not rate-limited.',
} as const

/** Who may call: a server with an API key, a person with a session, either, or everybody. */
export type Credential = 'apiKey' | 'bearer' | 'either' | 'none'

/** The right that a caller must have (decisions, section 5). */
export type Permission =
  | 'read'
  | 'issueAddresses'
  | 'createWithdrawals'
  | 'approveWithdrawals'
  | 'configure'
  | 'sendEvents'
  | 'acknowledgeAlerts'
  | 'rotateApiKey'
  | 'managePeople'
  | 'manageApiKeys'
  | 'none'

/** The scopes of API keys, in the order of the documentation. Each key has one or more. */
export const SCOPES = ['read', 'deposits', 'withdrawals', 'configure'] as const
export type Scope = (typeof SCOPES)[number]

/** The scope that an API key needs for a permission; null: no API key has the permission. */
export const SCOPE_OF = {
  read: 'read',
  issueAddresses: 'deposits',
  createWithdrawals: 'withdrawals',
  approveWithdrawals: null,
  configure: 'configure',
  sendEvents: 'configure',
  acknowledgeAlerts: 'configure',
  rotateApiKey: null,
  manageApiKeys: null,
  managePeople: null,
  none: null,
} as const satisfies Record<Permission, Scope | null>

function isPermission(name: string): name is Permission {
  return Object.hasOwn(SCOPE_OF, name)
}

export const PERMISSION_NAMES: readonly Permission[] = Object.keys(SCOPE_OF).filter(isPermission)

/**
 * One endpoint. The service validates requests with it, and the OpenAPI document, the documentation
 * and the client are generated from it.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path parameters are written `:name`. */
  path: string
  tag: keyof typeof TAGS
  summary: string
  description: string
  credential: Credential
  /** Also decides the scope that an API key needs (`SCOPE_OF`). */
  permission: Permission
  query?: TSchema
  /** Unknown query parameters are accepted, for probes and proxies that add their own. */
  ignoresQuery?: true
  params?: TSchema
  body?: TSchema
  /** A request without a body is handled as `{}`. */
  bodyMayBeMissing?: true
  /** A one-time code, in the body or the header `x-totp-code`; API keys never need one. */
  code?: 'required' | 'optional'
  /** Schemas of successful responses, by status. */
  responses: Readonly<Record<number, TSchema>>
  /** Set for lists, which are also exported as CSV and as JSON Lines. */
  export?: Export
  /** Error codes in addition to those that every operation of its kind may return. */
  errors: readonly ErrorCode[]
  /** The code of an unexpected error; INTERNAL_ERROR by default. */
  failure?: ErrorCode
  /** A request with its responses, by status. Tests send it. */
  example: {
    params?: Readonly<Record<string, string>>
    query?: Readonly<Record<string, unknown>>
    body?: unknown
    answers: Readonly<Record<number, unknown>>
  }
}

/** One type of event, with its payload. Add a type by adding a definition and emitting it. */
export interface EventDefinition {
  /** The cause, and the action of the receiver, in whole sentences. */
  description: string
  payload: TSchema
  example: unknown
}
