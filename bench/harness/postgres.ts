import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../service/src/base/clock.ts'
import { openLog } from '../../service/src/base/log.ts'
import { withDatabaseName, withSession } from '../../service/src/store/connection.ts'
import type { DatabaseUrls } from '../../service/src/store/database.ts'
import { type EmbeddedServer, startEmbedded } from '../../service/src/store/embedded.ts'
import { machineMemory } from '../../service/src/store/embedded-memory.ts'
import { migrate } from '../../service/src/store/migrate.ts'

const MIGRATIONS = new URL('../../service/migrations/', import.meta.url)

/** PostgreSQL as an installation gets it, with fsync on, and databases in it. */
export interface Postgres {
  readonly pid: number
  /** A database with the schema and nothing in it, or a copy of another one. */
  create(name: string, template?: string): Promise<DatabaseUrls>
  drop(name: string): Promise<void>
  urls(name: string): DatabaseUrls
  /** The superuser's way into a database. */
  adminUrl(name: string): string
  stop(): Promise<void>
}

export const quiet = openLog({ level: 'error', pretty: false, stream: 2 })

export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  // As root the server runs under another account, so folders that it cannot enter are replaced.
  await chmod(folder, 0o755)
  const server: EmbeddedServer = await startEmbedded({
    dataFolder: folder,
    clock: systemClock,
    log: quiet,
    memoryBytes: machineMemory(),
    settings: { max_connections: '200' },
    keepsSuperuser: true,
  })
  const urls = (name: string): DatabaseUrls => ({
    owner: withDatabaseName(server.urls.owner, name),
    engine: withDatabaseName(server.urls.engine, name),
    api: withDatabaseName(server.urls.api, name),
  })
  const script = (text: string) =>
    withSession(server.superuserUrl, (session) => session.script(text))
  return {
    pid: server.pid,
    urls,
    adminUrl: (name) => withDatabaseName(server.superuserUrl, name),
    drop: (name) => script(`drop database if exists ${name} with (force)`),
    create: async (name, template) => {
      await script(`drop database if exists ${name} with (force)`)
      const copied = template === undefined ? '' : ` template ${template}`
      await script(`create database ${name} owner sluice_owner${copied}`)
      if (template === undefined) {
        await migrate({ ownerUrl: urls(name).owner, folder: MIGRATIONS, log: quiet })
      }
      return urls(name)
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
