import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { type Child, startChild } from '../harness/children.ts'
import {
  type Keys,
  foundTenant,
  makeKeys,
  openBenchDatabase,
  writeConfig,
} from '../harness/house.ts'
import { type Reading, check, interleave, judge, ratio, until } from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { startSluice } from '../harness/program.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { COINS, payeeAddress, plannedAmount } from './make-blocks.ts'
import type { CoinsNews } from './serve-node.ts'

const TEMPLATE = 'bench_bitcoin'
/** Transactions of a block: a usual one, and a full one (B14 has more; it scales). */
const BLOCKS = [2_400, 3_500] as const
/** The first that is scanned; it stands on one that is looked at only. */
const FIRST = 2
const WARM_BLOCKS = 8
const CONFIRMATIONS = 3
const CATCH_UP_MS = 600_000

interface Stage {
  postgres: Postgres
  keys: Keys
  node: Child<CoinsNews>
  news: CoinsNews
  transactions: number
  profile: string | undefined
}

/**
 * Benchmark 3: a scanner catching up with Bitcoin, by the node's calls and by its bytes (REST),
 * against fetching and parsing the same blocks as JSON.
 */
export async function benchBitcoin(sizes: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const postgres = await startPostgres()
  const stages: Stage[] = []
  try {
    await fill(postgres, keys, sizes.watched)
    for (const transactions of BLOCKS) {
      const program = new URL('serve-node.ts', import.meta.url)
      const count = sizes.coinBlocks + WARM_BLOCKS
      const node = await startChild<CoinsNews>(program, [count, transactions])
      const news = await node.hear((one) => one, 300_000)
      stages.push({ postgres, keys, node, news, transactions, profile: sizes.profile })
    }
    return await compare(stages, sizes)
  } finally {
    for (const { node } of stages) await node.stop()
    await postgres.stop()
    await keys.remove()
  }
}

const WAYS = {
  limit: 'fetch and JSON.parse',
  calls: 'sluice, by calls',
  bytes: 'sluice, by REST',
} as const
const nameOf = (way: keyof typeof WAYS, transactions: number) => `${WAYS[way]}, ${transactions}`

async function compare(stages: readonly Stage[], sizes: Sizes): Promise<Report> {
  const sides = stages.flatMap((stage) => [
    { name: nameOf('limit', stage.transactions), run: () => limit(stage) },
    { name: nameOf('calls', stage.transactions), run: () => catchUp(stage, { rest: false }) },
    { name: nameOf('bytes', stage.transactions), run: () => catchUp(stage, { rest: true }) },
  ])
  const comparison = await interleave(sides, sizes.rounds)
  const { coinBlocks: blocks, watched, rounds } = sizes
  const [usual, full] = stages.map(({ news }) => news)
  return {
    number: 3,
    title: 'Catching up with Bitcoin, blocks a second',
    sizes: {
      blocks,
      watched,
      rounds,
      bytes: usual?.bytes ?? 0,
      bytesFull: full?.bytes ?? 0,
      jsonBytesFull: full?.jsonBytes ?? 0,
    },
    comparison,
    verdicts: BLOCKS.flatMap((transactions) =>
      (['calls', 'bytes'] as const).map((way) => {
        const [ours, theirs] = [nameOf(way, transactions), nameOf('limit', transactions)]
        const value = ratio(comparison, ours, theirs)
        return judge({ what: `${ours} ÷ ${theirs}`, value, floor: 2, goal: 4, bound: 'least' })
      }),
    ),
    skipped: [],
  }
}

/** One organization: the accounts that are paid, and others up to the number. */
async function fill(postgres: Postgres, keys: Keys, watched: number): Promise<void> {
  const urls = await postgres.create(TEMPLATE)
  const database = openBenchDatabase(urls)
  const webhookUrl = 'https://hooks.example.com/sluice'
  const { orgId } = await foundTenant(database, keys, { name: 'Coins', webhookUrl })
  await database.close()
  const paid = Array.from(
    { length: COINS.payees },
    (_, payee) => `(${payee}, '${payeeAddress(payee)}')`,
  )
  const id = (i: string) => `('01990000-0000-7000-8000-' || lpad(to_hex(${i}), 12, '0'))::uuid`
  const others = watched - COINS.payees
  await withSession(postgres.adminUrl(TEMPLATE), async (session) => {
    await session.script(`
      set session_replication_role = replica;
      set synchronous_commit = off;
      create temporary table paid as
      select i, address from (values ${paid.join(', ')}) p (i, address)
       union all
      select i, 'tb1q' || substr(encode(sha256(('other ' || i)::bytea), 'hex'), 1, 38)
        from generate_series(${COINS.payees}, ${COINS.payees + Math.max(others, 0) - 1}) i;
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, created_at, updated_at)
      select '${orgId}', ${id('i')}, '${COINS.id}', 'user ' || i, address, 0, i,
             '2026-01-01', '2026-01-01'
        from paid;
      insert into watched_addresses (scope, address, org_id, chain_id, purpose, account_id,
                                     external_user_id, created_at)
      select '${COINS.id}', address, '${orgId}', '${COINS.id}', 'deposit', ${id('i')},
             'user ' || i, '2026-01-01'
        from paid;
      set session_replication_role = origin`)
    for (const table of ['accounts', 'watched_addresses']) {
      await session.script(`vacuum (analyze) ${table}`)
    }
  })
}

async function limit({ node, news, transactions }: Stage): Promise<Reading> {
  node.send({ head: news.last })
  const args = [`http://127.0.0.1:${news.port}`, WARM_BLOCKS + 1, news.last, transactions]
  const program = new URL('fetch-parse.ts', import.meta.url)
  const child = await startChild<Reading & { ok: boolean }>(program, args)
  const { ok, ...reading } = await child.hear((one) => one, CATCH_UP_MS)
  check(ok, 'fetched blocks')
  await child.stop()
  return reading
}

/** Our scanner, the whole program, from the warm-up's end to the chain's last block. */
async function catchUp(stage: Stage, { rest }: { rest: boolean }): Promise<Reading> {
  const { postgres, keys, node, news, profile } = stage
  const name = 'bench_bitcoin_run'
  const urls = await postgres.create(name, TEMPLATE)
  node.send({ head: WARM_BLOCKS, rest })
  const nodes = [`http://127.0.0.1:${news.port}`]
  const chains = { [COINS.id]: { nodes, startHeight: FIRST, confirmations: CONFIRMATIONS } }
  const env = await writeConfig(keys, { urls, chains, roles: 'scanner' })
  const service = startSluice(env, { profile })
  try {
    return await withSession(postgres.adminUrl(name), async (session) => {
      await until(async () => (await tipOf(session)) === WARM_BLOCKS, CATCH_UP_MS, 'the warm-up')
      const before = { cpu: service.cpu(), at: performance.now() }
      node.send({ head: news.last })
      await until(() => isDone(session, news.last), CATCH_UP_MS, 'the catch-up')
      const seconds = (performance.now() - before.at) / 1_000
      const blocks = news.last - WARM_BLOCKS
      const more = {
        cpuMsABlock: ((service.cpu() - before.cpu) * 1_000) / blocks,
        peakMegabytes: service.peakMegabytes(),
      }
      await checkLedger(session, news.last)
      return { rate: blocks / seconds, more }
    })
  } finally {
    await service.stop()
    await postgres.drop(name)
  }
}

async function tipOf(session: Session): Promise<number> {
  const row = await session.maybe(sql<{ tip: number }>`select tip_height as tip from chain_states`)
  return row?.tip ?? -1
}

/** What waits is counted only once the tip is there: to count it before would slow us down. */
async function isDone(session: Session, last: number): Promise<boolean> {
  if ((await tipOf(session)) !== last) return false
  const { waiting } = await session.one(sql<{ waiting: number }>`
    select count(*) as waiting
      from deposits
     where status = 'Detected'
       and block_height <= ${last - CONFIRMATIONS}`)
  return waiting === 0
}

/** Every payment once and no other, a coin for each, credited where due. */
async function checkLedger(session: Session, last: number): Promise<void> {
  let amount = 0n
  for (let height = FIRST; height <= last; height += 1) {
    for (let slot = 0; slot < COINS.deposits; slot += 1) amount += plannedAmount(height, slot)
  }
  const blocks = last - FIRST + 1
  const wanted = {
    deposits: blocks * COINS.deposits,
    coins: blocks * COINS.deposits,
    amount,
    confirmed: (blocks - CONFIRMATIONS) * COINS.deposits,
  }
  const found = await session.one(sql<Record<string, number | bigint>>`
    select (select count(*) from deposits) as deposits,
           (select count(*) from coins) as coins,
           (select sum(amount) from deposits) as amount,
           (select count(*) from deposits where status = 'Confirmed') as confirmed`)
  for (const [what, value] of Object.entries(wanted)) {
    check(found[what] === value, what, { found: String(found[what]), wanted: String(value) })
  }
}
