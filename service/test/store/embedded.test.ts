import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { withSession } from '../../src/store/connection.ts'
import { findEmbedded } from '../../src/store/embedded.ts'
import type { EmbeddedServer } from '../../src/store/embedded.ts'
import { makeServerFolder } from './server.ts'
import type { ServerFolder } from './server.ts'

const FAST = { fsync: 'off', full_page_writes: 'off' }

let folder: ServerFolder

beforeEach(async () => {
  folder = await makeServerFolder()
})
afterEach(() => folder.clear())

function write(url: string, value: number): Promise<number> {
  return withSession(url, async (session) => {
    await session.script('create table if not exists kept (value int)')
    return session.run(sql`insert into kept values (${value})`)
  })
}

async function read(url: string): Promise<number[]> {
  const rows = await withSession(url, (session) =>
    session.many(sql<{ value: number }>`select value from kept order by value`),
  )
  return rows.map((row) => row.value)
}

/** Whether a process runs; one that ended and only waits for its parent to notice does not. */
async function isRunning(pid: number): Promise<boolean> {
  const state = process.platform === 'linux' ? await stateOf(pid) : askPs(pid)
  return state !== '' && !state.startsWith('Z')
}

async function stateOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2)
}

function askPs(pid: number): string {
  return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}

/** Time that passes a hundred times as fast, for those who wait ten seconds before they give up. */
const hurried: Clock = {
  now: () => Date.now() * 100,
  sleep: (ms) => wait(ms / 100),
}

test('written rows survive a restart, and a stop removes the socket and processes', async () => {
  const first = await folder.start()
  await write(first.urls.owner, 1)
  const socketFolder = await readlink(join(folder.path, 'socket'))
  await first.stop()
  expect(await isRunning(first.pid)).toBe(false)
  await expect(lstat(socketFolder)).rejects.toThrow(/ENOENT/)
  const second = await folder.start()
  expect(await read(second.urls.owner)).toEqual([1])
})

test('the three roles may connect, and are not superusers [H14]', async () => {
  const { urls, superuserUrl } = await folder.start({ settings: FAST })
  const who = sql`
    select current_user::text as name, rolsuper or rolbypassrls or rolcreaterole as mighty
      from pg_roles
     where rolname = current_user`
  for (const [url, name] of [
    [urls.owner, 'sluice_owner'],
    [urls.engine, 'sluice_engine'],
    [urls.api, 'sluice_api'],
  ] as const)
    expect(await withSession(url, (session) => session.one(who))).toEqual({ name, mighty: false })
  const settings = sql`
    select current_setting('listen_addresses') as addresses,
           current_setting('data_checksums') as checksums,
           current_setting('server_encoding') as encoding`
  const expected = { addresses: '', checksums: 'on', encoding: 'UTF8' }
  expect(await withSession(superuserUrl, (session) => session.one(settings))).toEqual(expected)
})

describe('the logins of the embedded database', () => {
  const start = () => folder.start({ settings: FAST, keepsSuperuser: false })
  const hello = (url: string) => withSession(url, (session) => session.one(sql`select 1 as one`))
  /** Without a password, as it was when every local user was trusted. */
  const bare = (url: string) => {
    const changed = new URL(url)
    changed.searchParams.delete('password')
    return changed.href
  }
  const logins = () => join(folder.path, 'logins.json')

  test('have separate passwords in a file that only its owner may read', async () => {
    const { urls } = await start()
    const passwords = Object.values(urls).map((url) => new URL(url).searchParams.get('password'))
    expect(new Set(passwords).size).toBe(3)
    for (const url of Object.values(urls)) {
      expect(await hello(url)).toEqual({ one: 1 })
      await expect(hello(bare(url))).rejects.toThrow(/password/)
    }
    expect((await lstat(logins())).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(logins(), 'utf8'))).toEqual({
      owner: passwords[0],
      engine: passwords[1],
      api: passwords[2],
    })
  })

  test('do not include the superuser after the start, or a connection of it', async () => {
    const { urls, superuserUrl } = await start()
    await expect(hello(superuserUrl)).rejects.toThrow(/no pg_hba.conf entry/)
    const superusers = await withSession(urls.engine, (session) =>
      session.many(sql`
        select a.usename
          from pg_stat_activity a
          join pg_roles r on r.rolname = a.usename
         where a.backend_type = 'client backend'
           and (r.rolsuper or r.rolbypassrls or r.rolcreaterole)`),
    )
    expect(superusers).toEqual([])
  })

  test('stay the same when the server starts again', async () => {
    const first = await start()
    await first.stop()
    const second = await start()
    const password = (url: string) => new URL(url).searchParams.get('password')
    expect(password(second.urls.owner)).toBe(password(first.urls.owner))
    expect(await hello(second.urls.api)).toEqual({ one: 1 })
    await expect(hello(second.superuserUrl)).rejects.toThrow(/no pg_hba.conf entry/)
  })

  test('replace trust authentication in a data folder of an older version', async () => {
    const first = await start()
    await first.stop()
    await rm(logins())
    await writeFile(join(folder.path, 'data', 'pg_hba.conf'), 'local all all trust\n')
    const { urls, superuserUrl } = await start()
    expect(await hello(urls.engine)).toEqual({ one: 1 })
    await expect(hello(bare(urls.engine))).rejects.toThrow(/password/)
    await expect(hello(superuserUrl)).rejects.toThrow(/no pg_hba.conf entry/)
  })

  test('get new passwords when their file is lost', async () => {
    const first = await start()
    await first.stop()
    await rm(logins())
    const { urls } = await start()
    expect(await hello(urls.owner)).toEqual({ one: 1 })
    const old = new URL(urls.owner)
    const password = new URL(first.urls.owner).searchParams.get('password') ?? ''
    old.searchParams.set('password', password)
    await expect(hello(old.href)).rejects.toThrow(/password authentication failed/)
  })
})

test('a server that shares a machine takes a part of its memory', async () => {
  const buffers = sql`select current_setting('shared_buffers') as buffers`
  const ask = (url: string) => withSession(url, (session) => session.one(buffers))
  const memoryBytes = 4 * 1024 ** 3
  const first = await folder.start({ settings: FAST, memoryBytes })
  expect(await ask(first.urls.engine)).toEqual({ buffers: '256MB' })
  await first.stop()
  const second = await folder.start({ settings: { ...FAST, shared_buffers: '32MB' }, memoryBytes })
  expect(await ask(second.urls.engine)).toEqual({ buffers: '32MB' })
})

test('only the owner can access socket and data, and the server has no secrets [O08]', async () => {
  const { pid } = await folder.start({ settings: FAST })
  const socketFolder = await lstat(await readlink(join(folder.path, 'socket')))
  const data = await lstat(join(folder.path, 'data'))
  expect(socketFolder.mode & 0o777).toBe(0o700)
  expect(data.mode & 0o777).toBe(0o700)
  if (process.platform !== 'linux') return
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
  expect(environment).toContain('LC_ALL=C')
  expect(environment).not.toMatch(/VITEST|HOME=/)
})

test('a server starts in a data folder with a path too long for a socket', async () => {
  const deep = await makeServerFolder(`${'deep/'.repeat(30)}down`)
  const { urls } = await deep.start({ settings: FAST })
  await write(urls.owner, 1)
  expect(await read(urls.owner)).toEqual([1])
  await deep.clear()
})

test('a server starts in a folder that its user cannot enter, and keeps its data', async () => {
  const closed = await makeServerFolder('closed/data')
  await mkdir(join(closed.path, '..'))
  await chmod(join(closed.path, '..'), 0o700)
  const first = await closed.start({ settings: FAST })
  await write(first.urls.owner, 1)
  await first.stop()
  const second = await closed.start({ settings: FAST })
  expect(await read(second.urls.owner)).toEqual([1])
  await closed.clear()
})

test('another process finds the server only while it runs', async () => {
  expect(await findEmbedded(folder.path)).toBeNull()
  const server = await folder.start({ settings: FAST })
  const found = await findEmbedded(folder.path)
  expect(found).toEqual({ urls: server.urls, pid: server.pid })
  await server.stop()
  expect(await findEmbedded(folder.path)).toBeNull()
})

test('a server starts when the pid of a stale lock file belongs to another program', async () => {
  const first = await folder.start({ settings: FAST })
  await write(first.urls.owner, 1)
  const lock = await readFile(join(folder.path, 'data', 'postmaster.pid'), 'utf8')
  await first.stop()
  const stale = lock.replace(/^[0-9]+/, String(process.pid))
  await writeFile(join(folder.path, 'data', 'postmaster.pid'), stale)
  const second = await folder.start({ settings: FAST })
  expect(await read(second.urls.owner)).toEqual([1])
})

test('a killed server is noticed, and its committed rows survive', async () => {
  const first = await folder.start()
  await write(first.urls.owner, 1)
  process.kill(first.pid, 'SIGKILL')
  await first.exited
  await first.stop()
  const second = await folder.start()
  expect(await read(second.urls.owner)).toEqual([1])
})

test('a start with missing binaries fails with their name', async () => {
  const start = folder.start({ binFolder: '/nonexistent/bin' })
  await expect(start).rejects.toThrow(/could not create .*data.*initdb/s)
})

test('a server starts after an interrupted initialization', async () => {
  await mkdir(join(folder.path, 'data.new-cut'), { recursive: true })
  await writeFile(join(folder.path, 'data.new-cut', 'PG_VERSION'), '18')
  const { urls } = await folder.start({ settings: FAST })
  await expect(write(urls.owner, 1)).resolves.toBe(1)
})

/** A separate process that runs the server, from the built sources as in production. */
interface Supervisor {
  child: ChildProcess
  server: Pick<EmbeddedServer, 'pid' | 'urls'>
  nextLine(): Promise<string>
}

const BUILT = new URL('../../dist/', import.meta.url).href

async function startSupervisor(dataFolder: string): Promise<Supervisor> {
  const script = `
    import { systemClock } from '${BUILT}base/clock.js'
    import { openLog } from '${BUILT}base/log.js'
    import { withSession } from '${BUILT}store/connection.js'
    import { startEmbedded } from '${BUILT}store/embedded.js'
    const log = openLog({ level: 'silent', pretty: false })
    const dataFolder = ${JSON.stringify(dataFolder)}
    const { pid, urls, stop } = await startEmbedded({ dataFolder, log, clock: systemClock })
    const alive = setInterval(() => undefined, 1000)
    process.on('SIGINT', async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await withSession(urls.owner, (session) => session.script('select 1'))
      console.log('answered')
      await stop()
      clearInterval(alive)
    })
    console.log(JSON.stringify({ pid, urls }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  return { child, server: parseServer(await nextLine()), nextLine }
}

function parseServer(line: string): Supervisor['server'] {
  return JSON.parse(line) as Supervisor['server']
}

describe('a server run by a separate process', () => {
  test('stops after kill -9 of the process, keeps committed rows and restarts', async () => {
    const { child, server } = await startSupervisor(folder.path)
    await write(server.urls.owner, 1)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    const next = await folder.start()
    await expect.poll(() => isRunning(server.pid), { timeout: 10_000 }).toBe(false)
    expect(await read(next.urls.owner)).toEqual([1])
  })

  test('refuses a second start on its folder, and names its process', async () => {
    const { child, server } = await startSupervisor(folder.path)
    const start = folder.start({ clock: hurried })
    await expect(start).rejects.toThrow(new RegExp(`in use: process ${child.pid} `))
    await expect(write(server.urls.owner, 1)).resolves.toBe(1)
    const gone = once(child, 'exit')
    child.kill('SIGINT')
    await gone
  })

  test('answers after Ctrl-C until the process stops it', async () => {
    const supervisor = await startSupervisor(folder.path)
    const { child, server } = supervisor
    const gone = once(child, 'exit')
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await supervisor.nextLine()).toBe('answered')
    expect(await gone).toEqual([0, null])
    expect(await isRunning(server.pid)).toBe(false)
  })
})
