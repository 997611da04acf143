import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { systemClock } from '../../src/base/clock.ts'
import { withDatabaseName, withSession } from '../../src/store/connection.ts'
import type { DatabaseUrls } from '../../src/store/database.ts'
import { startEmbedded } from '../../src/store/embedded.ts'
import { migrate } from '../../src/store/migrate.ts'
import { silentLog } from './clock.ts'
import { type Made, makeOnDemand } from './on-demand.ts'

/** A server on which tests create databases. */
export interface TestServer {
  /** A login that may create databases. */
  adminUrl: string
  /** The logins of the service, for any database. */
  urls: DatabaseUrls
  /** True for the embedded server, where the three roles are logins. */
  isEmbedded: boolean
  /** Every database of this run begins with this. */
  prefix: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket where `askForMade` gets the `TestServer`. */
    testServerDoor: string
  }
}

export const TEMPLATE = 'template'
const MIGRATIONS = new URL('../../migrations/', import.meta.url)
/** A test's database may be lost with the machine. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  max_wal_size: '256MB',
}

/**
 * One PostgreSQL for a whole run of the tests, started when the first test asks for it and stopped
 * at the end; with `SLUICE_TEST_DATABASE_URL` set, that server instead. Runs in vitest's own
 * process, which outlives its workers.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { door, close } = await makeOnDemand(startServer)
  project.provide('testServerDoor', door)
  return close
}

async function startServer(folder: string): Promise<Made<TestServer>> {
  const started = await connectServer(folder)
  const server = { ...started.server, prefix: `sluice_${randomBytes(4).toString('hex')}_` }
  const close = async () => {
    await dropAll(server)
    await started.stop()
  }
  try {
    const template = server.prefix + TEMPLATE
    await createDatabase(server, template, null)
    await migrateWhole(withDatabaseName(server.urls.owner, template))
    return { told: server, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function connectServer(
  folder: string,
): Promise<{ server: Omit<TestServer, 'prefix'>; stop(): Promise<void> }> {
  const external = process.env['SLUICE_TEST_DATABASE_URL']
  if (external) {
    const urls = { owner: external, engine: external, api: external }
    const server = { adminUrl: external, urls, isEmbedded: false }
    return { server, stop: async () => undefined }
  }
  const dataFolder = join(folder, 'postgresql')
  const options = { dataFolder, settings: FAST, clock: systemClock, log: silentLog() }
  const embedded = await startEmbedded({ ...options, keepsSuperuser: true })
  const { superuserUrl: adminUrl, urls } = embedded
  return { server: { adminUrl, urls, isEmbedded: true }, stop: () => embedded.stop() }
}

/**
 * Makes a database, empty or a copy of another one; in our own server it belongs to sluice_owner.
 * An empty one may have the rules of a language for letters, as ICU knows it.
 */
export async function createDatabase(
  { adminUrl, isEmbedded }: TestServer,
  name: string,
  template: string | null,
  language: string | null = null,
): Promise<void> {
  const spoken = ` template template0 locale_provider icu icu_locale '${language}'`
  const copied = template === null ? '' : ` template ${template}`
  // Copied as files, and not block by block through the log: a third of the work.
  const owned = isEmbedded ? ' owner sluice_owner strategy file_copy' : ''
  await withSession(adminUrl, (session) =>
    session.script(`create database ${name}${language === null ? copied : spoken}${owned}`),
  )
}

/** Applies all migrations to an empty database. */
export async function migrateWhole(ownerUrl: string): Promise<void> {
  await migrate({ ownerUrl, folder: MIGRATIONS, log: silentLog() })
}

async function dropAll({ adminUrl, prefix }: TestServer): Promise<void> {
  await withSession(adminUrl, async (session) => {
    const left = await session.many(sql<{ name: string }>`
      select datname as name
        from pg_database
       where starts_with(datname, ${prefix})`)
    for (const { name } of left) await session.script(`drop database ${name} with (force)`)
  })
}
