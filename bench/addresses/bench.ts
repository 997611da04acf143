import { freePort } from '@sluice/simulator'
import { sql } from 'kysely'
import { startChain } from '../../service/src/catalogue/chain-state.ts'
import { CHAINS } from '../../service/src/catalogue/chains.ts'
import { withSession } from '../../service/src/store/connection.ts'
import { startChild } from '../harness/children.ts'
import {
  type Keys,
  foundTenant,
  makeKeys,
  openBenchDatabase,
  writeConfig,
} from '../harness/installation.ts'
import { type Reading, check, interleave, judge, ratio, until } from '../harness/measure.ts'
import { findPgbench, runPgbench } from '../harness/pgbench.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { startSluice } from '../harness/program.ts'

const ORGANIZATIONS = 16
const CONNECTIONS = 64
const WARM_UP = 1_000
const OURS = 'sluice over HTTP'
const PGBENCH = 'pgbench, the same SQL'
const NOWHERE = 'http://127.0.0.1:9'

interface Stage {
  postgres: Postgres
  keys: Keys
  apiKeys: string[]
  sizes: Sizes
}

/** Benchmark 6: deposit addresses issued over HTTP. */
export async function benchAddresses(sizes: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const postgres = await startPostgres()
  try {
    const apiKeys = await makeTenants(postgres, keys)
    return await compare({ postgres, keys, apiKeys, sizes })
  } finally {
    await postgres.stop()
    await keys.remove()
  }
}

async function makeTenants(postgres: Postgres, keys: Keys): Promise<string[]> {
  const database = openBenchDatabase(await postgres.create('bench_tenants'))
  const entry = CHAINS[0]
  check(entry !== undefined, 'a chain')
  const apiKeys: string[] = []
  for (let at = 0; at < ORGANIZATIONS; at += 1) {
    const webhookUrl = 'https://hooks.example.com/sluice'
    const tenant = await foundTenant(database, keys, { name: `Tenant ${at}`, webhookUrl })
    apiKeys.push(tenant.apiKey)
  }
  const tip = { height: 1, hash: `0x${'11'.repeat(32)}` }
  const state = { genesis: tip.hash, tip, tipTime: Date.now(), headHeight: 1, final: null }
  if (entry) await database.transaction((tx) => startChain(tx, { chainId: entry.id, ...state }))
  await database.close()
  return apiKeys
}

async function compare(stage: Stage): Promise<Report> {
  const { sizes } = stage
  const program = await findPgbench()
  const sides = [{ name: OURS, run: () => ours(stage) }]
  if (program !== null) sides.push({ name: PGBENCH, run: () => theirs(stage, program) })
  const comparison = await interleave(sides, sizes.rounds)
  const value = program === null ? Number.NaN : ratio(comparison, OURS, PGBENCH)
  const what = `${OURS} ÷ ${PGBENCH}`
  return {
    number: 6,
    title: 'Deposit addresses issued, addresses a second',
    sizes: { addresses: sizes.addresses, connections: CONNECTIONS, organizations: ORGANIZATIONS },
    comparison,
    verdicts: [judge({ what, value, floor: 0.45, goal: 0.8, bound: 'least' })],
    skipped: program === null ? [{ name: PGBENCH, reason: 'pgbench is not installed' }] : [],
  }
}

async function ours({ postgres, keys, apiKeys, sizes }: Stage): Promise<Reading> {
  const urls = await postgres.create('bench_run', 'bench_tenants')
  const port = await freePort()
  const chains = { 'eip155:1': { nodes: [NOWHERE] } }
  const env = await writeConfig(keys, { urls, roles: 'api', port, chains })
  const service = startSluice(env, { profile: sizes.profile })
  const url = `http://127.0.0.1:${port}`
  try {
    const isUp = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    await until(isUp, 30_000, 'the service')
    const warm = Math.min(WARM_UP, sizes.addresses)
    await load({ url, apiKeys, count: warm, prefix: 'warm' })
    const cpuBefore = service.cpu()
    const found = await load({ url, apiKeys, count: sizes.addresses, prefix: 'user' })
    const cpuMs = ((service.cpu() - cpuBefore) * 1_000) / sizes.addresses
    await checkAccounts(postgres, sizes.addresses + warm)
    const { rate = 0, p50 = 0, p99 = 0 } = found
    return { rate, more: { p50, p99, cpuMs } }
  } finally {
    await service.stop()
    await postgres.drop('bench_run')
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
  check(isWhole, 'addresses, each another', found)
  return found
}

/** An account, a watched address and an event for each user, and no index lost. */
async function checkAccounts(postgres: Postgres, count: number): Promise<void> {
  await withSession(postgres.adminUrl('bench_run'), async (session) => {
    const found = await session.one(sql<Record<string, number>>`
      select (select count(*) from accounts) as accounts,
             (select count(*) from watched_addresses) as watched,
             (select count(*) from events where type = 'account.created') as events,
             (select sum(next_index)::bigint from wallets) as indices`)
    const isWhole = Object.values(found).every((value) => value === count)
    check(isWhole, 'accounts', { found, count })
  })
}

async function theirs({ postgres, sizes }: Stage, program: string): Promise<Reading> {
  await postgres.create('bench_run', 'bench_tenants')
  await withSession(postgres.adminUrl('bench_run'), (session) =>
    session.script(`
      create table bench_callers as
      select row_number() over ()::int as n, org_id, id, user_id from api_keys;
      create unique index on bench_callers (n);
      grant select on bench_callers to public;
      insert into wallets (org_id, chain_id, purpose, number, xpub, xpub_mac, created_at)
      select org_id, 'eip155:1', 'deposit', n, '', '', now() from bench_callers`),
  )
  const url = postgres.urls('bench_run').api
  const given = {
    script: new URL('issue.sql', import.meta.url),
    protocol: 'extended',
    url,
    organizations: ORGANIZATIONS,
    clients: CONNECTIONS,
    transactions: sizes.addresses,
  } as const
  try {
    return { rate: await runPgbench(program, given) }
  } finally {
    await postgres.drop('bench_run')
  }
}
