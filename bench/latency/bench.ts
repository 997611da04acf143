import { sql } from 'kysely'
import { withSession } from '../../service/src/store/connection.ts'
import { startNode, type NodeProcess } from '../catch-up/chain.ts'
import { SCOPE, makeTemplate } from '../catch-up/stage.ts'
import { CHAIN, DEPOSITS_A_BLOCK } from '../chain/plan.ts'
import { fillWatched } from '../chain/watched.ts'
import {
  type Keys,
  type Tenant,
  foundTenant,
  makeKeys,
  openBenchDatabase,
  writeConfig,
} from '../harness/installation.ts'
import {
  type Reading,
  check,
  interleave,
  judge,
  percentile,
  round3,
  until,
} from '../harness/measure.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { startSluice } from '../harness/program.ts'
import { setWebhookUrl } from '../../service/src/orgs/settings.ts'
import { type ReceiverProcess, startReceiverProcess } from '../webhooks/receiver.ts'

const BLOCK_MS = 250
const WARM_BLOCKS = 40
/**
 * The other chain must not be caught up before the live one ends: more than any scanner reads in
 * 250 ms.
 */
const OTHER_BLOCKS_EACH = 180
const OTHER_CHAIN = 'eip155:56'
const IDLE = 'an idle machine'
const BUSY = "another chain's catch-up"

interface Stage {
  postgres: Postgres
  keys: Keys
  tenant: Tenant
  receiver: ReceiverProcess
  live: NodeProcess
  other: NodeProcess
  sizes: Sizes
}

/** Benchmark 4: from a block that the scanner sees to the webhook that arrives. */
export async function benchLatency(sizes: Sizes): Promise<Report> {
  const keys = await makeKeys()
  const watched = Math.min(sizes.watched, 100_000)
  const blocks = sizes.liveBlocks + WARM_BLOCKS
  const [postgres, receiver, live, other] = await Promise.all([
    startPostgres(),
    startReceiverProcess(keys.folder),
    startNode({ blocks, watched }),
    startNode({ blocks: blocks * OTHER_BLOCKS_EACH, watched, chainId: 56, offset: watched }),
  ])
  const tenant = await makeTemplate({ postgres, keys, blocks, watched, name: 'bench_live' })
  const database = openBenchDatabase(postgres.urls('bench_live'))
  // The other chain pays another organization, which has no receiver: its scanner works, and books.
  const { orgId: otherId } = await foundTenant(database, keys, { name: 'Other' })
  await fillWatched(postgres.adminUrl('bench_live'), {
    serviceKey: keys.serviceKey,
    orgId: otherId,
    chainId: OTHER_CHAIN,
    scope: SCOPE,
    watched,
    blocks: 1,
    offset: watched,
  })
  const { orgId } = tenant
  const url = `${receiver.origin}/hook`
  const change = { orgId, url, actor: 'bench' }
  await database.transaction((tx) => setWebhookUrl(tx, keys.serviceKey, change))
  await database.close()
  try {
    return await compare({ postgres, keys, tenant, receiver, live, other, sizes })
  } finally {
    await Promise.all([live.stop(), other.stop(), receiver.stop()])
    await postgres.stop()
    await keys.remove()
  }
}

async function compare(stage: Stage): Promise<Report> {
  const { sizes } = stage
  const comparison = await interleave(
    [
      { name: IDLE, run: () => follow(stage, { busy: false }) },
      { name: BUSY, run: () => follow(stage, { busy: true }) },
    ],
    sizes.rounds,
  )
  const of = (name: string, figure: string) =>
    round3(comparison.sides.find((side) => side.name === name)?.more[figure] ?? Number.NaN)
  const most = (what: string, value: number, floor: number, goal: number) =>
    judge({ what, value, floor, goal, bound: 'most' })
  return {
    number: 4,
    title: 'Block seen to webhook received, milliseconds',
    sizes: { liveBlocks: sizes.liveBlocks, blockMs: BLOCK_MS, rounds: sizes.rounds },
    comparison,
    verdicts: [
      most(`p50 on ${IDLE}, ms`, of(IDLE, 'p50'), 60, 25),
      most(`p99 on ${IDLE}, ms`, of(IDLE, 'p99'), 250, 80),
      most(`p99 during ${BUSY}, ms`, of(BUSY, 'p99'), 500, 200),
    ],
    skipped: [],
  }
}

async function follow(stage: Stage, { busy }: { busy: boolean }): Promise<Reading> {
  const { postgres, keys, tenant, receiver, live, other, sizes } = stage
  const urls = await postgres.create('bench_run', 'bench_live')
  const first = CHAIN.origin + 1
  live.setHead(first)
  other.setHead(busy ? other.last : first)
  const chain = { startHeight: first, completeness: 'logs' as const, confirmations: 12 }
  const env = await writeConfig(keys, {
    urls,
    chains: {
      [CHAIN.id]: { nodes: [live.url], ...chain },
      ...(busy ? { [OTHER_CHAIN]: { nodes: [other.url], ...chain } } : {}),
    },
    roles: 'scanner,webhooks',
    webhookOrigins: [receiver.origin],
    caFile: receiver.caFile,
  })
  const watch = new Watch(stage)
  receiver.child.send({
    secrets: { [tenant.orgId]: tenant.signingSecret },
    reset: true,
    tell: true,
  })
  const service = startSluice(env, { profile: sizes.profile })
  try {
    await withSession(postgres.adminUrl('bench_run'), async (session) => {
      const tipOf = async (chainId: string) => {
        const row = await session.maybe(sql<{ tip: number }>`
          select tip_height as tip from chain_states where chain_id = ${chainId}`)
        return row?.tip ?? 0
      }
      await until(async () => (await tipOf(CHAIN.id)) === first, 30_000, 'the first block')
      const blocks = WARM_BLOCKS + sizes.liveBlocks - 1
      live.child.send({ head: first, every: { ms: BLOCK_MS, blocks } })
      const wanted = sizes.liveBlocks * DEPOSITS_A_BLOCK
      await until(
        async () => watch.count === wanted,
        blocks * BLOCK_MS * 2 + 60_000,
        'webhooks',
        50,
      )
      if (busy)
        check((await tipOf(OTHER_CHAIN)) < other.last, 'the other chain was caught up early')
    })
    return watch.reading()
  } finally {
    watch.end()
    await service.stop()
    await postgres.drop('bench_run')
  }
}

/**
 * When each block was made, when it was first reported to the scanner, and when its webhooks
 * arrived.
 */
class Watch {
  readonly #told = new Map<number, number>()
  readonly #made = new Map<number, number>()
  readonly #came: { height: number; at: number }[] = []
  #isOver = false

  constructor({ live, receiver }: Stage) {
    live.child.listen((news) => {
      if (this.#isOver) return
      if ('told' in news) this.#told.set(news.told, news.at)
      if ('made' in news) this.#made.set(news.made, news.at)
    })
    receiver.child.listen((news) => {
      if (this.#isOver || !('detected' in news) || news.chainId !== CHAIN.id) return
      if (news.detected <= CHAIN.origin + WARM_BLOCKS) return
      this.#came.push({ height: news.detected, at: news.at })
    })
  }

  get count(): number {
    return this.#came.length
  }

  end(): void {
    this.#isOver = true
  }

  reading(): Reading {
    const since = (from: Map<number, number>) =>
      this.#came.map(({ height, at }) => at - (from.get(height) ?? Number.NaN))
    const [seen, made] = [since(this.#told), since(this.#made)]
    check(![...seen, ...made].some(Number.isNaN), 'blocks whose time is not known')
    const p50 = percentile(seen, 0.5)
    const more = {
      p50,
      p99: percentile(seen, 0.99),
      most: Math.max(...seen),
      sinceMadeP50: percentile(made, 0.5),
      sinceMadeP99: percentile(made, 0.99),
    }
    return { rate: 1_000 / Math.max(p50, 1), more }
  }
}
