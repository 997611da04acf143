import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { CHAIN, DEPOSITS_A_BLOCK, plannedDeposit } from '../chain/plan.ts'
import { cpuSeconds } from '../harness/children.ts'
import { tipOf } from '../harness/catch-up.ts'
import { writeConfig } from '../harness/installation.ts'
import { type Reading, check, until } from '../harness/measure.ts'
import { startSluice } from '../harness/program.ts'
import { type Stage, TEMPLATE } from './stage.ts'

/**
 * Blocks that are scanned before the clock starts: connections and plans are warm then. Compilers
 * get warm while it runs, as those of every other side do.
 */
export const WARM_BLOCKS = 64
const CONFIRMATIONS = 12
const CATCH_UP_MS = 900_000
const WARM_UP_MS = 120_000

/** Our scanner, the whole program, from the warm-up's end to the chain's last block. */
export async function catchUp(
  stage: Stage,
  given: {
    completeness: 'logs' | 'receipts'
    name: string
    template?: string
    profile?: string | undefined
  },
): Promise<Reading> {
  const { postgres, keys, node } = stage
  const urls = await postgres.create(given.name, given.template ?? TEMPLATE)
  const first = CHAIN.origin + WARM_BLOCKS
  node.setHead(first)
  const { completeness } = given
  const chain = {
    nodes: [node.url],
    completeness,
    startHeight: CHAIN.origin + 1,
    confirmations: CONFIRMATIONS,
  }
  const env = await writeConfig(keys, { urls, chains: { [CHAIN.id]: chain }, roles: 'scanner' })
  const service = startSluice(env, { profile: given.profile })
  try {
    return await withSession(postgres.adminUrl(given.name), async (session) => {
      await until(async () => (await standing(session)).tip === first, WARM_UP_MS, 'the warm-up')
      const before = { cpu: service.cpu(), node: node.child.cpu(), at: performance.now() }
      const databaseBefore = await databaseCpu(session, postgres.pid)
      node.setHead(node.last)
      await until(() => isDone(session, node.last), CATCH_UP_MS, 'the catch-up')
      const seconds = (performance.now() - before.at) / 1_000
      const blocks = node.last - first
      const reading = {
        rate: blocks / seconds,
        more: {
          serviceCpuMsABlock: ((service.cpu() - before.cpu) * 1_000) / blocks,
          nodeCpuMsABlock: ((node.child.cpu() - before.node) * 1_000) / blocks,
          databaseCpuMsABlock:
            (((await databaseCpu(session, postgres.pid)) - databaseBefore) * 1_000) / blocks,
          peakMegabytes: service.peakMegabytes(),
        },
      }
      await checkLedger(session, stage)
      return reading
    })
  } finally {
    await service.stop()
    await postgres.drop(given.name)
  }
}

interface Standing {
  tip: number
  waiting: number
}

async function standing(session: Session): Promise<Standing> {
  const row = await session.maybe(sql<{ tip: number; waiting: number }>`
    select tip_height as tip,
           (select count(*)
              from incoming_transfers
             where status = 'Detected'
               and block_height <= tip_height - ${CONFIRMATIONS}::int) as waiting
      from chain_states`)
  return row ?? { tip: -1, waiting: 0 }
}

/**
 * All blocks are processed, and all deposits with enough confirmations are credited. Waiting
 * deposits are counted only at the tip, because counting earlier would slow the measured work.
 */
async function isDone(session: Session, last: number): Promise<boolean> {
  if ((await tipOf(session)) !== last) return false
  const { tip, waiting } = await standing(session)
  return tip === last && waiting === 0
}

/** Each planned deposit exactly once, credited when due, with postings and events. */
export async function checkLedger(session: Session, stage: Stage): Promise<void> {
  const { node, watched } = stage
  const count = (node.last - CHAIN.origin) * DEPOSITS_A_BLOCK
  const confirmed = (node.last - CHAIN.origin - CONFIRMATIONS) * DEPOSITS_A_BLOCK
  let amount = 0n
  for (let height = CHAIN.origin + 1; height <= node.last; height += 1) {
    for (let slot = 0; slot < DEPOSITS_A_BLOCK; slot += 1) {
      amount += plannedDeposit(height, slot, { watched, offset: 0 }).amount
    }
  }
  const found = await session.one(sql<Record<string, number | bigint>>`
    select (select count(*) from incoming_transfers) as deposits,
           (select count(distinct (txn_hash, position, address))
              from incoming_transfers) as "distinct",
           (select sum(amount) from incoming_transfers) as amount,
           (select count(*) from incoming_transfers where status = 'Confirmed') as confirmed,
           (select count(*) from events where type = 'deposit.detected') as told,
           (select count(*) from events where type = 'deposit.confirmed') as "toldConfirmed",
           (select count(*) from deliveries where event_id in (
              select id from events where type like 'deposit.%')) as deliveries,
           (select sum(amount)::numeric from balances
             where account in ('claim:available', 'claim:unconfirmed')) as booked`)
  const wanted = {
    deposits: count,
    distinct: count,
    amount,
    confirmed,
    told: count,
    toldConfirmed: confirmed,
    deliveries: count + confirmed,
    booked: amount,
  }
  for (const [name, value] of Object.entries(wanted)) {
    check(found[name] === value, name, { found: String(found[name]), wanted: String(value) })
  }
}

/**
 * CPU seconds of the server's processes that work for this database, this connection's left out.
 */
async function databaseCpu(session: Session, server: number): Promise<number> {
  const rows = await session.many(sql<{ pid: number }>`
    select pid
      from pg_stat_activity
     where pid <> pg_backend_pid()`)
  return [server, ...rows.map(({ pid }) => pid)].reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}
