import { sql } from 'kysely'
import { type Session, withSession } from '../../service/src/store/connection.ts'
import { type BenchChain, type Keys, writeConfig } from './installation.ts'
import { check, type Reading, until } from './measure.ts'
import { startChild } from './children.ts'
import type { Postgres } from './postgres.ts'
import { startSluice } from './program.ts'

const CATCH_UP_MS = 600_000

/** The cost of a whole scanner for the blocks after its warm-up. */
export interface CatchUp {
  blocks: number
  /** Blocks a second. */
  rate: number
  /** Milliseconds of the processor for one block. */
  cpuMs: number
  peakMegabytes: number
}

/**
 * Our scanner, the whole program on a copy of a template, from the warm-up's end to the chain's
 * last block, and until all that is due is credited. `setHead` moves the node's head.
 */
export async function timeCatchUp(given: {
  postgres: Postgres
  keys: Keys
  template: string
  chainId: string
  chain: BenchChain
  /** The heights at which the clock starts and stops. */
  warm: number
  last: number
  /** The highest block whose deposits must be credited in the end. */
  creditedUpTo: number
  setHead: (height: number) => void
  /** Throws where the ledger is not as planned. */
  checkLedger: (session: Session) => Promise<void>
  profile?: string | undefined
}): Promise<CatchUp> {
  const { postgres, keys, template, chainId, chain, warm, last, setHead } = given
  const name = `${template}_run`
  const urls = await postgres.create(name, template)
  setHead(warm)
  const env = await writeConfig(keys, { urls, chains: { [chainId]: chain }, roles: 'scanner' })
  const service = startSluice(env, { profile: given.profile })
  try {
    return await withSession(postgres.adminUrl(name), async (session) => {
      await until(async () => (await tipOf(session)) === warm, CATCH_UP_MS, 'the warm-up')
      const before = { cpu: service.cpu(), at: performance.now() }
      setHead(last)
      await until(() => isDone(session, given), CATCH_UP_MS, 'the catch-up')
      const seconds = (performance.now() - before.at) / 1_000
      const blocks = last - warm
      const cpuMs = ((service.cpu() - before.cpu) * 1_000) / blocks
      const peakMegabytes = service.peakMegabytes()
      await given.checkLedger(session)
      return { blocks, rate: blocks / seconds, cpuMs, peakMegabytes }
    })
  } finally {
    await service.stop()
    await postgres.drop(name)
  }
}

/** The limit, measured by a program that uses `fetchLimit`. */
export async function readLimit(
  program: URL,
  args: readonly (string | number)[],
): Promise<Reading> {
  const child = await startChild<Reading & { ok: boolean }>(program, [...args])
  const { ok, ...reading } = await child.hear((news) => news, CATCH_UP_MS)
  check(ok, 'fetched all')
  await child.stop()
  return reading
}

/** The height of our tip; -1 before the first block. */
export async function tipOf(session: Session): Promise<number> {
  const row = await session.maybe(sql<{ tip: number }>`select tip_height as tip from chain_states`)
  return row?.tip ?? -1
}

/** Waiting deposits are counted only at the tip: counting earlier would slow the scanner. */
async function isDone(
  session: Session,
  { last, creditedUpTo }: { last: number; creditedUpTo: number },
): Promise<boolean> {
  if ((await tipOf(session)) !== last) return false
  const { waiting } = await session.one(sql<{ waiting: number }>`
    select count(*)::int as waiting
      from incoming_transfers
     where status = 'Detected'
       and block_height <= ${creditedUpTo}`)
  return waiting === 0
}
