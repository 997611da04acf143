import {
  appendFile,
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '../../src/base/clock.ts'
import { withSession } from '../../src/store/connection.ts'
import type { EmbeddedServer } from '../../src/store/embedded.ts'
import { openHome } from '../../src/store/embedded-home.ts'
import { type DatabaseServer, launch } from './database.ts'

const STANDBY = 'standby'
const LOOK_MS = 50
const SYNCHRONOUS_MS = 30_000
const PROMOTION_SECONDS = 30

/**
 * A primary and a synchronous standby behind one address. When the primary is killed, the standby
 * is promoted and the address switched, once.
 */
export async function startReplicated(folder: string): Promise<DatabaseServer> {
  const [first, second] = [join(folder, 'primary'), join(folder, STANDBY)]
  await (await launch(first)).stop()
  await copyData(first, second)
  const primary = await launch(first)
  await followPrimary(second, socketOf(primary))
  const standby = await launch(second)
  await waitForStandby(primary)
  const address = join(folder, 'current')
  await symlink(socketOf(primary), address)
  let current = primary
  return {
    urls: () => ({
      owner: through(primary.urls.owner, address),
      engine: through(primary.urls.engine, address),
      api: through(primary.urls.api, address),
    }),
    superuserUrl: () => through(primary.superuserUrl, address),
    async kill() {
      if (current === standby) throw new Error('there is no second standby')
      process.kill(primary.pid, 'SIGKILL')
      await primary.exited
      await withSession(standby.superuserUrl, (session) =>
        session.one(sql`select pg_promote(true, ${PROMOTION_SECONDS})`),
      )
      await symlink(socketOf(standby), `${address}.new`)
      await rename(`${address}.new`, address)
      current = standby
    },
    async stop() {
      await standby.stop()
      if (current === primary) await primary.stop()
    },
  }
}

/** A copy of a stopped server's data, as `pg_basebackup` makes of a running one. */
async function copyData(from: string, to: string): Promise<void> {
  await mkdir(to)
  const [source, target] = [await openHome(from), await openHome(to)]
  await cp(source.data, target.data, { recursive: true, preserveTimestamps: true })
  await own(source.data, target.data)
  await cp(join(source.folder, 'logins.json'), join(target.folder, 'logins.json'))
}

/** A server refuses a data folder of another owner. */
async function own(like: string, folder: string): Promise<void> {
  const { uid, gid, mode } = await lstat(like)
  await chmod(folder, mode)
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await own(join(like, entry.name), path)
    else await chown(path, uid, gid)
  }
}

async function followPrimary(folder: string, socket: string): Promise<void> {
  const { data } = await openHome(folder)
  await writeFile(join(data, 'standby.signal'), '')
  const way = `host=${socket} port=5432 user=postgres application_name=${STANDBY}`
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`)
}

/** From here on no commit is acknowledged that the standby has not written down. */
async function waitForStandby({ superuserUrl }: EmbeddedServer): Promise<void> {
  await withSession(superuserUrl, async (session) => {
    await session.script(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await session.script('select pg_reload_conf()')
    const end = systemClock.now() + SYNCHRONOUS_MS
    for (;;) {
      const rows = await session.many(sql`
        select 1
          from pg_stat_replication
         where sync_state = 'sync'`)
      if (rows.length > 0) return
      if (systemClock.now() > end) throw new Error('the standby does not follow')
      await systemClock.sleep(LOOK_MS)
    }
  })
}

function socketOf({ superuserUrl }: EmbeddedServer): string {
  return new URL(superuserUrl).searchParams.get('host') ?? ''
}

/** The same server through another folder. */
function through(url: string, folder: string): string {
  const changed = new URL(url)
  changed.searchParams.set('host', folder)
  return changed.href
}
