import { sql } from 'kysely'
import { withSession } from '../../service/src/store/connection.ts'
import { startNode } from '../catch-up/chain.ts'
import { WARM_BLOCKS, catchUp } from '../catch-up/ours.ts'
import { type Stage, makeTemplate } from '../catch-up/stage.ts'
import { CHAIN, DEPOSITS_A_BLOCK } from '../chain/plan.ts'
import { addWatched } from '../chain/watched.ts'
import { makeKeys, writeConfig } from '../harness/house.ts'
import {
  type Reading,
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
const BATCH_BLOCKS = 8
const MEGABYTES_MAX = 512

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
  const adding = { name: ADDED, run: () => addWhileScanning(few, sizes) }
  const comparison = await interleave([catching(many), catching(few), adding], sizes.rounds)
  const peak = (name: string) =>
    comparison.sides.find((side) => side.name === name)?.more['peakMegabytes'] ?? Number.NaN
  const added = comparison.sides.find((side) => side.name === ADDED)?.more ?? {}
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
      judge({
        what: 'MB more at the peak, of the scanning process',
        value: peak(nameOf(many)) - peak(nameOf(few)),
        floor: MEGABYTES_MAX,
        goal: MEGABYTES_MAX,
        bound: 'most',
      }),
      judge({
        what: 'addresses missed',
        value: added['missed'] ?? Number.NaN,
        floor: 0,
        goal: 0,
        bound: 'most',
      }),
    ],
    skipped: [],
  }
}

function templateOf(watched: number): string {
  return `bench_template_${watched}`
}

/**
 * Addresses are issued by another process and paid in the very next blocks: each is committed
 * before
 * the first node could show the block that pays it.
 */
async function addWhileScanning(stage: Stage, sizes: Sizes): Promise<Reading> {
  const { postgres, keys, node, tenant } = stage
  const urls = await postgres.create('bench_run', templateOf(stage.watched))
  await withSession(postgres.adminUrl('bench_run'), (session) =>
    session.script('delete from watched_addresses; delete from accounts'),
  )
  const first = CHAIN.origin
  node.setHead(first + 1)
  const chain = { nodes: [node.url], completeness: 'logs' as const, startHeight: first + 2 }
  const env = await writeConfig(keys, { urls, chains: { [CHAIN.id]: chain }, roles: 'scanner' })
  const service = startSluice(env)
  const pauses: number[] = []
  try {
    return await withSession(postgres.adminUrl('bench_run'), async (session) => {
      const standing = () =>
        session.maybe(sql<{ tip: number }>`select tip_height as tip from chain_states`)
      await until(async () => (await standing())?.tip === first + 1, 30_000, 'first contact')
      const last = Math.min(node.last, first + 1 + Math.floor(stage.watched / DEPOSITS_A_BLOCK))
      const batches = Math.ceil((last - first - 1) / BATCH_BLOCKS)
      const fillers = Math.max(0, Math.ceil((sizes.watchedAdded - stage.watched) / batches))
      const began = performance.now()
      for (let batch = 0; batch < batches; batch += 1) {
        const from = first + 2 + batch * BATCH_BLOCKS
        const to = Math.min(last, from + BATCH_BLOCKS - 1)
        const at = performance.now()
        await addWatched(session, { ...stage, orgId: tenant.orgId, from, to, fillers, batch })
        pauses.push(performance.now() - at)
        node.setHead(to)
      }
      await until(async () => (await standing())?.tip === last, 300_000, 'the last block')
      const seconds = (performance.now() - began) / 1_000
      const planned = (last - first - 1) * DEPOSITS_A_BLOCK
      const { found, added } = await session.one(sql<{ found: number; added: number }>`
        select (select count(*) from deposits) as found,
               (select count(*) from watched_addresses) as added`)
      check(added >= Math.min(sizes.watchedAdded, planned), 'addresses added', { added })
      const more = { missed: planned - found, added, commitP99: percentile(pauses, 0.99) }
      check(more.missed === 0, 'an address was missed', more)
      return { rate: added / seconds, more }
    })
  } finally {
    await service.stop()
    await postgres.drop('bench_run')
  }
}
