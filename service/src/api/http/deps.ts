import type { ChainEntry } from '../../catalogue/chains.ts'
import type { FeeCaps } from '../../chains/spending.ts'
import type { ChainId, TokenId } from '@sluice/wire'
import type { AccountKeys } from '../../accounts/wallet.ts'
import type { Clock, Millis } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Ids } from '../../base/id.ts'
import type { Log } from '../../base/log.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { Chains } from '../../chains/registry.ts'
import type { KeyUses } from '../../orgs/key-use.ts'
import type { Limits } from '../../orgs/limits.ts'
import type { LogInDeps } from '../../orgs/log-in.ts'
import type { PasskeySite } from '../../orgs/passkey.ts'
import type { PasswordChecks } from '../../orgs/password-checks.ts'
import type { Sessions } from '../../orgs/sessions.ts'
import type { readSigningSecrets } from '../../orgs/signing-secret.ts'
import type { Database } from '../../store/database.ts'
import type { Resolve, TargetRules } from '../../webhooks/target.ts'
import type { Tester } from '../../webhooks/test-endpoint.ts'
import type { EventWatch } from '../../webhooks/watch-events.ts'
import type { PeerOf } from './peer.ts'

/** The dependencies of the operations. */
export interface CallDeps extends ServerDeps {
  /** Waits for events; the server closes it at its stop. */
  eventWatch: EventWatch
}

/** The dependencies of the server. It only passes its keys on, to accounts and to orgs. */
export interface ServerDeps {
  serviceKey: Parameters<typeof readSigningSecrets>[1]
  /** Issues deposit addresses; without the seed unless the process is also a spender. */
  accountKeys: AccountKeys
  database: Database
  catalogue: Catalogue
  clock: Clock
  ids: Ids
  random: Random
  log: Log
  /** The chains that have nodes; queried outside of transactions. */
  chains: Pick<Chains, 'get'>
  /** The highest fee of a plain transfer, in base units of the native currency. */
  feeBook: { feeOf(chainId: ChainId, tokenId: TokenId): Promise<bigint> }
  /** The fee caps of a chain; without them, creation queries no quote. */
  capsOf?: (entry: ChainEntry) => FeeCaps
  resolve: Resolve
  /** Sends test events; its opener closes it. */
  tester: Pick<Tester, 'test'>
  settings: {
    apiKeyMayConfigure: boolean
    webhookTargets: TargetRules
    /** How long an approval of a withdrawal counts. */
    approvalMaxAgeMs: Millis
    /** Attempts to sign in, in a minute. */
    logInRates: LogInDeps['rates']
    /** The dashboard to which passkeys are bound; null if no public URL is set. */
    passkeySite: PasskeySite | null
    /** Gives the codes of test persons, in development; empty or absent: no codes. */
    testCodesUrl?: string
  }
  /** The result of /readyz; only `unavailable` is a 503. */
  readiness: () => Promise<{ status: string; checks: Readonly<Record<string, string>> }>
  /** Whether the process's clock is wrong; then only GET and HEAD are answered. */
  isClockSkewed: () => boolean
  /** Is called after every response. */
  onRequest(seen: { route: string; method: string; status: number; ms: Millis }): void
  /** Records uses of API keys; its opener flushes it. */
  keyUses?: KeyUses
  sessions: Sessions
  /** Counts requests; its opener settles it. */
  limits: Limits
  peerOf: PeerOf
  /** Compares passwords at sign-in; its opener closes it. */
  passwords: PasswordChecks
}
