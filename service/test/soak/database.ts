import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { systemClock } from '../../src/base/clock.ts'
import { Outage } from '../../src/base/fault.ts'
import { openLog } from '../../src/base/log.ts'
import { withDatabaseName, withSession } from '../../src/store/connection.ts'
import type { DatabaseUrls } from '../../src/store/database.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/store/embedded.ts'

/** A server that may be killed. */
export interface DatabaseServer {
  urls(): DatabaseUrls
  superuserUrl(): string
  /** kill -9, then the recovery by an operator; returns when a database is up again. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const CONNECTIONS = '120'
const TRIES = 60
const TRY_MS = 500
export const silent = openLog({ level: 'fatal', pretty: false, stream: 2 })

/** The databases of a run, as an operator reaches them. */
export class SoakDatabase {
  readonly #server: DatabaseServer

  constructor(server: DatabaseServer) {
    this.#server = server
  }

  urls(name: string): DatabaseUrls {
    const { owner, engine, api } = this.#server.urls()
    return {
      owner: withDatabaseName(owner, name),
      engine: withDatabaseName(engine, name),
      api: withDatabaseName(api, name),
    }
  }

  /** A new and empty database. */
  async create(name: string): Promise<DatabaseUrls> {
    await withSession(this.#server.superuserUrl(), (session) =>
      session.script(`create database ${name} owner sluice_owner`),
    )
    return this.urls(name)
  }

  /** Reads as a superuser; retries during an outage of the server. */
  async many<T>(name: string, query: RawBuilder<T>): Promise<T[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const url = withDatabaseName(this.#server.superuserUrl(), name)
        return await withSession(url, (session) => session.many(query))
      } catch (error) {
        if (!(error instanceof Outage) || tries === TRIES) throw error
        await systemClock.sleep(TRY_MS)
      }
    }
  }

  async script(name: string, text: string): Promise<void> {
    const url = withDatabaseName(this.#server.superuserUrl(), name)
    await withSession(url, (session) => session.script(text))
  }

  /** Returns the milliseconds until it answers again. */
  async kill(): Promise<number> {
    const began = performance.now()
    await this.#server.kill()
    return performance.now() - began
  }

  /** Ends all connections of the service at once. */
  async cut(name: string): Promise<void> {
    await this.many(
      name,
      sql`
        select pg_terminate_backend(pid)
          from pg_stat_activity
         where datname = ${name}
           and pid <> pg_backend_pid()`,
    )
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}

/** The embedded PostgreSQL as an installation has it, with fsync on; it is started again. */
export async function startKilled(dataFolder: string): Promise<DatabaseServer> {
  let server = await launch(dataFolder)
  let starting: Promise<unknown> = Promise.resolve()
  return {
    urls: () => server.urls,
    superuserUrl: () => server.superuserUrl,
    async kill() {
      process.kill(server.pid, 'SIGKILL')
      await server.exited
      const started = restart(dataFolder)
      starting = started.catch(() => undefined)
      server = await started
    },
    async stop() {
      await starting
      await server.stop()
    },
  }
}

/** A killed server recovers slowly on a busy machine; retries like a supervisor. */
async function restart(dataFolder: string): Promise<EmbeddedServer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await launch(dataFolder)
    } catch (error) {
      if (tries === TRIES) throw error
      await systemClock.sleep(TRY_MS)
    }
  }
}

/** Starts the server of a data folder. */
export function launch(dataFolder: string): Promise<EmbeddedServer> {
  const settings = { max_connections: CONNECTIONS }
  const options = { dataFolder, clock: systemClock, log: silent, settings }
  return startEmbedded({ ...options, keepsSuperuser: true })
}
