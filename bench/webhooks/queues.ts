import { isInstalled, notInstalled } from '../catch-up/peers.ts'
import { startChild } from '../harness/children.ts'
import type { Reading, Side, Skipped } from '../harness/measure.ts'
import type { Postgres } from '../harness/postgres.ts'
import type { Sizes } from '../harness/report.ts'
import { type ReceiverProcess, warmUpOf } from './receiver.ts'
import { isRedisInstalled, startRedis } from './redis.ts'

/** A job queue, and how far ahead of it we must and would be. */
export interface Queue extends Side {
  floor: number
  goal: number
}

interface Stage {
  postgres: Postgres
  receiver: ReceiverProcess
  sizes: Sizes
  connections: number
}

const LIMIT_MS = 300_000

/** The queues that are installed, and why others are left out. */
export function findQueues(stage: Stage): { peers: Queue[]; skipped: Skipped[] } {
  const peers: Queue[] = []
  const skipped: Skipped[] = []
  const graphile = { name: 'graphile-worker', floor: 1.2, goal: 1.8 }
  if (isInstalled('graphile-worker')) peers.push({ ...graphile, run: () => runGraphile(stage) })
  else skipped.push({ name: graphile.name, reason: notInstalled('graphile-worker') })
  const bullmq = { name: 'BullMQ', floor: 1.5, goal: 2.2 }
  if (!isInstalled('bullmq')) skipped.push({ name: bullmq.name, reason: notInstalled('bullmq') })
  else if (isRedisInstalled()) peers.push({ ...bullmq, run: () => runBullmq(stage) })
  else skipped.push({ name: bullmq.name, reason: 'no redis-server: apt-get install redis-server' })
  skipped.push({ name: 'pg-boss', reason: 'its versions for Node 20 are no longer maintained' })
  return { peers, skipped }
}

async function runGraphile(stage: Stage): Promise<Reading> {
  const { postgres } = stage
  await postgres.create('bench_queue')
  try {
    const store = postgres.adminUrl('bench_queue')
    return await drain(stage, new URL('graphile.ts', import.meta.url), store)
  } finally {
    await postgres.drop('bench_queue')
  }
}

async function runBullmq(stage: Stage): Promise<Reading> {
  const redis = await startRedis()
  try {
    return await drain(stage, new URL('bullmq.ts', import.meta.url), String(redis.port))
  } finally {
    await redis.stop()
  }
}

/** From the end of the warm-up to the last webhook that arrives. */
async function drain(
  { receiver, sizes, connections }: Stage,
  program: URL,
  store: string,
): Promise<Reading> {
  const { deliveries } = sizes
  const warmUp = warmUpOf(deliveries)
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  receiver.begin({ secrets: { '': secret }, warmUp })
  const args = [receiver.origin, '/hook', deliveries + warmUp, connections, store]
  const env = { ...process.env, BENCH_TLS_CERT: receiver.ca }
  const child = await startChild<{ ready: true }>(program, args, { env })
  try {
    await child.hear((news) => news, LIMIT_MS)
    child.send({ go: true })
    return await receiver.measure(child, deliveries)
  } finally {
    await child.stop()
  }
}
