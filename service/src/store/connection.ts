import type { RawBuilder } from 'kysely'
import { Client, Pool } from 'pg'
import type { ClientConfig, QueryResult } from 'pg'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { columnTypes } from './column-types.ts'
import { toFault, toUnreached } from './outage.ts'
import { execute, Statements } from './queries.ts'
import { settleSession } from './session-settings.ts'

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_CONNECTION_MS = 60_000
/** The last bound on a connection that went silent; every statement of ours is far shorter. */
const QUERY_TIMEOUT_MS = 300_000
const KEEP_ALIVE_MS = 10_000
const CLOSE_LIMIT_MS = 2_000

/**
 * Connections to one URL, opened as needed. A lost idle connection is logged and replaced, never
 * thrown.
 */
export function openPool(url: string, { max, log }: { max: number; log: Log }): Pool {
  const pool = new Pool({
    ...configOf(url),
    max,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // Statements that a step does not wait for one by one go out together (measured: fourfold).
    pipeline: true,
  })
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle connection was lost'))
  pool.on('connect', (client) => {
    // Without a listener a connection lost between two statements of a step would end the process.
    client.on('error', (error) => log.debug({ error: error.message }, 'a connection was lost'))
  })
  return pool
}

/**
 * Disconnects and waits until the server has seen it: `end()` of the pool alone comes back before
 * its connections are closed, and a server stopped just then would call that an interruption. A
 * server that no longer answers is waited for a moment only.
 */
export async function endPool(pool: Pool, clock: Clock): Promise<void> {
  const waited = new AbortController()
  const closed = new Promise<void>((resolve) => {
    let open = pool.totalCount
    if (open === 0) resolve()
    pool.on('remove', () => {
      open -= 1
      if (open === 0) resolve()
    })
  })
  await pool.end()
  await Promise.race([closed, clock.sleep(CLOSE_LIMIT_MS, waited.signal)])
  waited.abort()
}

/** One connection of its own, outside any pool: for migrations and for reading the catalog. */
export class Session extends Statements {
  readonly #client: Client

  constructor(client: Client) {
    super()
    this.#client = client
  }

  /** Runs several statements as one text, without values. */
  async script(text: string): Promise<void> {
    try {
      await this.#client.query(text)
    } catch (error) {
      throw toFault(error)
    }
  }

  protected override send(query: RawBuilder<unknown>): Promise<QueryResult> {
    return execute(this.#client, query)
  }
}

/**
 * Connects, works, and disconnects whatever happened. Throws an Outage where the database is away.
 */
export async function withSession<T>(
  url: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const client = new Client(configOf(url))
  client.on('error', () => undefined)
  try {
    await client
      .connect()
      .then(() => settleSession(client))
      .catch((error: unknown) => {
        throw toUnreached(error)
      })
    return await work(new Session(client))
  } catch (error) {
    throw toFault(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** One transaction on a session: committed when the work returns, rolled back when it throws. */
export async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.script('begin')
  try {
    const result = await work()
    await session.script('commit')
    return result
  } catch (error) {
    await session.script('rollback').catch(() => undefined)
    throw error
  }
}

/** The same server and user, another database. */
export function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(name)}`
  return changed.href
}

/** How every connection of ours is made. */
export function configOf(url: string): ClientConfig {
  return {
    connectionString: url,
    types: columnTypes,
    application_name: 'sluice',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}
