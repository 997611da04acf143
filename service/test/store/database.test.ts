import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Bug } from '../../src/base/assert.ts'
import { Outage, Refusal } from '../../src/base/fault.ts'
import { withSession } from '../../src/store/connection.ts'
import type { Database, DatabaseUrls, Tx } from '../../src/store/database.ts'
import { CommitUnknown } from '../../src/store/outage.ts'
import { openLine } from './line.ts'
import { openTiny, type Tiny } from './tiny.ts'

const ORG = '01890000-0000-7000-8000-000000000001'
const OTHER = '01890000-0000-7000-8000-000000000002'

/**
 * One user who is no superuser, only a member of the roles: what an operator's own server gives us.
 */
async function plainUser(tiny: Tiny): Promise<DatabaseUrls> {
  await withSession(tiny.empty.adminUrl, async (session) => {
    const found = await session.maybe(sql`select 1 from pg_roles where rolname = 'sluice_plain'`)
    if (found === null) await session.script(`create role sluice_plain login password 'plain'`)
    await session.script('grant sluice_owner, sluice_engine, sluice_api to sluice_plain')
  })
  const changed = new URL(tiny.empty.adminUrl)
  if (changed.hostname === '') changed.searchParams.set('user', 'sluice_plain')
  else Object.assign(changed, { username: 'sluice_plain', password: 'plain' })
  return { owner: changed.href, engine: changed.href, api: changed.href }
}

async function amountOf(database: Database, id: string): Promise<bigint | null> {
  const row = await database.transaction((tx) =>
    tx.maybe(sql<{ amount: bigint }>`select amount from jars where id = ${id}`),
  )
  return row?.amount ?? null
}

function putJar(tx: Tx, id: string, amount: bigint): Promise<number> {
  return tx.run(sql`insert into jars (id, amount) values (${id}, ${amount})`)
}

function addToJar(tx: Tx, id: string, amount: bigint): Promise<number> {
  return tx.run(sql`update jars set amount = amount + ${amount} where id = ${id}`)
}

describe.each(['as the three roles', 'as one plain user'])('the database, reached %s', (way) => {
  let tiny: Tiny
  let database: Database
  let urls: DatabaseUrls

  beforeAll(async () => {
    tiny = await openTiny()
    urls = way === 'as one plain user' ? await plainUser(tiny) : tiny.empty.urls
    database = tiny.reopen({ urls })
  })
  afterAll(() => tiny.close())

  test('a step that throws is rolled back and rethrows its error', async () => {
    const refusal = new Refusal('INVALID_AMOUNT')
    const step = database.transaction(async (tx) => {
      await putJar(tx, 'thrown', 1n)
      throw refusal
    })
    await expect(step).rejects.toBe(refusal)
    expect(await amountOf(database, 'thrown')).toBeNull()
  })

  test('amounts of any size, counts, times, bytes and lists are returned as stored', async () => {
    const row = await database.transaction((tx) =>
      tx.one(sql`
        select ${2n ** 255n}::numeric(78,0) as money,
               ${-(10n ** 90n)}::numeric(96,0) as debt,
               ${'1234567890123'}::int8 as count,
               ${'2026-01-01T00:00:00.123Z'}::timestamptz(3) as at,
               ${new Uint8Array([0, 255, 7])}::bytea as bytes,
               ${{ a: [1, 'x'] }}::jsonb as json,
               array(select unnest(${[1n, 2n ** 200n]}::numeric[])) as sums,
               array(select unnest(${['a,"b\\', '']}::text[])) as texts,
               array(select unnest(${[3, 4]}::int8[])) as counts,
               array(select unnest(${[new Uint8Array([1, 2])]}::bytea[])) as hashes,
               null::numeric as nothing`),
    )
    expect(row).toEqual({
      money: 2n ** 255n,
      debt: -(10n ** 90n),
      count: 1_234_567_890_123,
      at: Date.parse('2026-01-01T00:00:00.123Z'),
      bytes: new Uint8Array([0, 255, 7]),
      json: { a: [1, 'x'] },
      sums: [1n, 2n ** 200n],
      texts: ['a,"b\\', ''],
      counts: [3, 4],
      hashes: [new Uint8Array([1, 2])],
      nothing: null,
    })
  })

  test.each([
    ['money with a fraction', sql`select 1.5::numeric as value`],
    ['money that is no number', sql`select 'NaN'::numeric as value`],
    ['a count beyond what a number holds', sql`select 9007199254740993::int8 as value`],
    ['a time without end', sql`select 'infinity'::timestamptz as value`],
  ])('%s is a bug, never a rounded value', async (_what, query) => {
    await expect(database.transaction((tx) => tx.one(query))).rejects.toBeInstanceOf(Bug)
    await expect(database.transaction((tx) => tx.one(sql`select 1`))).resolves.toBeTruthy()
  })

  test('a statement with more or fewer rows than promised is a bug', async () => {
    const two = sql`select * from (values (1), (2)) v(n)`
    const none = sql`select 1 where false`
    await expect(database.transaction((tx) => tx.one(two))).rejects.toBeInstanceOf(Bug)
    await expect(database.transaction((tx) => tx.one(none))).rejects.toBeInstanceOf(Bug)
    await expect(database.transaction((tx) => tx.maybe(two))).rejects.toBeInstanceOf(Bug)
    await expect(database.transaction((tx) => tx.maybe(none))).resolves.toBeNull()
  })

  test('statements sent together run in order, and the first error is thrown', async () => {
    const step = database.transaction((tx) =>
      Promise.all([
        putJar(tx, 'together', 1n),
        addToJar(tx, 'together', 5n),
        putJar(tx, 'together', 2n),
        addToJar(tx, 'together', 7n),
      ]),
    )
    await expect(step).rejects.toThrow(/duplicate key/)
    expect(await amountOf(database, 'together')).toBeNull()
    await database.transaction((tx) =>
      Promise.all([putJar(tx, 'together', 1n), addToJar(tx, 'together', 5n)]),
    )
    expect(await amountOf(database, 'together')).toBe(6n)
  })

  test('a step that hides an error of the database is not committed', async () => {
    const step = database.transaction(async (tx) => {
      await putJar(tx, 'hidden', 1n)
      await putJar(tx, 'hidden', 1n).catch(() => undefined)
    })
    await expect(step).rejects.toBeInstanceOf(Bug)
    expect(await amountOf(database, 'hidden')).toBeNull()
  })

  test('an ended transaction refuses further statements', async () => {
    let kept: Tx | null = null
    await database.transaction(async (tx) => {
      kept = tx
    })
    const late = async () => (kept ? putJar(kept, 'late', 1n) : 0)
    await expect(late()).rejects.toBeInstanceOf(Bug)
    expect(await amountOf(database, 'late')).toBeNull()
  })

  test('beforeCommit callbacks run in order in the step, afterCommit ones after it', async () => {
    const seen: string[] = []
    const said = await database.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('after'))
      tx.afterCommit(() => {
        throw new Error('of no consequence')
      })
      tx.beforeCommit(async (inner) => {
        seen.push('first')
        await putJar(inner, 'end', 1n)
        inner.beforeCommit(async () => void seen.push('third'))
      })
      tx.beforeCommit(async () => void seen.push('second'))
      seen.push('work')
      return 'done'
    })
    expect(said).toBe('done')
    expect(seen).toEqual(['work', 'first', 'second', 'third', 'after'])
    expect(await amountOf(database, 'end')).toBe(1n)
  })

  test('an error in beforeCommit rolls back the step and skips afterCommit', async () => {
    const seen: string[] = []
    const step = database.transaction(async (tx) => {
      tx.afterCommit(() => seen.push('after'))
      tx.beforeCommit(async () => {
        throw new Refusal('INVALID_AMOUNT')
      })
      await putJar(tx, 'undone', 1n)
    })
    await expect(step).rejects.toBeInstanceOf(Refusal)
    expect(seen).toEqual([])
    expect(await amountOf(database, 'undone')).toBeNull()
  })

  test('two steps in a deadlock both succeed in the end [O05]', async () => {
    await database.transaction((tx) =>
      Promise.all([putJar(tx, 'left', 0n), putJar(tx, 'right', 0n)]),
    )
    let starts = 0
    let holding = 0
    let bothHold: () => void = () => undefined
    const held = new Promise<void>((resolve) => (bothHold = resolve))
    const step = (first: string, second: string) =>
      database.transaction(async (tx) => {
        starts += 1
        await addToJar(tx, first, 1n)
        holding += 1
        if (holding >= 2) bothHold()
        await held
        await addToJar(tx, second, 1n)
      })
    await Promise.all([step('left', 'right'), step('right', 'left')])
    expect(starts).toBeGreaterThan(2)
    expect(await amountOf(database, 'left')).toBe(2n)
    expect(await amountOf(database, 'right')).toBe(2n)
  })

  test('a step that always fails to serialize is an outage after three retries [O05]', async () => {
    let starts = 0
    const step = database.transaction(async (tx) => {
      starts += 1
      await tx
        .run(sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`)
        .catch(() => undefined)
    })
    await expect(step).rejects.toBeInstanceOf(Outage)
    expect(starts).toBe(4)
  })

  test('a snapshot shows one moment and writes nothing', async () => {
    await database.transaction((tx) => putJar(tx, 'moment', 1n))
    const read = sql<{ amount: bigint }>`select amount from jars where id = 'moment'`
    await database.snapshot(async (tx) => {
      const before = await tx.one(read)
      await database.transaction((other) => addToJar(other, 'moment', 1n))
      expect(await tx.one(read)).toEqual(before)
    })
    const writing = database.snapshot((tx) => addToJar(tx, 'moment', 1n))
    await expect(writing).rejects.toBeInstanceOf(Outage)
    expect(await amountOf(database, 'moment')).toBe(2n)
  })

  test('the API sees only the rows of the organization that it acts for [S09]', async () => {
    const write = (orgId: string) =>
      database.transaction((tx) =>
        tx.run(sql`insert into notes (org_id, text) values (${orgId}, ${`of ${orgId}`})`),
      )
    await write(ORG)
    await write(OTHER)
    const read = (tx: Tx) => tx.many(sql<{ text: string }>`select text from notes order by text`)
    expect(await database.forOrg(ORG, read)).toEqual([{ text: `of ${ORG}` }])
    expect(await database.forOrg(OTHER, read)).toEqual([{ text: `of ${OTHER}` }])
    expect(await database.asApi(read)).toEqual([])
    expect(await database.transaction(read)).toHaveLength(2)
    const forging = database.forOrg(ORG, (tx) =>
      tx.run(sql`insert into notes (org_id, text) values (${OTHER}, 'forged')`),
    )
    await expect(forging).rejects.toThrow(/row-level security/)
  })

  test('an invalid organization id is a bug before any statement [S09]', async () => {
    const step = database.forOrg(`${ORG}', true); reset role; --`, async () => 1)
    await expect(step).rejects.toBeInstanceOf(Bug)
  })

  test('no step runs as a superuser or with the rights of another role [S09]', async () => {
    const who = sql<{ name: string; super: boolean }>`
      select rolname as name, rolsuper or rolbypassrls as super
        from pg_roles
       where rolname = current_user`
    const ask = (tx: Tx) => tx.one(who)
    expect(await database.transaction(ask)).toEqual({ name: 'sluice_engine', super: false })
    expect(await database.snapshot(ask)).toEqual({ name: 'sluice_engine', super: false })
    expect(await database.asApi(ask)).toEqual({ name: 'sluice_api', super: false })
    expect(await database.forOrg(ORG, ask)).toEqual({ name: 'sluice_api', super: false })
    const peeking = database.asApi((tx) => tx.many(sql`select * from jars`))
    await expect(peeking).rejects.toThrow(/permission denied/)
  })

  test('an idle step loses its transaction before a lease ends [W23]', async () => {
    const ask = sql<{ idle: string; org: string; role: string }>`
      select current_setting('idle_in_transaction_session_timeout') as idle,
             current_setting('sluice.org_id') as org,
             current_setting('role') as role`
    const narrow = tiny.reopen({ urls: { ...urls, engine: urls.api }, poolMax: 1 })
    const inside = await narrow.forOrg(ORG, (tx) => tx.one(ask))
    expect(inside).toEqual({ idle: '5s', org: ORG, role: 'sluice_api' })
    expect(await narrow.asApi((tx) => tx.one(ask))).toEqual({ ...inside, org: '' })
  })

  test('statements of the API have a timeout shorter than that of the caller [O05]', async () => {
    const ask = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`
    expect(await database.forOrg(ORG, (tx) => tx.one(ask))).toEqual({ limit: '45s' })
    expect(await database.asApi((tx) => tx.one(ask))).toEqual({ limit: '45s' })
    expect(await database.transaction((tx) => tx.one(ask))).toEqual({ limit: '0' })
  })

  test('a commit with a lost answer is a CommitUnknown and is committed here [W24]', async () => {
    const line = await openLine(urls.engine)
    const over = tiny.reopen({ urls: { ...urls, engine: line.through(urls.engine) } })
    line.cutAt('commit\0', 'after')
    const step = over.transaction((tx) => putJar(tx, 'answer lost', 1n))
    await expect(step).rejects.toBeInstanceOf(CommitUnknown)
    await expect.poll(() => amountOf(database, 'answer lost'), { timeout: 10_000 }).toBe(1n)
    await line.close()
  })

  test('a commit that never arrived is a CommitUnknown and is not committed [W24]', async () => {
    const line = await openLine(urls.engine)
    const over = tiny.reopen({ urls: { ...urls, engine: line.through(urls.engine) } })
    line.cutAt('commit\0', 'before')
    const step = over.transaction((tx) => putJar(tx, 'never arrived', 1n))
    await expect(step).rejects.toBeInstanceOf(CommitUnknown)
    expect(await amountOf(database, 'never arrived')).toBeNull()
    await line.close()
  })

  test('a connection lost in a step is an outage, and the next step succeeds [O05]', async () => {
    const line = await openLine(urls.engine)
    const over = tiny.reopen({ urls: { ...urls, engine: line.through(urls.engine) }, poolMax: 1 })
    const step = over.transaction(async (tx) => {
      await putJar(tx, 'cut', 1n)
      line.cut()
      await putJar(tx, 'cut again', 1n)
    })
    const fault = await step.catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Outage)
    expect(fault).not.toBeInstanceOf(CommitUnknown)
    expect(await amountOf(over, 'cut')).toBeNull()
    await line.close()
  })

  test('connections lost while idle are replaced without an error [O05]', async () => {
    const line = await openLine(urls.engine)
    const over = tiny.reopen({ urls: { ...urls, engine: line.through(urls.engine) } })
    const step = () => over.transaction((tx) => tx.one(sql`select pg_sleep(0.05)`))
    const three = () => Promise.all([step(), step(), step()])
    await three()
    line.cut()
    await three()
    line.cut()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await three()
    await line.close()
  })

  test('a server that is down or full is an outage [O05]', async () => {
    const nowhere = 'postgresql:///sluice?host=/nonexistent&user=sluice_engine'
    const away = tiny.reopen({ urls: { owner: nowhere, engine: nowhere, api: nowhere } })
    await expect(away.transaction(async () => 1)).rejects.toBeInstanceOf(Outage)
    await expect(away.asApi(async () => 1)).rejects.toBeInstanceOf(Outage)
    const crowded = database.transaction((tx) =>
      tx.run(sql`do $$ begin raise exception 'full' using errcode = '53100'; end $$`),
    )
    await expect(crowded).rejects.toBeInstanceOf(Outage)
  })

  test.each([
    ['has no process left for one more connection', ['E']],
    ['breaks off the handshake of TLS', ['S', 'no TLS']],
  ])('a server that %s is an outage [O05]', async (_what, answers) => {
    const server = createServer((socket) => {
      const left = [...answers]
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(left.shift() ?? ''))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const url = `postgresql://sluice_engine@127.0.0.1:${port}/sluice?sslmode=verify-full`
    const shut = tiny.reopen({ urls: { owner: url, engine: url, api: url } })
    await expect(shut.asApi(async () => 1)).rejects.toBeInstanceOf(Outage)
    await expect(withSession(url, async () => 1)).rejects.toBeInstanceOf(Outage)
  })

  test('an empty database is an outage that names the command to run [O05]', async () => {
    const stranger = new URL(tiny.empty.adminUrl)
    await withSession(tiny.empty.adminUrl, async (session) => {
      const found = await session.maybe(sql`select 1 from pg_roles where rolname = 'stranger'`)
      if (found === null) await session.script(`create role stranger login password 'x'`)
    })
    if (stranger.hostname === '') stranger.searchParams.set('user', 'stranger')
    else Object.assign(stranger, { username: 'stranger', password: 'x' })
    const url = stranger.href
    const database2 = tiny.reopen({ urls: { owner: url, engine: url, api: url } })
    const step = database2.transaction(async () => 1)
    await expect(step).rejects.toThrow(/sluice migrate/)
    await expect(step).rejects.toBeInstanceOf(Outage)
  })

  test('many concurrent steps share few connections, and all succeed', async () => {
    const narrow = tiny.reopen({ urls, poolMax: 2 })
    await narrow.transaction((tx) => putJar(tx, 'many', 0n))
    const steps = Array.from({ length: 50 }, () =>
      narrow.transaction((tx) => addToJar(tx, 'many', 1n)),
    )
    await Promise.all(steps)
    expect(await amountOf(narrow, 'many')).toBe(50n)
  })

  test('a closed database is an outage, and can be closed twice', async () => {
    const closed = tiny.reopen({ urls })
    await closed.close()
    await closed.close()
    await expect(closed.transaction(async () => 1)).rejects.toBeInstanceOf(Outage)
  })
})
