import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { setWebhookUrl } from '../../service/src/orgs/settings.ts'
import { checkLedger } from '../catch-up/ours.ts'
import { type Stage, TEMPLATE, openStage } from '../catch-up/stage.ts'
import { CHAIN, DEPOSITS_A_BLOCK } from '../chain/plan.ts'
import { tipOf } from '../harness/catch-up.ts'
import { openBenchDatabase, writeConfig } from '../harness/installation.ts'
import { type Reading, check, interleave, judge, until } from '../harness/measure.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { startSluice } from '../harness/program.ts'
import { type ReceiverProcess, startReceiverProcess } from '../webhooks/receiver.ts'

const KILLED = 'kill -9 in a catch-up'
const CATCH_UP_MS = 600_000
const CONFIRMATIONS = 12

/**
 * Benchmark 8, its second part: the program is killed in the middle of a catch-up and started
 * again.
 */
export async function benchKill(sizes: Sizes): Promise<Report> {
  const blocks = Math.min(sizes.blocks, 1_000)
  const stage = await openStage({ blocks, watched: Math.min(sizes.watched, 100_000) })
  const receiver = await startReceiverProcess(stage.keys.folder)
  try {
    const run = (round: number) => killOnce(stage, receiver, round)
    const comparison = await interleave([{ name: KILLED, run }], sizes.rounds)
    const value = comparison.sides[0]?.more['resumedSeconds'] ?? Number.NaN
    const more = comparison.sides[0]?.more ?? {}
    const none = (what: string, found: number | undefined) =>
      judge({ what, value: found ?? Number.NaN, floor: 0, goal: 0, bound: 'most' })
    return {
      number: 8,
      title: 'Killed by kill -9 in a catch-up',
      sizes: { blocks, rounds: sizes.rounds },
      comparison,
      verdicts: [
        judge({
          what: 'resumed, seconds after the start',
          value,
          floor: 5,
          goal: 2,
          bound: 'most',
        }),
        none('deposits lost', more['lost']),
        none('deposits doubled', more['doubled']),
      ],
      skipped: [],
    }
  } finally {
    await receiver.stop()
    await stage.close()
  }
}

async function killOnce(stage: Stage, receiver: ReceiverProcess, round: number): Promise<Reading> {
  const { postgres, keys, node, tenant } = stage
  const urls = await postgres.create('bench_run', TEMPLATE)
  const database = openBenchDatabase(urls)
  const { orgId } = tenant
  const url = `${receiver.origin}/hook`
  const change = { orgId, url, actor: 'bench' }
  await database.transaction((tx) => setWebhookUrl(tx, keys.serviceKey, change))
  await database.close()
  receiver.child.send({ secrets: { [orgId]: tenant.signingSecret }, reset: true })
  node.setHead(node.last)
  const env = await writeConfig(keys, {
    urls,
    chains: {
      [CHAIN.id]: {
        nodes: [node.url],
        completeness: 'logs',
        startHeight: CHAIN.origin + 1,
        confirmations: CONFIRMATIONS,
      },
    },
    roles: 'scanner,webhooks',
    webhookOrigins: [receiver.origin],
    caFile: receiver.caFile,
  })
  const first = startSluice(env)
  let second: ReturnType<typeof startSluice> | null = null
  try {
    return await withSession(postgres.adminUrl('bench_run'), async (session) => {
      const share = [0.3, 0.5, 0.7][round % 3] ?? 0.5
      const middle = CHAIN.origin + Math.floor((node.last - CHAIN.origin) * share)
      await until(async () => (await tipOf(session)) >= middle, CATCH_UP_MS, 'the middle', 5)
      await first.kill()
      const standing = await tipOf(session)
      check(standing < node.last, 'killed too late', { standing })
      const began = performance.now()
      second = startSluice(env)
      await until(async () => (await tipOf(session)) > standing, 60_000, 'the resumption', 5)
      const resumedSeconds = (performance.now() - began) / 1_000
      await until(() => isDone(session, node.last), CATCH_UP_MS, 'the end')
      await checkLedger(session, stage)
      const { events, deposits } = await session.one(sql<{ events: number; deposits: number }>`
        select (select count(*) from events) as events,
               (select count(*) from incoming_transfers) as deposits`)
      const counted = await receiver.waitFor(events, CATCH_UP_MS)
      const planned = (node.last - CHAIN.origin) * DEPOSITS_A_BLOCK
      const more = {
        resumedSeconds,
        lost: Math.max(0, planned - deposits),
        doubled: Math.max(0, deposits - planned),
        sentAgain: counted.requests - counted.distinct,
      }
      return { rate: 1 / resumedSeconds, more }
    })
  } finally {
    await first.kill().catch(() => undefined)
    await (second as ReturnType<typeof startSluice> | null)?.stop()
    await postgres.drop('bench_run')
  }
}

async function isDone(session: Session, last: number): Promise<boolean> {
  const row = await session.one(sql<{ tip: number; waiting: number }>`
    select tip_height as tip,
           (select count(*)
              from incoming_transfers
             where status = 'Detected'
               and block_height <= tip_height - ${CONFIRMATIONS}::int) as waiting
      from chain_states`)
  return row.tip === last && row.waiting === 0
}
