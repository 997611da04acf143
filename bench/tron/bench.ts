import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { type Child, startChild } from '../harness/children.ts'
import { readLimit, timeCatchUp } from '../harness/catch-up.ts'
import { foundTenant, type Keys, makeKeys, openBenchDatabase } from '../harness/installation.ts'
import { check, interleave, judge, ratio, type Reading } from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { TRON, watchedAddress } from './plan.ts'
import type { TronNews } from './serve-node.ts'
import { authenticateAccounts } from '../harness/authenticate-accounts.ts'

/** Blocks that are scanned before the clock starts. */
const WARM_BLOCKS = 64
const WATCHED = 100_000
const TEMPLATE = 'bench_tron'
const LIMIT = 'fetch and JSON.parse'
const OURS = { receipts: 'sluice, receipts', logs: 'sluice, logs' }

interface Stage {
  postgres: Postgres
  keys: Keys
  node: Child<TronNews>
  url: string
  last: number
  profile: string | undefined
}

/** Benchmark 13: a scanner catching up with TRON, against the limit. */
export async function benchTron({ rounds, tronBlocks, profile }: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const program = new URL('serve-node.ts', import.meta.url)
  const [postgres, node] = await Promise.all([
    startPostgres(),
    startChild<TronNews>(program, [tronBlocks + WARM_BLOCKS, WATCHED]),
  ])
  try {
    const { port, last } = await node.hear((news) => news, 300_000)
    const stage = { postgres, keys, node, last, profile, url: `http://127.0.0.1:${port}` }
    await makeTemplate(stage)
    const modes = ['receipts', 'logs'] as const
    const ours = modes.map((mode) => ({ name: OURS[mode], run: () => catchUp(stage, mode) }))
    const comparison = await interleave([{ name: LIMIT, run: () => limit(stage) }, ...ours], rounds)
    const verdicts = modes.map((mode) => {
      const value = ratio(comparison, OURS[mode], LIMIT)
      const what = `${OURS[mode]} ÷ ${LIMIT} (no floor: as near as it can)`
      return judge({ what, value, floor: 0, goal: 1, bound: 'least' })
    })
    const title = 'Catching up with TRON, blocks a second'
    const sizes = { blocks: tronBlocks, watched: WATCHED, rounds }
    return { number: 13, title, sizes, comparison, verdicts, skipped: [] }
  } finally {
    await node.stop()
    await postgres.stop()
    await keys.remove()
  }
}

async function limit({ node, url, last }: Stage): Promise<Reading> {
  node.send({ head: last })
  const program = new URL('fetch-parse.ts', import.meta.url)
  return readLimit(program, [url, TRON.origin + WARM_BLOCKS + 1, last])
}

async function catchUp(stage: Stage, completeness: 'logs' | 'receipts'): Promise<Reading> {
  const { postgres, keys, node, url, last, profile } = stage
  const { rate, cpuMs, peakMegabytes } = await timeCatchUp({
    postgres,
    keys,
    template: TEMPLATE,
    chainId: TRON.id,
    chain: { nodes: [url], completeness, startHeight: TRON.origin + 1 },
    warm: TRON.origin + WARM_BLOCKS,
    last,
    creditedUpTo: last - TRON.solidLag,
    setHead: (head) => node.send({ head }),
    checkLedger: (session) => checkDeposits(session, last),
    profile,
  })
  return { rate, more: { serviceCpuMsABlock: cpuMs, peakMegabytes } }
}

/** Each planned deposit exactly once, credited when its block is solid. */
async function checkDeposits(session: Session, last: number): Promise<void> {
  const found = await session.one(sql<Record<string, number>>`
    select count(*)::int as deposits,
           count(distinct (txn_hash, position, address))::int as "distinct",
           (count(*) filter (where status = 'Confirmed'))::int as confirmed
      from incoming_transfers`)
  const deposits = (last - TRON.origin) * TRON.deposits
  const confirmed = deposits - TRON.solidLag * TRON.deposits
  const wanted = { deposits, distinct: deposits, confirmed }
  for (const [name, value] of Object.entries(wanted)) {
    check(found[name] === value, name, { found: found[name], wanted: value })
  }
}

/** An organization with the watched addresses of the plan, put there by the superuser. */
async function makeTemplate({ postgres, keys }: Stage): Promise<void> {
  const database = openBenchDatabase(await postgres.create(TEMPLATE))
  const webhookUrl = 'https://hooks.example.com/sluice'
  const { orgId } = await foundTenant(database, keys, { name: 'Bench', webhookUrl })
  await database.close()
  const addresses = Array.from({ length: WATCHED }, (_, index) => watchedAddress(index))
  await withSession(postgres.adminUrl(TEMPLATE), async (session) => {
    await session.run(sql`
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, mac, created_at, updated_at)
      select ${orgId}::uuid, ('01990000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
             ${TRON.id}, 'user ' || i, address, 0, i, '', '2026-01-01', '2026-01-01'
        from unnest(${addresses}::text[]) with ordinality as a (address, i)`)
    await session.run(sql`
      insert into watched_addresses (scope, address, org_id, chain_id, purpose, account_id,
                                     external_user_id, wallet_number, path_index, mac,
                                     created_at)
      select ${TRON.id}, address, org_id, chain_id, 'deposit', id, external_user_id,
             wallet_number, path_index, '', created_at
        from accounts`)
    await authenticateAccounts(session, keys.serviceKey)
    await session.script('vacuum (analyze) accounts')
    await session.script('vacuum (analyze) watched_addresses')
  })
}
