import type { Pool, PoolClient, QueryResult } from 'pg'
import type { RawBuilder } from 'kysely'
import { assert } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Ids } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { configOf, endPool, openPool } from './connection.ts'
import { CommitUnknown, isAnswer, isConflict, toFault, toUnreached } from './outage.ts'
import { execute, Statements } from './queries.ts'
import type { Queries } from './queries.ts'
import { readOverrides } from './session-settings.ts'
import { openWitness } from './witness.ts'

const POOL_MAX = 10
/** Retries of a transaction after a serialization conflict or a deadlock. */
const CONFLICT_RETRIES_MAX = 3
/** An idle transaction is ended, so that its locks never outlive a lease. */
const IDLE_MS = 5_000
/**
 * Limit of a statement of the API, for example one that waits for a lock: the caller gets an outage
 * and the connection is free. Longer than a webhook test, which may take 30 s.
 */
export const WORK_MS_MAX = 45_000
/** A snapshot holds no locks, and a backup may wait for a slow disk. */
const IDLE_SNAPSHOT_MS = 60_000

/** URLs of the three logins; equal if one external URL is configured. */
export interface DatabaseUrls {
  /** Owns the tables and runs migrations; "" if this process does not have that login. */
  owner: string
  /** For the loops; sees every organization. */
  engine: string
  /** For the API; sees one organization at a time. */
  api: string
}

/**
 * A transaction. Its user neither commits it nor calls a node inside it. Statements may be sent
 * without waiting for each other and run in that order.
 */
export interface Tx extends Queries {
  readonly clock: Clock
  readonly ids: Ids
  /** Runs before the commit, in order of registration: for the locks that must come last. */
  beforeCommit(work: (tx: Tx) => Promise<void>): void
  /** Runs after the commit; errors are only logged. */
  afterCommit(work: () => void): void
  /** Values of modules for the length of this transaction, by their symbols. */
  readonly local: Map<symbol, unknown>
}

/**
 * The only access to the database. After a conflict a transaction is repeated as a whole, so `work`
 * may change only the database and `local`. Throws an Outage if the database is unreachable, full,
 * read-only or out of connections, and `CommitUnknown` if the response to a commit was lost.
 */
export interface Database {
  /** Role sluice_engine, read committed. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Role sluice_api, which sees the rows of this organization only. */
  forOrg<T>(orgId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Role sluice_api without an organization: sees the rows of no organization. */
  asApi<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A snapshot: role sluice_engine, repeatable read, read only. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Proves to other processes that this one is alive (`openWitness`); may be empty. */
  witness(): Promise<string>
  /** Waits for running transactions and disconnects. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  urls: DatabaseUrls
  clock: Clock
  ids: Ids
  log: Log
  /** Maximum number of connections for each URL. */
  poolMax?: number
  /** Wraps every exchange with PostgreSQL. */
  exchange?: Exchange
}

/**
 * Sends something and waits for the response. `line` identifies the connection, whose exchanges
 * keep their order. An implementation can track and reorder the exchanges of different connections.
 */
export type Exchange = <T>(line: object, send: () => Promise<T>) => Promise<T>

const straight: Exchange = (_line, send) => send()

/** Opens the pools, which connect at the first transaction. */
export function openDatabase(options: DatabaseOptions): Database {
  const max = options.poolMax ?? POOL_MAX
  const open = (url: string) => openPool(url, { max, log: options.log })
  const { urls } = options
  const engine = open(urls.engine)
  const api = urls.api === urls.engine ? engine : open(urls.api)
  const witness = openWitness(configOf(urls.engine))
  const close = async () => {
    await Promise.all([...new Set([engine, api])].map((pool) => endPool(pool, options.clock)))
    await witness.close()
  }
  let closed: Promise<void> | null = null
  return {
    transaction: (work) => perform(engine, ENGINE_STEP, options, work),
    snapshot: (work) => perform(engine, SNAPSHOT, options, work),
    asApi: (work) => perform(api, apiStep(''), options, work),
    forOrg: async (orgId, work) => {
      assert(isId(orgId), 'an invalid organization id', { orgId })
      return perform(api, apiStep(orgId), options, work)
    },
    witness: () => witness.name(),
    close: () => (closed ??= close()),
  }
}

const ENGINE_STEP = openingOf('read committed', 'sluice_engine', '', IDLE_MS)
const SNAPSHOT = openingOf('repeatable read, read only', 'sluice_engine', '', IDLE_SNAPSHOT_MS)

function apiStep(orgId: string): Opening {
  const opening = openingOf('read committed', 'sluice_api', orgId, IDLE_MS)
  const settings = `${opening.settings}; set local statement_timeout = ${WORK_MS_MAX}`
  return { ...opening, settings }
}

/** The start of a transaction; the overrides of its connection come between the parts. */
interface Opening {
  begin: string
  settings: string
}

/**
 * Starts a transaction in one round trip, without a `select` that would have to be planned. All
 * settings are local to the transaction, because a pooler may lend the connection to another client
 * afterwards. Later statements wait for it: after a cancelled `begin` they would commit separately.
 */
function openingOf(isolation: string, role: string, orgId: string, idleMs: number): Opening {
  const settings = [
    `set local role ${role}`,
    `set local idle_in_transaction_session_timeout = ${idleMs}`,
    `set local sluice.org_id = '${orgId}'`,
  ].join('; ')
  return { begin: `begin isolation level ${isolation}`, settings }
}

type Outcome<T> = { result: T } | { conflict: unknown }

async function perform<T>(
  pool: Pool,
  opening: Opening,
  options: DatabaseOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    const outcome = await attempt(pool, opening, options, work)
    if ('result' in outcome) return outcome.result
    const { conflict } = outcome
    options.log.debug({ error: conflict, retries }, 'transaction conflict, repeating')
    if (retries >= CONFLICT_RETRIES_MAX)
      throw new Outage('database', 'the transaction failed after repeated conflicts', {
        cause: conflict,
      })
  }
}

async function attempt<T>(
  pool: Pool,
  opening: Opening,
  { clock, ids, log, exchange = straight }: DatabaseOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  const client = await openTransaction(pool, opening, exchange)
  const step = new Step(client, clock, ids, exchange)
  let usable = false
  try {
    const result = await work(step)
    await step.end()
    await exchange(client, () => commit(client))
    usable = true
    step.announce(log)
    return { result }
  } catch (error) {
    step.abandon()
    usable = await exchange(client, () => rollback(client))
    if (step.conflict !== null || isConflict(error)) return { conflict: step.conflict ?? error }
    throw toFault(error)
  } finally {
    client.release(!usable)
  }
}

/** An open transaction. After its end every statement is a Bug. */
class Step extends Statements implements Tx {
  readonly clock: Clock
  readonly ids: Ids
  readonly local = new Map<symbol, unknown>()
  /** The conflict that ended the transaction, even if `work` caught it. */
  conflict: unknown = null
  #open = true
  readonly #client: PoolClient
  readonly #exchange: Exchange
  readonly #before: ((tx: Tx) => Promise<void>)[] = []
  readonly #after: (() => void)[] = []

  constructor(client: PoolClient, clock: Clock, ids: Ids, exchange: Exchange) {
    super()
    this.clock = clock
    this.ids = ids
    this.#client = client
    this.#exchange = exchange
  }

  beforeCommit(work: (tx: Tx) => Promise<void>): void {
    assert(this.#open, 'work registered after the end of its transaction')
    this.#before.push(work)
  }

  afterCommit(work: () => void): void {
    assert(this.#open, 'work registered after the end of its transaction')
    this.#after.push(work)
  }

  /** Runs the `beforeCommit` work, which may register more, and ends the transaction. */
  async end(): Promise<void> {
    for (const work of this.#before) await work(this)
    this.#open = false
  }

  abandon(): void {
    this.#open = false
  }

  announce(log: Log): void {
    for (const work of this.#after) {
      try {
        work()
      } catch (error) {
        log.error({ error }, 'work after a commit failed')
      }
    }
  }

  protected override async send(query: RawBuilder<unknown>): Promise<QueryResult> {
    assert(this.#open, 'a statement after the end of its transaction')
    try {
      return await this.#exchange(this.#client, () => execute(this.#client, query))
    } catch (error) {
      if (isConflict(error)) this.conflict ??= error
      throw error
    }
  }
}

/** The overrides of pooled connections, as statements local to a transaction. */
const overrides = new WeakMap<PoolClient, string>()

/**
 * A connection with an open transaction. The server or a proxy may have closed an idle one at this
 * moment; nothing has happened on it yet, so the next one is taken. The error of a new connection
 * is thrown.
 */
async function openTransaction(
  pool: Pool,
  opening: Opening,
  exchange: Exchange,
): Promise<PoolClient> {
  for (;;) {
    const { client, isNew } = await exchange({}, () => connect(pool))
    try {
      await exchange(client, () => begin(client, opening))
      return client
    } catch (error) {
      client.release(true)
      if (isNew || isAnswer(error)) throw toFault(error)
    }
  }
}

async function connect(pool: Pool): Promise<{ client: PoolClient; isNew: boolean }> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toUnreached(error)
  })
  if (overrides.has(client)) return { client, isNew: false }
  try {
    overrides.set(client, await readOverrides(client, 'local'))
    return { client, isNew: true }
  } catch (error) {
    client.release(true)
    throw toUnreached(error)
  }
}

/** Starts the transaction. A missing role means that the database was never prepared. */
async function begin(client: PoolClient, opening: Opening): Promise<void> {
  const own = overrides.get(client) ?? ''
  const statements = [opening.begin, own, opening.settings]
  try {
    await client.query(statements.filter((text) => text !== '').join('; '))
  } catch (error) {
    if (!isAnswer(error) || toFault(error) !== error) throw error
    const hint = 'the database is not prepared for this user; run `sluice migrate`'
    throw new Outage('database', hint, { cause: error })
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit').catch((error: unknown) => {
    if (isAnswer(error)) throw error
    throw new CommitUnknown('database', 'the connection was lost during a commit', { cause: error })
  })
  // A statement failed and its error was caught: the database then rolls back instead.
  assert(command === 'COMMIT', 'a caught database error rolled the transaction back', {
    command,
  })
}

/** Whether the connection may be used again. */
async function rollback(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}
