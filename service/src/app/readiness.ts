import { type Clock, type Millis, inTime } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { type ChainState, readChainStates } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { proveServiceKey } from '../orgs/prove-service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Migration } from '../store/migration-files.ts'
import { migrationsOf } from '../store/migrate.ts'
import { limitStatements } from '../store/time-rows.ts'

/**
 * `other`: the database was written with another service key. `skewed`: the clock of this process
 * differs from the database's, so its loops are paused and it refuses changes.
 */
type Check = 'ok' | 'behind' | 'stopped' | 'away' | 'other' | 'skewed'

/** The answer of /readyz (decisions, 12): the state of each check, and no internals. */
export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable'
  checks: Readonly<Record<string, Check>>
}

/** The parts that are checked; `migrations` are those of this program, read once. */
export interface ReadinessOf {
  database: Database
  catalogue: Catalogue
  clock: Clock
  clockWatch: { isSkewed: boolean }
  migrations: readonly Migration[]
  serviceKey: Pick<ServiceKey, 'mac'>
}

/** A chain this many of its own block times behind the wall clock is behind. */
const BEHIND_BLOCKS = 20
const BEHIND_MS_MIN = 60_000
/** A database that hangs keeps connections open: after this time it counts as unavailable. */
export const ANSWER_MS_MAX = 10_000
const AWAY: Readiness = { status: 'unavailable', checks: { database: 'away' } }

/**
 * Checks the database, its schema and whether it was written with this service key (503 if not),
 * and the chains (degraded). A spender always has the seed: without it the process does not start.
 */
export async function readReadiness(sources: ReadinessOf): Promise<Readiness> {
  const late = () => AWAY
  try {
    return await inTime(sources.clock, { ms: ANSWER_MS_MAX, work: judge(sources), late })
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return AWAY
  }
}

/** The endpoint is public: a check that timed out does not keep waiting for a lock. */
async function judge(sources: ReadinessOf): Promise<Readiness> {
  const readiness = await sources.database.asApi(async (tx) => {
    await limitStatements(tx, ANSWER_MS_MAX)
    return judgeReadiness(tx, sources)
  })
  if (readiness.status === 'unavailable') return readiness
  const { status, checks } = await judgeKeys(readiness, sources)
  if (!sources.clockWatch.isSkewed) return { status, checks }
  return { status: 'unavailable', checks: { ...checks, clock: 'skewed' } }
}

async function judgeReadiness(tx: Tx, sources: ReadinessOf): Promise<Readiness> {
  const { pending, unknown } = await migrationsOf(tx, sources.migrations)
  if (pending.length + unknown.length > 0) {
    return { status: 'unavailable', checks: { database: 'ok', migrations: 'behind' } }
  }
  const chains = chainChecks(sources, await readChainStates(tx))
  const well = Object.values(chains).every((state) => state === 'ok')
  const checks = { database: 'ok', migrations: 'ok', keys: 'ok', ...chains } as const
  return { status: well ? 'ready' : 'degraded', checks }
}

/** Checked each time: the organization may be newer than this process, or the database restored. */
async function judgeKeys(
  readiness: Readiness,
  { database, serviceKey }: ReadinessOf,
): Promise<Readiness> {
  const proof = await database.transaction(async (tx) => {
    await limitStatements(tx, ANSWER_MS_MAX)
    return proveServiceKey(tx, serviceKey)
  })
  if (proof !== 'other') return readiness
  return { status: 'unavailable', checks: { ...readiness.checks, keys: 'other' } }
}

function chainChecks(
  { catalogue, clock }: ReadinessOf,
  states: readonly ChainState[],
): Record<string, Check> {
  const byId = new Map(states.map((state) => [state.chainId, state]))
  const configured = catalogue.chains.filter(({ id }) => catalogue.isConfigured(id))
  return Object.fromEntries(
    configured.map((entry) => [entry.id, checkOf(entry, byId.get(entry.id), clock.now())]),
  )
}

function checkOf(entry: ChainEntry, state: ChainState | undefined, now: Millis): Check {
  if (state === undefined) return 'away'
  if (state.condition !== 'running') return 'stopped'
  return isBehind(entry, state, now) ? 'behind' : 'ok'
}

/** Whether a chain's tip is so old that no new block came for many times its usual pause. */
export function isBehind(entry: ChainEntry, state: ChainState, now: Millis): boolean {
  const allowed = Math.max(BEHIND_MS_MIN, entry.blockTimeSeconds * BEHIND_BLOCKS * 1000)
  return now - state.tipTime > allowed
}
