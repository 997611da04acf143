import type { AccountKeys } from '../accounts/wallet.ts'
import type { Clock, Millis } from '../base/clock.ts'
import type { Dice } from '../base/dice.ts'
import type { Ids } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { Caller } from '../orgs/caller.ts'
import type { KeyUses } from '../orgs/key-use.ts'
import type { readSigningSecrets } from '../orgs/signing-secret.ts'
import type { Database } from '../store/database.ts'
import type { Resolve, TargetRules } from '../webhooks/target.ts'

/** Who an access token belongs to; null where it is expired, ended or none of ours. */
export type ReadSession = (accessToken: string) => Promise<Caller | null>

/** What answers requests is made of. The keys are only handed on: to accounts and to orgs. */
export interface ServerMeans extends AccountKeys {
  serviceKey: Parameters<typeof readSigningSecrets>[1]
  database: Database
  catalogue: Catalogue
  clock: Clock
  ids: Ids
  dice: Dice
  log: Log
  resolve: Resolve
  settings: { apiKeyMayConfigure: boolean; webhookTargets: TargetRules }
  /** What /readyz says; only `unavailable` is a 503. */
  readiness: () => Promise<{ status: string; checks: Readonly<Record<string, string>> }>
  /** Hears of every request that was answered. */
  onRequest(seen: { route: string; method: string; status: number; ms: Millis }): void
  /** Where uses of API keys are noted; whoever opened it flushes it. */
  keyUses?: KeyUses
  /** Absent until there is a sign-in: then every bearer token is refused. */
  readSession?: ReadSession | null
}
