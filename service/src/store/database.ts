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
/**
 * A step chosen as the loser of a conflict or a deadlock is repeated whole this often (engineering,
 * 21).
 */
const CONFLICT_RETRIES_MAX = 3
/**
 * A step that stops talking loses its transaction, so that its locks never outlive a lease
 * (engineering, 22).
 */
const IDLE_MS = 5_000
/**
 * So long a caller waits at the door for the work, which may ask a receiver of webhooks for 30 s,
 * and is told then that the database is away: a statement that waits on, behind a locked table say,
 * only keeps a connection from others.
 */
export const WORK_MS_MAX = 45_000
/** A reader holds no locks, and a backup may wait for a slow disk. */
const IDLE_SNAPSHOT_MS = 60_000

/** Where to connect and as whom. With one external URL all three are the same. */
export interface DatabaseUrls {
  /** Migrates and owns the tables; "" if this process is not given that login. */
  owner: string
  /** The loops: sees every organization. */
  engine: string
  /** The door: sees one organization at a time. */
  api: string
}

/**
 * One transaction. Whoever is given one neither commits it nor calls a node inside it. Statements
 * may be sent without waiting for each other; they run in the order in which they were sent.
 */
export interface Tx extends Queries {
  readonly clock: Clock
  readonly ids: Ids
  /**
   * Runs once at the very end, in order of registration, before the commit: what locks last belongs
   * here.
   */
  beforeCommit(work: (tx: Tx) => Promise<void>): void
  /** Runs after the commit succeeded; what it throws is logged and changes nothing. */
  afterCommit(work: () => void): void
  /** What a room keeps for the length of this transaction, by a symbol of its own. */
  readonly local: Map<symbol, unknown>
}

/**
 * The only way to the database. A step is repeated whole after a conflict, at most three times; so
 * a step changes nothing but the database and its own `local`. Every way throws an Outage where the
 * database is away, full, read-only or crowded, and `CommitUnknown` where the answer to a commit
 * was lost.
 */
export interface Database {
  /** A step of the engine: role sluice_engine, read committed. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A step for one organization: role sluice_api, which sees no other's rows. */
  forOrg<T>(orgId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The API's role before the organization is known: it sees no organization's rows at all. */
  asApi<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One unchanging picture of everything: role sluice_engine, repeatable read, read only. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** By what others know that this process lives; empty where nothing says so. */
  witness(): Promise<string>
  /** Waits for running steps, then disconnects. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  urls: DatabaseUrls
  clock: Clock
  ids: Ids
  log: Log
  /** Connections at most to each of the URLs. */
  poolMax?: number
  /** Through which all goes that is said to PostgreSQL; straight through unless given. */
  exchange?: Exchange
}

/**
 * Sends something and waits for the answer. `line` stands for the connection, whose exchanges keep
 * their order. Whoever hands one in knows what is under way, and may say who comes first.
 */
export type Exchange = <T>(line: object, send: () => Promise<T>) => Promise<T>

const straight: Exchange = (_line, send) => send()

/** Opens the pools; nothing connects before the first step. */
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
      assert(isId(orgId), 'an organization id that is no id', { orgId })
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

/** How a transaction begins; what its connection must override comes between the two parts. */
interface Opening {
  begin: string
  settings: string
}

/**
 * All that a transaction needs to know, in one round trip, without a `select` that would be planned
 * and answered with a row. Everything is local to the transaction, so a pooler between us and the
 * server may hand the connection to somebody else afterwards. No statement goes out before this is
 * answered: where a `begin` was cancelled, it would stand alone, and be committed by itself.
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
    options.log.debug({ error: conflict, retries }, 'a step lost a conflict and is repeated')
    if (retries >= CONFLICT_RETRIES_MAX)
      throw new Outage('database', 'the step kept losing to others', { cause: conflict })
  }
}

async function attempt<T>(
  pool: Pool,
  opening: Opening,
  { clock, ids, log, exchange = straight }: DatabaseOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  const client = await exchange({}, () => connect(pool))
  const step = new Step(client, clock, ids, exchange)
  let usable = false
  try {
    await exchange(client, () => begin(client, opening))
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

/**
 * One transaction while it lives; after its end every statement is a Bug, so that none slips into
 * the next one.
 */
class Step extends Statements implements Tx {
  readonly clock: Clock
  readonly ids: Ids
  readonly local = new Map<symbol, unknown>()
  /** The conflict that ended the step, whatever its work made of it afterwards. */
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
    assert(this.#open, 'work registered on a transaction that is over')
    this.#before.push(work)
  }

  afterCommit(work: () => void): void {
    assert(this.#open, 'work registered on a transaction that is over')
    this.#after.push(work)
  }

  /** Runs what was left for the end, which may leave more, and closes the door. */
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
    assert(this.#open, 'a statement on a transaction that is over')
    try {
      return await this.#exchange(this.#client, () => execute(this.#client, query))
    } catch (error) {
      if (isConflict(error)) this.conflict ??= error
      throw error
    }
  }
}

/** The overrides of each connection of a pool, as statements local to a transaction. */
const overrides = new WeakMap<PoolClient, string>()

async function connect(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toUnreached(error)
  })
  if (overrides.has(client)) return client
  try {
    overrides.set(client, await readOverrides(client, 'local'))
    return client
  } catch (error) {
    client.release(true)
    throw toUnreached(error)
  }
}

/**
 * Opens the transaction. A role that is missing or not ours to take means a database that was never
 * prepared.
 */
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
    throw new CommitUnknown('database', 'lost while it committed', { cause: error })
  })
  // A statement failed and its fault was swallowed: the database then answers a commit with a
  // rollback.
  assert(command === 'COMMIT', 'a step hid a fault of the database and was rolled back', {
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
