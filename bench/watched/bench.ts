import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { startNode } from '../catch-up/chain.ts'
import { WARM_BLOCKS, catchUp } from '../catch-up/ours.ts'
import { type Stage, makeTemplate } from '../catch-up/stage.ts'
import { CHAIN, DEPOSITS_A_BLOCK } from '../chain/plan.ts'
import { addWatched } from '../chain/watched.ts'
import { tipOf } from '../harness/catch-up.ts'
import { makeKeys, writeConfig } from '../harness/installation.ts'
import {
  type Comparison,
  type Reading,
  type Verdict,
  check,
  interleave,
  judge,
  percentile,
  ratio,
  until,
} from '../harness/measure.ts'
import { startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { startSluice } from '../harness/program.ts'

const ADDED = 'addresses added while blocks come'
/** Blocks before the clock starts with payments to our addresses. */
const PAID_WARM_BLOCKS = 8
/** Blocks whose payees are issued in one commit, just before the node shows them. */
const BATCH_BLOCKS = 1
/** Between two commits: some 20,000 addresses a second, ten times what the API can issue. */
const REST_MS = 40
const MEGABYTES_MAX = 512
const PAUSE_MS_MAX = 20
const WARM_UP_MS = 60_000

/** Benchmark 2: what a watched address costs, and whether any is missed. */
export async function benchWatched(sizes: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const postgres = await startPostgres()
  const blocks = Math.min(sizes.blocks, 2_000) + WARM_BLOCKS
  const stages: Stage[] = []
  try {
    for (const watched of [sizes.watchedMany, sizes.watchedFew]) {
      const node = await startNode({ blocks, watched })
      const name = templateOf(watched)
      const tenant = await makeTemplate({ postgres, keys, blocks, watched, name })
      const close = () => node.stop()
      stages.push({ postgres, keys, tenant, node, blocks, watched, close })
    }
    return await compare(stages, sizes)
  } finally {
    for (const stage of stages) await stage.close()
    await postgres.stop()
    await keys.remove()
  }
}

async function compare(stages: readonly Stage[], sizes: Sizes): Promise<Report> {
  const [many, few] = stages
  if (many === undefined || few === undefined) throw new Error('no stages')
  const nameOf = ({ watched }: Stage) => `${watched} watched addresses`
  const catching = (stage: Stage) => ({
    name: nameOf(stage),
    run: () =>
      catchUp(stage, {
        completeness: 'logs',
        name: 'bench_run',
        template: templateOf(stage.watched),
        profile: sizes.profile,
      }),
  })
  const pauses: number[] = []
  const adding = {
    name: ADDED,
    run: async () => {
      const reading = await addWhileScanning(few, sizes)
      pauses.push(reading.more?.['longestMs'] ?? Number.NaN)
      return reading
    },
  }
  const comparison = await interleave([catching(many), catching(few), adding], sizes.rounds)
  return {
    number: 2,
    title: 'Watched addresses, blocks a second',
    sizes: {
      many: many.watched,
      few: few.watched,
      blocks: many.blocks - WARM_BLOCKS,
      added: sizes.watchedAdded,
      rounds: sizes.rounds,
    },
    comparison,
    verdicts: [
      judge({
        what: `${nameOf(many)} ÷ ${nameOf(few)}`,
        value: ratio(comparison, nameOf(many), nameOf(few)),
        floor: 0.85,
        goal: 0.95,
        bound: 'least',
      }),
      ...boundsOf(comparison, { many: nameOf(many), few: nameOf(few), pauses }),
    ],
    skipped: [],
  }
}

/** Verdicts for values with an upper limit; floor and goal are equal. */
function boundsOf(
  { sides }: Comparison,
  { many, few, pauses }: { many: string; few: string; pauses: readonly number[] },
): Verdict[] {
  const figure = (name: string, key: string) =>
    sides.find((side) => side.name === name)?.more[key] ?? Number.NaN
  const most = (what: string, value: number, limit: number) =>
    judge({ what, value, floor: limit, goal: limit, bound: 'most' })
  const peak = (name: string) => figure(name, 'peakMegabytes')
  return [
    most('MB more at the peak, of the scanning process', peak(many) - peak(few), MEGABYTES_MAX),
    most('addresses missed', figure(ADDED, 'missed'), 0),
    most('longest pause while addresses are added, ms', Math.max(...pauses), PAUSE_MS_MAX),
  ]
}

function templateOf(watched: number): string {
  return `bench_template_${watched}`
}

/** The service deletes no account; the replica role skips the triggers that forbid it. */
function forgetAddresses(session: Session): Promise<void> {
  return session.script(`
    set session_replication_role = replica;
    delete from watched_addresses;
    delete from accounts;
    set session_replication_role = origin`)
}

/**
 * Addresses are issued by another process and paid in the very next blocks: each is committed
 * before the first node could show the block that pays it.
 */
async function addWhileScanning(stage: Stage, sizes: Sizes): Promise<Reading> {
  const { postgres, keys, node, tenant } = stage
  const { serviceKey } = keys
  const { orgId } = tenant
  const urls = await postgres.create('bench_run', templateOf(stage.watched))
  await withSession(postgres.adminUrl('bench_run'), async (session) => {
    await forgetAddresses(session)
    const [from, to] = [CHAIN.origin + 1, CHAIN.origin + PAID_WARM_BLOCKS]
    await addWatched(session, { ...stage, serviceKey, orgId, from, to, fillers: 0, batch: -1 })
  })
  const first = CHAIN.origin + WARM_BLOCKS
  node.setHead(first)
  const startHeight = CHAIN.origin + 1
  const chain = { nodes: [node.url], completeness: 'logs' as const, startHeight }
  const env = await writeConfig(keys, { urls, chains: { [CHAIN.id]: chain }, roles: 'scanner' })
  const pausesFile = join(keys.folder, 'pauses.json')
  const preload = `--import=${new URL('pauses.mjs', import.meta.url).href}`
  const preloaded = { ...env, NODE_OPTIONS: preload, BENCH_PAUSES: pausesFile }
  const service = startSluice(preloaded, { profile: sizes.profile })
  const commits: number[] = []
  let reading: Reading
  try {
    reading = await withSession(postgres.adminUrl('bench_run'), async (session) => {
      await until(async () => (await tipOf(session)) === first, WARM_UP_MS, 'the warm-up')
      const last = Math.min(node.last, first + Math.floor(stage.watched / DEPOSITS_A_BLOCK))
      const batches = Math.ceil((last - first) / BATCH_BLOCKS)
      const fillers = Math.max(0, Math.ceil((sizes.watchedAdded - stage.watched) / batches))
      // The start is complete: from here on no long pause is allowed.
      process.kill(service.pid, 'SIGUSR2')
      const began = performance.now()
      for (let batch = 0; batch < batches; batch += 1) {
        const from = first + 1 + batch * BATCH_BLOCKS
        const to = Math.min(last, from + BATCH_BLOCKS - 1)
        const at = performance.now()
        await addWatched(session, { ...stage, serviceKey, orgId, from, to, fillers, batch })
        commits.push(performance.now() - at)
        node.setHead(to)
        await new Promise((resolve) => setTimeout(resolve, REST_MS))
      }
      await until(async () => (await tipOf(session)) === last, 300_000, 'the last block')
      const seconds = (performance.now() - began) / 1_000
      const planned = (last - first + PAID_WARM_BLOCKS) * DEPOSITS_A_BLOCK
      const { found, added } = await session.one(sql<{ found: number; added: number }>`
        select (select count(*) from incoming_transfers) as found,
               (select count(*) from watched_addresses) as added`)
      check(added >= Math.min(sizes.watchedAdded, planned), 'addresses added', { added })
      const more = { missed: planned - found, added, commitP99: percentile(commits, 0.99) }
      check(more.missed === 0, 'an address was missed', more)
      return { rate: added / seconds, more }
    })
  } finally {
    await service.stop()
    await postgres.drop('bench_run')
  }
  const pauses = JSON.parse(await readFile(pausesFile, 'utf8')) as Record<string, number>
  return { ...reading, more: { ...reading.more, ...pauses } }
}
