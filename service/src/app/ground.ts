import { type Clock, systemClock } from '../base/clock.ts'
import { type Random, systemRandom } from '../base/random.ts'
import { Misconfigured, Refusal } from '../base/fault.ts'
import { type Ids, uuids } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { type Catalogue, openCatalogue } from '../catalogue/find.ts'
import { type Database, type DatabaseUrls, openDatabase } from '../store/database.ts'
import { findEmbedded, startEmbedded } from '../store/embedded.ts'
import { machineMemory } from '../store/embedded-memory.ts'
import { isAlive } from '../store/embedded-process.ts'
import { readMigrations } from '../store/migration-files.ts'
import { type MigrateOptions, migrate, migrationStatus, migrationsOf } from '../store/migrate.ts'
import type { Config } from './config.ts'

/** The migrations lie beside `src` and `dist`. */
export const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/**
 * The base of the service and of each command: a database with the right schema, the catalogue, the
 * clock and random.
 */
export interface Ground {
  config: Config
  clock: Clock
  random: Random
  ids: Ids
  log: Log
  catalogue: Catalogue
  database: Database
  urls: DatabaseUrls
  /** Resolves when the embedded server has ended; never for an external one. */
  databaseEnded: Promise<void>
  close(): Promise<void>
}

/** The service migrates the schema; a command only creates it in an empty database. */
export type GroundOf = 'service' | 'command'

/** Opens the database that the configuration names, embedded or external, and the catalogue. */
export async function openGround(config: Config, log: Log, forWhom: GroundOf): Promise<Ground> {
  const server = await openDatabaseServer(config, log, forWhom)
  const clock = systemClock
  const ids = uuids(clock, systemRandom)
  const database = openDatabase({ urls: server.urls, clock, ids, log })
  try {
    const target = { ownerUrl: server.urls.owner, folder: MIGRATIONS, log }
    if (server.urls.owner === '') await requireCurrent(database)
    else await (forWhom === 'service' ? migrate(target) : requireSchema(target))
  } catch (error) {
    await database.close()
    await server.stop()
    throw error
  }
  return {
    config,
    clock,
    random: systemRandom,
    ids,
    log,
    catalogue: catalogueOf(config),
    database,
    urls: server.urls,
    databaseEnded: server.ended,
    close: async () => {
      await database.close()
      await server.stop()
    },
  }
}

/** Only the owner's login can migrate: without it the schema must already be current. */
async function requireCurrent(database: Database): Promise<void> {
  const files = await readMigrations(MIGRATIONS)
  const { pending, unknown } = await database.transaction((tx) => migrationsOf(tx, files))
  if (pending.length + unknown.length === 0) return
  throw new Misconfigured(
    `The schema of the database is not the one of this program. ${OWNER_NEEDED} for ` +
      '`sluice migrate`.',
  )
}

const OWNER_NEEDED = 'Set SLUICE_DATABASE_URL to the login that owns the tables'

/** The URL of the login that owns the tables. Throws Misconfigured if it is not configured. */
export function requireOwner({ owner }: DatabaseUrls): string {
  if (owner !== '') return owner
  throw new Misconfigured(`${OWNER_NEEDED}; this command needs it.`)
}

/** To bring a database forward under a running service is nothing that a look at it may do. */
async function requireSchema(target: MigrateOptions): Promise<void> {
  const { applied, pending, unknown } = await migrationStatus(target)
  if (applied.length === 0 || unknown.length > 0) await migrate(target)
  else if (pending.length > 0) {
    const says = 'The database is older than this program: run `sluice migrate` first.'
    throw new Refusal('BAD_REQUEST', { pending }, says)
  }
}

/** The product's catalogue with what the configuration adds and overrides. */
export function catalogueOf(config: Config): Catalogue {
  const configured = config.chains.filter(({ nodes }) => nodes.length > 0)
  return openCatalogue({
    chains: configured.map(({ id, confirmations, addressType, explorer }) => ({
      id,
      ...(confirmations !== null && { confirmations }),
      ...(addressType !== null && { addressType }),
      ...(explorer !== 'catalogue' && { explorer }),
    })),
    tokens: config.tokens,
  })
}

/** A database to connect to; `stop` ends it if this process started it. */
export interface DatabaseServer {
  urls: DatabaseUrls
  ended: Promise<void>
  stop(): Promise<void>
}

/** Opens the database that the configuration names, embedded or external, as it is. */
export async function openDatabaseServer(
  config: Config,
  log: Log,
  forWhom: GroundOf,
): Promise<DatabaseServer> {
  if (config.databaseUrl !== '' || config.databaseEngineUrl !== '') {
    const owner = config.databaseUrl
    const engine = config.databaseEngineUrl || owner
    const api = config.databaseApiUrl || owner
    return { urls: { owner, engine, api }, ended: NEVER, stop: async () => undefined }
  }
  const borrowed = await borrowServer(config, forWhom)
  if (borrowed !== null) return borrowed
  if (config.environment === 'production' && forWhom === 'service') {
    log.warn('the database is embedded: for production, SLUICE_DATABASE_URL names one of your own')
  }
  const server = await startEmbedded({
    dataFolder: config.dataFolder,
    log,
    clock: systemClock,
    memoryBytes: machineMemory(),
    ...(config.postgresBin === '' ? {} : { binFolder: config.postgresBin }),
  })
  const ended = server.exited.then(() => undefined)
  return { urls: server.urls, ended, stop: () => server.stop() }
}

const NEVER = new Promise<never>(() => undefined)
const LOOK_MS = 500
/** A command ends soon and its server with it: a service waits for that, and starts its own. */
const COMMANDS_LAST_MS = 3_000

/** The embedded server that another process of ours runs on the same data folder, if any. */
async function borrowServer(config: Config, forWhom: GroundOf): Promise<DatabaseServer | null> {
  const clock = systemClock
  const until = clock.now() + (forWhom === 'service' ? COMMANDS_LAST_MS : 0)
  for (;;) {
    const running = await findEmbedded(config.dataFolder)
    if (running === null) return null
    if (clock.now() >= until) {
      const stopped = new AbortController()
      const ended = untilGone(running.pid, clock, stopped.signal)
      return { urls: running.urls, ended, stop: async () => stopped.abort() }
    }
    await clock.sleep(LOOK_MS)
  }
}

async function untilGone(pid: number, clock: Clock, signal: AbortSignal): Promise<void> {
  while (isAlive(pid) && !signal.aborted) await clock.sleep(LOOK_MS, signal)
}
