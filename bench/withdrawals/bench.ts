import { sql } from 'kysely'
import { withSession } from '../../service/src/store/connection.ts'
import { startChild } from '../harness/children.ts'
import { type Reading, check, interleave, judge, ratio, until } from '../harness/measure.ts'
import { findPgbench, runPgbench } from '../harness/pgbench.ts'
import type { Postgres } from '../harness/postgres.ts'
import { startSluice } from '../harness/program.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { AMOUNT } from './plan.ts'
import { FUNDS, ORGANIZATIONS, type Stage, TEMPLATE, doorOf, openStage } from './stage.ts'

const CONNECTIONS = 64
const WARM_UP = 1_000
const RUN = 'bench_run'
const OURS = 'sluice over HTTP'
const PGBENCH = 'pgbench, one statement'
const OURS_HOT = 'sluice over HTTP, one balance'
const PGBENCH_HOT = 'pgbench, one balance'
const CREATE = new URL('create.sql', import.meta.url)

/** Benchmark 7: withdrawals created over HTTP, of many organizations and of one. */
export async function benchWithdrawals(sizes: Sizes): Promise<Report> {
  const stage = await openStage()
  try {
    return await compare(stage, sizes)
  } finally {
    await stage.close()
  }
}

async function compare(stage: Stage, sizes: Sizes): Promise<Report> {
  const { withdrawals, rounds, profile } = sizes
  const pgbench = await findPgbench()
  const ours = (organizations: number) => () =>
    create(stage, { organizations, withdrawals, profile })
  const theirs = (program: string, organizations: number) => () =>
    runStatement(stage, program, { organizations, withdrawals })
  const sides = [
    { name: OURS, run: ours(ORGANIZATIONS) },
    { name: OURS_HOT, run: ours(1) },
  ]
  if (pgbench !== null)
    sides.push(
      { name: PGBENCH, run: theirs(pgbench, ORGANIZATIONS) },
      { name: PGBENCH_HOT, run: theirs(pgbench, 1) },
    )
  const comparison = await interleave(sides, rounds)
  const hot = comparison.sides.find(({ name }) => name === OURS_HOT)
  const against = (name: string, to: string, limits: { floor: number; goal: number }) => {
    const value = pgbench === null ? Number.NaN : ratio(comparison, name, to)
    return judge({ what: `${name} ÷ ${to}`, value, ...limits, bound: 'least' })
  }
  return {
    number: 7,
    title: 'Withdrawals created, a second',
    sizes: { withdrawals, connections: CONNECTIONS, organizations: ORGANIZATIONS },
    comparison,
    verdicts: [
      against(OURS, PGBENCH, { floor: 0.6, goal: 1 }),
      against(OURS_HOT, PGBENCH_HOT, { floor: 2, goal: 5 }),
      judge({
        what: `${OURS_HOT}, p99 in ms`,
        value: hot?.more['p99'] ?? Number.NaN,
        floor: 20,
        goal: 20,
        bound: 'most',
      }),
    ],
    skipped: pgbench === null ? [{ name: PGBENCH, reason: 'pgbench is not installed' }] : [],
  }
}

interface Round {
  /** How many of the organizations ask, in turns. */
  organizations: number
  withdrawals: number
}

async function create(
  stage: Stage,
  { organizations, withdrawals, profile }: Round & { profile: string | undefined },
): Promise<Reading> {
  const { env, url } = await doorOf(stage, RUN)
  const apiKeys = stage.apiKeys.slice(0, organizations)
  const service = startSluice(env, { profile })
  try {
    await until(() => isUp(url), 30_000, 'the service')
    const warm = Math.min(WARM_UP, withdrawals)
    await load({ url, apiKeys, count: warm, prefix: 'warm' })
    const cpuBefore = service.cpu()
    const found = await load({ url, apiKeys, count: withdrawals, prefix: 'payout' })
    const cpuMs = ((service.cpu() - cpuBefore) * 1_000) / withdrawals
    await checkCreated(stage.postgres, warm + withdrawals)
    const { rate = 0, p50 = 0, p99 = 0 } = found
    return { rate, more: { p50, p99, cpuMs } }
  } finally {
    await service.stop()
    await stage.postgres.drop(RUN)
  }
}

async function load(given: {
  url: string
  apiKeys: readonly string[]
  count: number
  prefix: string
}): Promise<Record<string, number>> {
  const args = [given.url, given.count, CONNECTIONS, given.prefix, given.apiKeys.join(',')]
  const program = new URL('load.ts', import.meta.url)
  const child = await startChild<Record<string, number>>(program, args)
  const found = await child.hear((news) => news, 600_000)
  await child.stop()
  const isWhole = found['refused'] === 0 && found['found'] === given.count
  check(isWhole, 'withdrawals, each another', found)
  return found
}

async function runStatement(stage: Stage, program: string, round: Round): Promise<Reading> {
  const { postgres } = stage
  const { organizations, withdrawals } = round
  await postgres.create(RUN, TEMPLATE)
  const transactions = Math.ceil(withdrawals / CONNECTIONS) * CONNECTIONS
  const { engine: url } = postgres.urls(RUN)
  const shared = { script: CREATE, protocol: 'prepared', clients: CONNECTIONS } as const
  const given = { ...shared, url, organizations, transactions }
  try {
    const rate = await runPgbench(program, given)
    await checkCreated(postgres, transactions)
    return { rate }
  } finally {
    await postgres.drop(RUN)
  }
}

function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )
}

/**
 * This many withdrawals, each with its approval, audit log entry, posting, three events with
 * consecutive numbers and a delivery of each; and balances that equal the sums of the postings.
 */
async function checkCreated(postgres: Postgres, count: number): Promise<void> {
  await withSession(postgres.adminUrl(RUN), async (session) => {
    const found = await session.one(sql<Record<string, bigint | number>>`
      select (select count(*) from withdrawals where status = 'Pending') as withdrawals,
             (select count(*) from withdrawal_approvals where voided_at is null) as approvals,
             (select count(*) from audit_log where action = 'withdrawal.create') as entries,
             (select count(*) from postings where reason = 'withdrawal.reserved') as postings,
             (select count(*) from events) as events,
             (select sum(last_sequence)::bigint from event_counters) as numbers,
             (select count(*) from deliveries where state = 'pending') as deliveries,
             (select count(distinct subject_id) from events) as subjects,
             (select sum(amount) from balances where account = 'claim:reserved') as reserved,
             (select sum(amount) from balances where account = 'claim:available') as available`)
    const wanted: Record<string, bigint> = {
      withdrawals: BigInt(count),
      approvals: BigInt(count),
      entries: BigInt(count),
      postings: BigInt(count),
      events: 3n * BigInt(count),
      numbers: 3n * BigInt(count),
      deliveries: 3n * BigInt(count),
      subjects: BigInt(count),
      reserved: BigInt(count * AMOUNT),
      available: BigInt(ORGANIZATIONS) * FUNDS - BigInt(count * AMOUNT),
    }
    for (const [name, value] of Object.entries(wanted)) {
      check(BigInt(found[name] ?? -1) === value, name, { found: String(found[name]), count })
    }
    const drift = await session.maybe(sql`
      select org_id
        from balances b
       where account in ('claim:available', 'claim:reserved')
         and amount <> (
               select coalesce(sum(case when p.credit = b.account then amount else -amount end), 0)
                 from postings p
                where p.org_id = b.org_id
                  and b.account in (p.credit, p.debit))
       limit 1`)
    check(drift === null, 'balances are the sums of their postings')
  })
}
