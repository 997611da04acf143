import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { type Child, startChild } from '../harness/children.ts'
import { readLimit, timeCatchUp } from '../harness/catch-up.ts'
import { type Keys, foundTenant, makeKeys, openBenchDatabase } from '../harness/installation.ts'
import {
  type Comparison,
  type Reading,
  type Side,
  type Verdict,
  check,
  interleave,
  judge,
  ratio,
} from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { COINS, payeeAddress, plannedAmount } from './make-blocks.ts'
import type { CoinsNews } from './serve-node.ts'
import { authenticateAccounts } from '../harness/authenticate-accounts.ts'

const TEMPLATE = 'bench_bitcoin'
/** Transactions of a block: a usual one, and a full one. */
const BLOCKS = [2_400, 3_500] as const
/** The large one of failures.md (B14), and what it may take of time and memory. */
const LARGE = { transactions: 4_000, ms: 2_000, megabytes: 1_024 }
/** Blocks a second of bcoin's wallet, of the full ones (performance.md). */
const BCOIN = 8
/** The first scanned block; the block below it is only read. */
const FIRST = 2
const WARM_BLOCKS = 8
const CONFIRMATIONS = 3

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
    for (const transactions of [...BLOCKS, LARGE.transactions]) {
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
  const comparison = await interleave(stages.flatMap(sidesOf), sizes.rounds)
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
    verdicts: [...BLOCKS.flatMap((each) => ratios(comparison, each)), ...figures(comparison)],
    skipped: [],
  }
}

function sidesOf(stage: Stage): Side[] {
  const { transactions } = stage
  const bytes = {
    name: nameOf('bytes', transactions),
    run: () => catchUp(stage, { rest: true }),
  }
  if (transactions === LARGE.transactions) return [bytes]
  return [
    { name: nameOf('limit', transactions), run: () => limit(stage) },
    { name: nameOf('calls', transactions), run: () => catchUp(stage, { rest: false }) },
    bytes,
  ]
}

function ratios(comparison: Comparison, transactions: number): Verdict[] {
  return (['calls', 'bytes'] as const).map((way) => {
    const [ours, theirs] = [nameOf(way, transactions), nameOf('limit', transactions)]
    const value = ratio(comparison, ours, theirs)
    return judge({ what: `${ours} ÷ ${theirs}`, value, floor: 2, goal: 4, bound: 'least' })
  })
}

function figures(comparison: Comparison): Verdict[] {
  const of = (transactions: number) =>
    comparison.sides.find(({ name }) => name === nameOf('bytes', transactions))
  const rate = of(BLOCKS[1])?.median ?? 0
  const { median: largeRate = 0, more = {} } = of(LARGE.transactions) ?? {}
  const most = (what: string, value: number, bound: number) =>
    judge({ what: `B14 ${what}`, value, floor: bound, goal: bound, bound: 'most' })
  return [
    judge({
      what: `${nameOf('bytes', BLOCKS[1])}, blocks a second (bcoin's wallet: ${BCOIN})`,
      value: rate,
      floor: 10 * BCOIN,
      goal: 25 * BCOIN,
      bound: 'least',
    }),
    most('milliseconds for a block', Math.round(1_000 / largeRate), LARGE.ms),
    most('megabytes at the most', more['peakMegabytes'] ?? Number.NaN, LARGE.megabytes),
  ]
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
                            path_index, mac, created_at, updated_at)
      select '${orgId}', ${id('i')}, '${COINS.id}', 'user ' || i, address, 0, i,
             '', '2026-01-01', '2026-01-01'
        from paid;
      insert into watched_addresses (scope, address, org_id, chain_id, purpose, account_id,
                                     external_user_id, wallet_number, path_index, mac,
                                     created_at)
      select '${COINS.id}', address, '${orgId}', '${COINS.id}', 'deposit', ${id('i')},
             'user ' || i, 0, i, '', '2026-01-01'
        from paid;
      set session_replication_role = origin`)
    await authenticateAccounts(session, keys.serviceKey)
    for (const table of ['accounts', 'watched_addresses']) {
      await session.script(`vacuum (analyze) ${table}`)
    }
  })
}

async function limit({ node, news, transactions }: Stage): Promise<Reading> {
  node.send({ head: news.last })
  const url = `http://127.0.0.1:${news.port}`
  const program = new URL('fetch-parse.ts', import.meta.url)
  return readLimit(program, [url, WARM_BLOCKS + 1, news.last, transactions])
}

async function catchUp(stage: Stage, { rest }: { rest: boolean }): Promise<Reading> {
  const { postgres, keys, node, news, profile } = stage
  const { last } = news
  const nodes = [`http://127.0.0.1:${news.port}`]
  const { rate, cpuMs, peakMegabytes } = await timeCatchUp({
    postgres,
    keys,
    template: TEMPLATE,
    chainId: COINS.id,
    chain: { nodes, startHeight: FIRST, confirmations: CONFIRMATIONS },
    warm: WARM_BLOCKS,
    last,
    creditedUpTo: last - CONFIRMATIONS,
    setHead: (head) => node.send({ head, rest }),
    checkLedger: (session) => checkLedger(session, last),
    profile,
  })
  return { rate, more: { cpuMsABlock: cpuMs, peakMegabytes } }
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
    select (select count(*) from incoming_transfers) as deposits,
           (select count(*) from coins) as coins,
           (select sum(amount) from incoming_transfers) as amount,
           (select count(*) from incoming_transfers where status = 'Confirmed') as confirmed`)
  for (const [what, value] of Object.entries(wanted)) {
    check(found[what] === value, what, { found: String(found[what]), wanted: String(value) })
  }
}
