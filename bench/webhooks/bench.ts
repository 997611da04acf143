import { withSession } from '../../service/src/store/connection.ts'
import { sql } from 'kysely'
import {
  type Keys,
  type Tenant,
  foundTenant,
  makeKeys,
  openBenchDatabase,
  writeConfig,
} from '../harness/installation.ts'
import { startChild } from '../harness/children.ts'
import { type Reading, check, interleave, judge, ratio, round3, say } from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { startSluice } from '../harness/program.ts'
import { fillOutbox } from './outbox.ts'
import { findQueues } from './queues.ts'
import { type ReceiverProcess, startReceiverProcess, warmUpOf } from './receiver.ts'

/** Connections: four organizations at the eight that each may have. */
const ORGANIZATIONS = 4
const CONNECTIONS = 32
const START_UP_MS = 4_000

interface Stage {
  postgres: Postgres
  keys: Keys
  receiver: ReceiverProcess
  sizes: Sizes
}

/** Benchmark 5: webhooks from the outbox over TLS. */
export async function benchWebhooks(sizes: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const [postgres, receiver] = await Promise.all([
    startPostgres(),
    startReceiverProcess(keys.folder),
  ])
  try {
    await postgres.create('bench_empty')
    return await compare({ postgres, keys, receiver, sizes })
  } finally {
    await receiver.stop()
    await postgres.stop()
    await keys.remove()
  }
}

const LIMIT = 'undici and HMAC alone'
const OURS = 'sluice, durable outbox'
const NINE = 'sluice, nine organizations of ten'
const HANGING = 'sluice, nine organizations, the tenth hangs'

async function compare(stage: Stage): Promise<Report> {
  const { sizes } = stage
  const { peers, skipped } = findQueues({ ...stage, connections: CONNECTIONS })
  for (const { name, reason } of skipped) say(`  ${name} is left out: ${reason}`)
  const paths = (count: number) => Array.from({ length: count }, (_, at) => `/hook-${at}`)
  const nine = paths(9)
  const comparison = await interleave(
    [
      { name: LIMIT, run: () => limit(stage) },
      { name: OURS, run: () => ours(stage, paths(ORGANIZATIONS)) },
      { name: NINE, run: () => ours(stage, nine) },
      { name: HANGING, run: () => ours(stage, ['/hang', ...nine]) },
      ...peers,
    ],
    sizes.rounds,
  )
  const perCpu = (name: string) =>
    comparison.sides.find((side) => side.name === name)?.more['perCpuSecond'] ?? Number.NaN
  const least = (what: string, value: number, floor: number, goal: number) =>
    judge({ what, value: round3(value), floor, goal, bound: 'least' })
  return {
    number: 5,
    title: 'Webhooks over TLS, deliveries a second',
    sizes: { deliveries: sizes.deliveries, connections: CONNECTIONS, rounds: sizes.rounds },
    comparison,
    verdicts: [
      least(`${OURS} ÷ ${LIMIT}`, ratio(comparison, OURS, LIMIT), 0.5, 0.8),
      least(`the same for each CPU second of the sender`, perCpu(OURS) / perCpu(LIMIT), 0.75, 0.95),
      least(`${HANGING} ÷ ${NINE}`, ratio(comparison, HANGING, NINE), 0.8, 0.95),
      ...peers.map(({ name, floor, goal }) =>
        least(`${OURS} ÷ ${name}`, ratio(comparison, OURS, name), floor, goal),
      ),
    ],
    skipped,
  }
}

async function limit({ receiver, sizes }: Stage): Promise<Reading> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const orgId = '01990000-0000-7000-8000-000000000000'
  const warmUp = warmUpOf(sizes.deliveries)
  receiver.begin({ secrets: { [orgId]: secret }, warmUp })
  const program = new URL('undici-hmac.ts', import.meta.url)
  const count = sizes.deliveries + warmUp
  const args = [receiver.origin, '/hook', count, CONNECTIONS, secret, orgId]
  const env = { ...process.env, BENCH_TLS_CERT: receiver.ca }
  const child = await startChild<{ ready: true }>(program, args, { env })
  try {
    await child.hear((news) => news)
    child.send({ go: true })
    return await receiver.measure(child, sizes.deliveries)
  } finally {
    await child.stop()
  }
}

async function ours(
  { postgres, keys, receiver, sizes }: Stage,
  paths: readonly string[],
): Promise<Reading> {
  const answering = paths.filter((path) => !path.includes('hang')).length
  const warmUp = warmUpOf(sizes.deliveries)
  const each = Math.ceil((sizes.deliveries + warmUp) / answering)
  const urls = await postgres.create('bench_run', 'bench_empty')
  const database = openBenchDatabase(urls)
  const tenants: Tenant[] = []
  for (const path of paths) {
    const webhookUrl = `${receiver.origin}${path}`
    tenants.push(await foundTenant(database, keys, { name: path, webhookUrl }))
  }
  await database.close()
  const dueAt = Date.now() + START_UP_MS + sizes.deliveries / 10
  const orgIds = tenants.map(({ orgId }) => orgId)
  await fillOutbox(postgres.adminUrl('bench_run'), { orgIds, each, dueAt })
  const secrets = Object.fromEntries(tenants.map((one) => [one.orgId, one.signingSecret]))
  receiver.begin({ secrets, warmUp })
  const { origin, caFile } = receiver
  const env = await writeConfig(keys, { urls, roles: 'webhooks', webhookOrigins: [origin], caFile })
  const service = startSluice(env, { profile: sizes.profile })
  try {
    const count = each * answering
    const reading = await receiver.measure(service, count - warmUp)
    if (answering === paths.length) await checkSettled(postgres, count)
    return reading
  } finally {
    await service.stop()
    await postgres.drop('bench_run')
  }
}

/** Every delivery is written down as accepted, with its attempt. */
async function checkSettled(postgres: Postgres, count: number): Promise<void> {
  await withSession(postgres.adminUrl('bench_run'), async (session) => {
    const found = { delivered: 0, attempts: 0 }
    for (let tries = 0; tries < 50 && found.delivered < count; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      const row = await session.one(sql<{ delivered: number; attempts: number }>`
        select (select count(*) from deliveries where state = 'delivered') as delivered,
               (select count(*) from delivery_attempts where status = 200) as attempts`)
      Object.assign(found, row)
    }
    check(found.delivered === count && found.attempts === count, 'attempts', found)
  })
}
