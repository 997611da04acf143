import { readLimit } from '../harness/catch-up.ts'
import { type Reading, type Side, interleave, judge, ratio, say } from '../harness/measure.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { CHAIN } from '../chain/plan.ts'
import { WARM_BLOCKS, catchUp } from './ours.ts'
import { findPeers } from './peers.ts'
import { type Stage, openStage } from './stage.ts'

/** Benchmark 1: a scanner catching up, against the limit and against other scanners. */
export async function benchCatchUp(sizes: Sizes): Promise<Report> {
  const stage = await openStage({ blocks: sizes.blocks + WARM_BLOCKS, watched: sizes.watched })
  try {
    return await compare(stage, sizes)
  } finally {
    await stage.close()
  }
}

const LIMIT = { logs: 'fetch and JSON.parse, logs', receipts: 'fetch and JSON.parse, receipts' }
const OURS = { logs: 'sluice, logs', receipts: 'sluice, receipts' }

async function compare(stage: Stage, sizes: Sizes): Promise<Report> {
  const modes = ['logs', 'receipts'] as const
  const sides = modes.flatMap((mode): Side[] => [
    { name: LIMIT[mode], run: () => limit(stage, mode) },
    {
      name: OURS[mode],
      run: () => catchUp(stage, { completeness: mode, name: 'bench_run', profile: sizes.profile }),
    },
  ])
  const { peers, skipped } = findPeers(stage, sizes.peerBlocks)
  for (const { name, reason } of skipped) say(`  ${name} is left out: ${reason}`)
  const comparison = await interleave([...sides, ...peers], sizes.rounds)
  const verdicts = [
    judge({
      what: `${OURS.logs} ÷ ${LIMIT.logs}`,
      value: ratio(comparison, OURS.logs, LIMIT.logs),
      floor: 0.8,
      goal: 2,
      bound: 'least',
    }),
    judge({
      what: `${OURS.receipts} ÷ ${LIMIT.receipts} (no floor: as near as it can)`,
      value: ratio(comparison, OURS.receipts, LIMIT.receipts),
      floor: 0,
      goal: 2,
      bound: 'least',
    }),
    ...peers.map(({ name, floor, goal }) => {
      const value = ratio(comparison, OURS.logs, name)
      return judge({ what: `${OURS.logs} ÷ ${name}`, value, floor, goal, bound: 'least' })
    }),
  ]
  const { blocks, watched } = stage
  return {
    number: 1,
    title: 'Catching up with an EVM chain, blocks a second',
    sizes: { blocks: blocks - WARM_BLOCKS, watched, rounds: sizes.rounds },
    comparison,
    verdicts,
    skipped,
  }
}

async function limit({ node }: Stage, mode: 'logs' | 'receipts'): Promise<Reading> {
  node.setHead(node.last)
  const first = CHAIN.origin + WARM_BLOCKS + 1
  const args = [node.url, first, node.last, mode]
  const { rate } = await readLimit(new URL('fetch-parse.ts', import.meta.url), args)
  return { rate }
}
