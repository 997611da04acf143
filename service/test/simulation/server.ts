import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { withDatabaseName, withSession } from '../../src/store/connection.ts'
import { startEmbedded } from '../../src/store/embedded.ts'
import { migrate } from '../../src/store/migrate.ts'
import { silentLog } from '../support/clock.ts'
import { Api } from './api.ts'
import { Coverage } from './coverage.ts'
import type { Ground } from './run-seed.ts'
import { setStage } from './stage.ts'

/** A PostgreSQL with a database that has only the schema. */
export interface SimServer {
  adminUrl: string
  /** The name of that database. */
  schema: string
  stop(): Promise<void>
}

/** Its data may be lost with the machine. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  bgwriter_lru_maxpages: '0',
  checkpoint_timeout: '1h',
  max_wal_size: '512MB',
  max_parallel_workers_per_gather: '0',
  shared_buffers: '48MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '100',
  // Files in memory need no workers beside the readers.
  io_method: 'sync',
  track_counts: 'off',
  track_activities: 'off',
  update_process_title: 'off',
  // Named statements are planned once for all values (`named-statements.ts`).
  plan_cache_mode: 'force_generic_plan',
}
const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const SCHEMA = 'simulation'
/** In memory if possible: databases are created and deleted often. */
const FOLDERS = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Starts a private server in a folder that is deleted when it stops. */
export async function startSimServer(): Promise<SimServer> {
  const folder = await mkdtemp(join(FOLDERS, 'sluice-sim-'))
  // The server runs as another user if the simulation runs as root.
  await chmod(folder, 0o755)
  const options = { dataFolder: join(folder, 'postgresql'), settings: FAST, keepsSuperuser: true }
  const server = await startEmbedded({ ...options, clock: systemClock, log: silentLog() })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await withSession(server.superuserUrl, (session) =>
      session.script(`create database ${SCHEMA} owner sluice_owner`),
    )
    const ownerUrl = withDatabaseName(server.urls.owner, SCHEMA)
    await migrate({ ownerUrl, folder: MIGRATIONS, log: silentLog() })
    return { adminUrl: server.superuserUrl, schema: SCHEMA, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The base of the seeds of one process: its own stage, copied from the schema. */
export async function openGround(
  { adminUrl, schema }: Pick<SimServer, 'adminUrl' | 'schema'>,
  name: string,
): Promise<Ground & { close(): Promise<void> }> {
  const template = `${schema}_${name}`
  await withSession(adminUrl, (session) =>
    session.script(`create database ${template} template ${schema}`),
  )
  const stage = await setStage({ adminUrl, template })
  const api = new Api(stage)
  const close = async () => {
    await api.close()
    await withSession(adminUrl, (session) =>
      session.script(`drop database if exists ${template} with (force)`),
    )
  }
  return { stage, api, coverage: new Coverage(), close }
}
