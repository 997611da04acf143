import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@sluice/simulator'
import { withSession } from '../../service/src/store/connection.ts'
import {
  type Keys,
  type Tenant,
  foundTenant,
  makeKeys,
  openBenchDatabase,
  writeConfig,
} from '../harness/installation.ts'
import { type Reading, check, interleave, judge, until } from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { type Sluice, startSluice } from '../harness/program.ts'
import { authenticateAccounts } from '../harness/authenticate-accounts.ts'

/** How long a slow reader pauses after each chunk. */
const SLOW_MS = 5
const JSON_LIST = { accept: 'application/json', mark: '"orgDepositAccountId"' }
const CSV = { accept: 'text/csv', mark: ',eip155:1,' }
const LINES = { accept: 'application/x-ndjson', mark: '"orgDepositAccountId"' }
/** The formats of a list, with a text that each record has once, and their readers. */
const SIDES = [
  { name: 'GET /accounts, unpaged', ...JSON_LIST, pauseMs: 0 },
  { name: 'the same as CSV', ...CSV, pauseMs: 0 },
  { name: 'the same as JSON Lines', ...LINES, pauseMs: 0 },
  { name: 'as CSV, read slowly', ...CSV, pauseMs: SLOW_MS },
  { name: 'as JSON Lines, read slowly', ...LINES, pauseMs: SLOW_MS },
] as const
type Side = (typeof SIDES)[number]
const NOWHERE = 'http://127.0.0.1:9'
const RISE_MAX_MB = 50
const SAMPLE_MS = 20
/** The service is asked a page of each list before its memory is looked at. */
const WARM_UP = ['/accounts?limit=500', '/payments?limit=1', '/withdrawals?limit=1']

interface Stage {
  postgres: Postgres
  keys: Keys
  tenant: Tenant
  sizes: Sizes
}

/**
 * Benchmark 10: the memory of the service while one reader takes a whole list, and a page at its
 * first and its last row.
 */
export async function benchLists(sizes: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const postgres = await startPostgres()
  try {
    const urls = await postgres.create('bench_lists')
    const database = openBenchDatabase(urls)
    const tenant = await foundTenant(database, keys, { name: 'Lists' })
    await database.close()
    await fillAccounts(postgres.adminUrl('bench_lists'), { keys, tenant }, sizes.listed)
    const stage = { postgres, keys, tenant, sizes }
    const runs = SIDES.map((side) => ({ name: side.name, run: () => readAll(stage, side) }))
    const comparison = await interleave(runs, sizes.rounds)
    const verdicts = comparison.sides.map(({ name, more }) => {
      const what = `MB more of the service while the list is read: ${name}`
      const value = more['riseMegabytes'] ?? Number.NaN
      return judge({ what, value, floor: RISE_MAX_MB, goal: RISE_MAX_MB, bound: 'most' })
    })
    return {
      number: 10,
      title: 'A whole list, accounts a second',
      sizes: { listed: sizes.listed, rounds: sizes.rounds },
      comparison,
      verdicts,
      skipped: [],
    }
  } finally {
    await postgres.stop()
    await keys.remove()
  }
}

async function fillAccounts(
  adminUrl: string,
  { keys, tenant: { orgId } }: Pick<Stage, 'keys' | 'tenant'>,
  count: number,
): Promise<void> {
  await withSession(adminUrl, async (session) => {
    await session.script(`
      set session_replication_role = replica;
      set synchronous_commit = off;
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, mac, created_at, updated_at)
      select '${orgId}', ('01990000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
             'eip155:1', 'user ' || n, '0x' || lpad(to_hex(n), 40, '0'), 0, n,
             '', timestamptz '2026-01-01' + n / 7 * interval '1 ms', '2026-01-01'
        from generate_series(1, ${count}) n`)
    await authenticateAccounts(session, keys.serviceKey)
    await session.script('vacuum (analyze) accounts')
  })
}

async function readAll(
  { postgres, keys, tenant, sizes }: Stage,
  { accept, mark, pauseMs }: Side,
): Promise<Reading> {
  const port = await freePort()
  const chains = { 'eip155:1': { nodes: [NOWHERE] } }
  const urls = postgres.urls('bench_lists')
  const env = await writeConfig(keys, { urls, roles: 'api', port, chains })
  const service = startSluice(env, { profile: sizes.profile })
  const ask = (path: string, type = 'application/json') =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'x-api-key': tenant.apiKey, accept: type },
    })
  try {
    const isUp = () =>
      ask('/healthz').then(
        () => true,
        () => false,
      )
    await until(isUp, 30_000, 'the service')
    for (const path of WARM_UP) await (await ask(path)).text()
    const before = residentMegabytes(service)
    const sampler = sampleMemory(service)
    const began = performance.now()
    const reader = { mark: Buffer.from(mark), pauseMs }
    const found = await countMarks(await ask('/accounts', accept), reader)
    const seconds = (performance.now() - began) / 1_000
    const most = sampler.stop()
    check(found === sizes.listed, 'every account once', { found, listed: sizes.listed })
    const more = { beforeMegabytes: before, mostMegabytes: most, riseMegabytes: most - before }
    return { rate: sizes.listed / seconds, more }
  } finally {
    await service.stop()
  }
}

/** Counts the records of an answer as it comes, and keeps none. */
async function countMarks(
  { body }: Response,
  { mark, pauseMs }: { mark: Buffer; pauseMs: number },
): Promise<number> {
  check(body !== null, 'an answer')
  let count = 0
  let tail = Buffer.alloc(0)
  for await (const chunk of body ?? []) {
    const bytes = Buffer.concat([tail, chunk])
    let at = bytes.indexOf(mark)
    let end = 0
    while (at !== -1) {
      count += 1
      end = at + mark.length
      at = bytes.indexOf(mark, end)
    }
    tail = bytes.subarray(Math.max(end, bytes.length - mark.length + 1))
    if (pauseMs > 0) await sleep(pauseMs)
  }
  return count
}

function sampleMemory(service: Sluice): { stop(): number } {
  let most = 0
  const look = () => {
    most = Math.max(most, residentMegabytes(service))
  }
  const timer = setInterval(look, SAMPLE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return most
    },
  }
}

function residentMegabytes({ pid }: Sluice): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}
