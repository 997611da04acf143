import { type Accounts, openAccounts } from './accounts.ts'
import { type ApiKeys, openApiKeys } from './api-keys.ts'
import { type Auth, openAuth } from './auth.ts'
import { type GasStation, openGasStation, openPortfolio, type Portfolio } from './balances.ts'
import { checkCallLimits } from './call-limits.ts'
import { type Chains, openChains, openTokens, type Tokens } from './catalogue.ts'
import { openDownload } from './download.ts'
import { type Events, openEvents } from './event-log.ts'
import { type Health, openHealth } from './health.ts'
import {
  type LedgerEntries,
  openLedgerEntries,
  openSweeps,
  openUnattributed,
  type Sweeps,
  type Unattributed,
} from './money-lists.ts'
import { openOrganisation, type Organisation } from './organisation.ts'
import { type Alerts, type AuditLog, openAlerts, openAuditLog } from './oversight.ts'
import { openPayments, type Payments } from './payments.ts'
import { openReports, type Reports } from './reports.ts'
import { readBaseUrl } from './request.ts'
import { sleep } from './sleep.ts'
import {
  type Credential,
  type Fetch,
  type Deps,
  openTransport,
  type RequestReport,
} from './transport.ts'
import { openUsers, type Users } from './users.ts'
import { openWebhookEndpoints, type WebhookEndpoints } from './webhook-endpoints.ts'
import { openWithdrawals, type Withdrawals } from './withdrawals.ts'

export interface ClientOptions {
  /** The address of the service, for example `https://sluice.example.com`; a path is kept. */
  baseUrl: string
  /** The organization's key, or a function that returns it. For servers. */
  apiKey?: Credential
  /** A user's token from `auth.login`, or a function that returns it. Instead of a key. */
  accessToken?: Credential
  /** Instead of the runtime's `fetch`. */
  fetch?: Fetch
  /** How often a call is repeated if that is safe: 0 to 10, 2 by default. */
  retries?: number
  /** The timeout of one attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number
  /** Called after every attempt, for logs and metrics; its errors are ignored. */
  onRequest?: (report: RequestReport) => void
}

/** The operations of Sluice, by subject. */
export interface Client {
  readonly auth: Auth
  readonly users: Users
  readonly apiKeys: ApiKeys
  readonly organisation: Organisation
  readonly payments: Payments
  readonly accounts: Accounts
  readonly withdrawals: Withdrawals
  readonly chains: Chains
  readonly tokens: Tokens
  readonly gasStation: GasStation
  readonly portfolio: Portfolio
  readonly reports: Reports
  readonly events: Events
  readonly webhookEndpoints: WebhookEndpoints
  readonly sweeps: Sweeps
  readonly unattributed: Unattributed
  readonly ledgerEntries: LedgerEntries
  readonly alerts: Alerts
  readonly auditLog: AuditLog
  readonly health: Health
}

const RETRIES = 2
const TIMEOUT_MS = 30_000

/** Creates a client. Throws a TypeError or a RangeError if an option is invalid. */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES } = options
  checkCallLimits({ timeoutMs, retries })
  return clientOf({
    baseUrl: readBaseUrl(options.baseUrl),
    credential: credentialOf(options),
    // Looked up with each call, so that a later replacement of the global is used.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    retries,
    timeoutMs,
    onRequest: options.onRequest ?? null,
    sleep,
    random: Math.random,
  })
}

/** Creates a client with replaceable dependencies, for tests. */
export function clientOf(deps: Deps): Client {
  const ask = openTransport(deps)
  const download = openDownload(deps)
  return {
    auth: openAuth(ask),
    users: openUsers(ask, download),
    apiKeys: openApiKeys(ask, download),
    organisation: openOrganisation(ask),
    payments: openPayments(ask, download),
    accounts: openAccounts(ask, download),
    withdrawals: openWithdrawals(ask, download),
    chains: openChains(ask),
    tokens: openTokens(ask),
    gasStation: openGasStation(ask),
    portfolio: openPortfolio(ask),
    reports: openReports(ask, download),
    webhookEndpoints: openWebhookEndpoints(ask),
    events: openEvents(ask, download),
    sweeps: openSweeps(ask, download),
    unattributed: openUnattributed(ask, download),
    ledgerEntries: openLedgerEntries(ask, download),
    alerts: openAlerts(ask, download),
    auditLog: openAuditLog(ask, download),
    health: openHealth(ask),
  }
}

function credentialOf({ apiKey, accessToken }: ClientOptions): Deps['credential'] {
  if (apiKey !== undefined && accessToken !== undefined)
    throw new TypeError('set apiKey or accessToken, not both')
  if (apiKey !== undefined) return { kind: 'apiKey', value: apiKey }
  return accessToken === undefined ? null : { kind: 'accessToken', value: accessToken }
}
