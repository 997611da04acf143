import { access, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { assert } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import { type Random, systemRandom } from '../base/random.ts'
import { Outage } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import { withDatabaseName, withSession } from './connection.ts'
import type { DatabaseUrls } from './database.ts'
import { openBinaries } from './embedded-binaries.ts'
import { closeSocketFolder, makePrivate, openHome, openSocketFolder } from './embedded-home.ts'
import type { Home } from './embedded-home.ts'
import {
  ACCESS,
  LOGIN_ROLES,
  type Logins,
  hasAccess,
  makeLogins,
  readLogins,
  setPasswords,
  writeAccess,
} from './embedded-logins.ts'
import { memorySettings } from './embedded-memory.ts'
import {
  clusterName,
  findPostmaster,
  interrupt,
  isAlive,
  removeStaleLock,
  startProgram,
} from './embedded-process.ts'
import type { Running } from './embedded-process.ts'
import { createRoles } from './roles.ts'

/** How long another server of the folder may take to stop. */
const HANDOVER_MS = 10_000
/** Includes the replay of the log after a crash. */
const READY_MS = 120_000
const STOP_MS = 30_000
const POLL_MS = 20
const DATABASE = 'sluice'
const SUPERUSER = 'postgres'
/** Another server of the folder is still stopping. */
const NOT_YET = /already exists|still in use|shutting down|could not create any Unix-domain sockets/

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // LOG and worse: the client reports a failed statement.
  log_min_messages: 'log',
  jit: 'off',
}

export interface EmbeddedOptions {
  /** Created if it does not exist. */
  dataFolder: string
  log: Log
  clock: Clock
  /** The `bin` folder of an installed PostgreSQL; by default that of the package. */
  binFolder?: string
  /** Bytes of memory of the machine; without it PostgreSQL's defaults apply. */
  memoryBytes?: number
  /** Additional PostgreSQL settings. */
  settings?: Record<string, string>
  /** Creates the passwords of the logins; by default the operating system's generator. */
  random?: Random
  /** Allows the superuser to connect after the start, for tests. */
  keepsSuperuser?: boolean
}

/** An embedded PostgreSQL server on a unix socket that only this user can reach. */
export interface EmbeddedServer {
  urls: DatabaseUrls
  /** Refused by the server unless it was started with `keepsSuperuser`. */
  superuserUrl: string
  pid: number
  /** Resolves when the server ended for any reason. */
  exited: Promise<number | null>
  /** Shuts the server down cleanly and waits for it. */
  stop(): Promise<void>
}

/**
 * Starts the embedded server, at first with a new data folder, the three roles and an empty
 * database `sluice`. The passwords of the roles are in `logins.json` (0600); the superuser creates
 * the roles at the first start and cannot connect afterwards. When this process dies, even by kill
 * -9, Linux interrupts the server; on other systems the next start stops it. Throws if another
 * process runs the folder, or if PostgreSQL does not start. Call it on the main thread, whose end
 * would also interrupt the server.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const home = await openHome(options.dataFolder)
  const bin = await openBinaries(home, options.binFolder)
  await makeData(home, bin, options)
  const server = await startServer(home, bin, options)
  const urls = urlsOf(await openSocketFolder(home), server.logins)
  if (!server.isPrepared) await prepareDatabase(home, { ...urls, ...server })
  const { pid, exited } = server
  return { ...urls, pid, exited, stop: () => stopServer(home, server, options) }
}

/** Finds the running server of a data folder, started by another process; null if not running. */
export async function findEmbedded(
  dataFolder: string,
): Promise<Pick<EmbeddedServer, 'urls' | 'pid'> | null> {
  const home = await openHome(dataFolder)
  const found = await findPostmaster(home)
  if (found === null || !found.isReady) return null
  const logins = await readLogins(home)
  return logins && { urls: urlsOf(found.socketFolder, logins).urls, pid: found.pid }
}

interface Started extends Entry {
  pid: number
  exited: Promise<number | null>
  isOver(): boolean
}

/** The logins of a server. */
interface Entry {
  logins: Logins
  /** The content of `pg_hba.conf` after their creation. */
  rules: string
  isPrepared: boolean
}

async function openEntry(home: Home, { keepsSuperuser, random }: EmbeddedOptions): Promise<Entry> {
  const rules = keepsSuperuser === true ? ACCESS.kept : ACCESS.closed
  const known = await readLogins(home)
  const isPrepared = known !== null && (await hasAccess(home, rules))
  if (!isPrepared) await writeAccess(home, ACCESS.preparing)
  return { logins: known ?? (await makeLogins(home, random ?? systemRandom)), rules, isPrepared }
}

/** Creates the data folder under a temporary name, so that a kill leaves no incomplete folder. */
async function makeData(home: Home, bin: string, options: EmbeddedOptions): Promise<void> {
  if (await isMade(home)) return
  const making = await makePrivate(`${home.data}.new-`, home.runAs)
  const args = ['-D', making, '-U', SUPERUSER, '-k', '-E', 'UTF8', '--locale=C', '-A', 'trust']
  if (options.settings?.['fsync'] === 'off') args.push('--no-sync')
  const initdb = startProgram({ program: join(bin, 'initdb'), args, home }, options.log)
  const code = await initdb.exited
  if (code === 0) await rename(making, home.data).catch(() => undefined)
  await rm(making, { recursive: true, force: true })
  // If the rename failed, another process created the folder meanwhile.
  if (await isMade(home)) return
  throw new Outage('database', `PostgreSQL could not create ${home.data}: ${initdb.lastWords()}`)
}

async function isMade(home: Home): Promise<boolean> {
  return access(join(home.data, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

async function startServer(home: Home, bin: string, options: EmbeddedOptions): Promise<Started> {
  const { clock } = options
  const deadline = clock.now() + HANDOVER_MS
  for (;;) {
    await waitForOthers(home, options, deadline)
    const entry = await openEntry(home, options)
    const socketFolder = await openSocketFolder(home)
    const running = launch(home, bin, socketFolder, options)
    if (await isReady(running, home, clock)) {
      const { pid } = running.child
      assert(pid !== undefined, 'a running server without a pid')
      return { ...entry, pid, exited: running.exited, isOver: () => running.isOver() }
    }
    const words = running.lastWords()
    if (!NOT_YET.test(words) || clock.now() > deadline)
      throw new Outage('database', `PostgreSQL did not start in ${home.data}: ${words}`)
    await clock.sleep(POLL_MS * 5)
  }
}

function launch(home: Home, bin: string, socketFolder: string, options: EmbeddedOptions): Running {
  const { memoryBytes } = options
  const settings = {
    ...SETTINGS,
    cluster_name: clusterName(process.pid),
    ...(memoryBytes === undefined ? {} : memorySettings(memoryBytes)),
    ...options.settings,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return startProgram(
    {
      program: join(bin, 'postgres'),
      args: ['-D', home.data, '-k', socketFolder, ...args],
      home,
    },
    options.log,
  )
}

/**
 * Waits for an earlier server of the folder to stop. Interrupts one whose starter is dead, as Linux
 * already did, and never one whose starter is alive.
 */
async function waitForOthers(home: Home, { clock }: EmbeddedOptions, until: number): Promise<void> {
  for (;;) {
    const other = await findPostmaster(home)
    if (other === null) break
    if (!isAlive(other.starter)) interrupt(other.pid)
    if (clock.now() > until)
      throw new Outage(
        'database',
        `${home.data} is in use: process ${other.starter} runs its server (${other.pid}). ` +
          'Stop that process first.',
      )
    await clock.sleep(POLL_MS * 5)
  }
  await removeStaleLock(home)
}

/** Waits until the lock file reports this server as ready; false if it ended. */
async function isReady(running: Running, home: Home, clock: Clock): Promise<boolean> {
  const deadline = clock.now() + READY_MS
  while (!running.isOver()) {
    const found = await findPostmaster(home)
    if (found?.isReady && found.pid === running.child.pid) return true
    if (clock.now() > deadline) {
      running.child.kill('SIGINT')
      throw new Outage('database', `PostgreSQL was not ready within ${READY_MS} ms.`)
    }
    await clock.sleep(POLL_MS)
  }
  return false
}

/** The superuser's last work; repeated if it was interrupted. */
async function prepareDatabase(
  home: Home,
  given: { superuserUrl: string; logins: Logins; rules: string },
): Promise<void> {
  await withSession(given.superuserUrl, async (session) => {
    await createRoles(session, { login: true })
    await setPasswords(session, given.logins)
    const found = await session.maybe(sql`
      select 1
        from pg_catalog.pg_database
       where datname = ${DATABASE}`)
    if (found === null) await session.script(`create database ${DATABASE} owner sluice_owner`)
    await writeAccess(home, given.rules)
    await session.script('select pg_reload_conf()')
  })
}

async function stopServer(home: Home, server: Started, { clock }: EmbeddedOptions): Promise<void> {
  // The pid of an ended process may belong to another one.
  if (!server.isOver()) interrupt(server.pid)
  const timeout = new AbortController()
  const late = clock.sleep(STOP_MS, timeout.signal).then(() => 'late' as const)
  const end = await Promise.race([server.exited, late])
  timeout.abort()
  if (end === 'late')
    throw new Error(`PostgreSQL (${server.pid}) did not stop within ${STOP_MS} ms.`)
  await closeSocketFolder(home)
}

function urlsOf(
  socketFolder: string,
  logins: Logins,
): { urls: DatabaseUrls; superuserUrl: string } {
  const as = (user: string, password = '') => {
    const query = new URLSearchParams({
      host: socketFolder,
      port: '5432',
      user,
      ...(password !== '' && { password }),
      sslmode: 'disable',
    })
    return `postgresql:///${DATABASE}?${query.toString()}`
  }
  return {
    urls: {
      owner: as(LOGIN_ROLES.owner, logins.owner),
      engine: as(LOGIN_ROLES.engine, logins.engine),
      api: as(LOGIN_ROLES.api, logins.api),
    },
    superuserUrl: withDatabaseName(as(SUPERUSER), 'postgres'),
  }
}
