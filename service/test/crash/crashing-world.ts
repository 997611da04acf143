import { type EvmChain, startEvmNode, startTronNode, type TronChain } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import type { Holder, StepPoint } from '../../src/scanner/watcher.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { continueRescan } from '../../src/scanner/rescan.ts'
import { rescanStates } from '../faults/fault-world.ts'
import { openWorld, type World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { evmScanStand, type ScanStand, tronScanStand } from './scan-stand.ts'

const STEPS_MAX = 2_000
const FETCH_MAX = 4

/** The process ended here: nothing after it ran, and its memory is lost. */
class Killed extends Error {
  override readonly name = 'Killed'
}

/** At which passes of which points the process ends; passes are counted over all its lives. */
export type Plan = readonly { point: StepPoint; pass: number }[]

/** Payments of one round, and their expected balances at the end. */
interface Round {
  paid: Map<string, bigint>
}

/** A scanner that dies as planned and is restarted, over a simulated chain. */
export class CrashingWorld<C = unknown> {
  readonly world: World
  readonly chain: C
  readonly stand: ScanStand
  readonly #node: { stop(): Promise<void> }
  readonly #passes = new Map<StepPoint, number>()
  #plan: Plan = []
  #ahead: BlocksAhead | null = null
  #deaths = 0

  constructor(
    world: World,
    node: { chain: C; stop(): Promise<void> },
    standOf: (chain: C) => ScanStand,
  ) {
    this.world = world
    this.chain = node.chain
    this.stand = standOf(node.chain)
    this.#node = node
  }

  /** Deaths of the process since the plan was made. */
  get deaths(): number {
    return this.#deaths
  }

  /** From now on the process ends as planned. */
  plan(plan: Plan): void {
    this.#plan = plan
    this.#passes.clear()
    this.#deaths = 0
  }

  /** Passes of a point since the plan was made. */
  passes(point: StepPoint): number {
    return this.#passes.get(point) ?? 0
  }

  /** Runs the scanner, restarted after each death, until no work remains. */
  async settle(): Promise<void> {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      try {
        if (!(await this.#step())) return
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        this.#deaths += 1
        this.#ahead = null
        await this.world.restart()
      }
    }
    throw new Error('the scanner is never done')
  }

  async close(): Promise<void> {
    await this.world.close()
    await this.#node.stop()
  }

  async #step(): Promise<boolean> {
    const holder: Holder = {
      ...(await this.world.holder(this.stand.id)),
      crash: (point) => this.#pass(point),
    }
    this.#ahead ??= new BlocksAhead(holder.adapter, FETCH_MAX)
    if ((await followChain(holder, this.#ahead)) === 'moved') return true
    return continueRescan(holder)
  }

  #pass(point: StepPoint): void {
    const pass = this.passes(point) + 1
    this.#passes.set(point, pass)
    if (this.#plan.some((one) => one.point === point && one.pass === pass)) throw new Killed(point)
  }
}

/** Opens one that has not yet reached its chain. */
export async function openCrashingWorld(
  seed: string,
  runMax = 50,
): Promise<CrashingWorld<EvmChain>> {
  const node = await startEvmNode({ chainId: 11_155_111, seed })
  node.chain.setFinalizedDistance(null)
  node.chain.mine(5)
  const world = await openWorld({ seed, chains: [{ id: SEPOLIA, nodes: [node.url], runMax }] })
  return new CrashingWorld(world, node, evmScanStand)
}

/** The same on a chain of TRON. */
export async function openCrashingTron(seed: string): Promise<CrashingWorld<TronChain>> {
  const node = await startTronNode()
  node.chain.mine(5)
  const stand = tronScanStand(node.chain)
  const world = await openWorld({ seed, chains: [{ id: stand.id, nodes: [node.url] }] })
  return new CrashingWorld(world, node, () => stand)
}

/**
 * A round that passes every repeated point of the scanner: payments, a reorg that moves one of
 * them, the credit by confirmations, another by finality, and a rescan.
 */
export async function liveRound(crashing: CrashingWorld): Promise<Round> {
  const { stand, world } = crashing
  const { address } = await world.issue('ann', stand.id)
  const round: Round = { paid: new Map() }
  const pay = (amount: bigint, inside = false) => {
    const payment = { to: address, amount }
    const hash = inside ? stand.payInternal(payment) : stand.pay(payment)
    round.paid.set(hash, amount)
  }
  pay(5n)
  pay(6n, true)
  stand.mine(1)
  await crashing.settle()
  stand.mine(REQUIRED - 1)
  await crashing.settle()
  stand.reorg(REQUIRED)
  await crashing.settle()
  for (const amount of [7n, 8n]) {
    pay(amount)
    stand.mine(1)
    await crashing.settle()
    stand.finalize()
    await crashing.settle()
  }
  stand.forgetFinal()
  const { height } = stand.head()
  await world.rescan(height - REQUIRED, height, stand.id)
  await crashing.settle()
  return round
}

/** The round is credited exactly once, with one event for each status change. */
export async function expectRound({ world }: CrashingWorld, { paid }: Round): Promise<void> {
  const deposits = (await world.deposits()).filter(({ txnHash }) => paid.has(txnHash))
  const standing = deposits.map(({ txnHash, amount, status }) => `${txnHash} ${amount} ${status}`)
  const meant = [...paid].map(([txnHash, amount]) => `${txnHash} ${amount} Confirmed`)
  expect(standing.sort()).toEqual(meant.sort())
  const events = await world.events()
  for (const { id } of deposits) {
    const told = events.filter(({ payload }) => payload['id'] === id)
    const story = told.map(({ type }) => type.replace('deposit.', '')).join(' ')
    expect(story).toMatch(/^detected( reverted detected)* confirmed$/)
    const credits = events.filter(({ payload }) => payload['referenceId'] === id)
    expect(credits).toHaveLength(1)
  }
}

/** Final checks over all rounds: events without a gap; balances, postings and the chain agree. */
export async function expectWhole(
  { world, stand }: CrashingWorld,
  rounds: readonly Round[],
): Promise<void> {
  const events = await world.events()
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  const { count } = await world.database.transaction((tx) =>
    tx.one(sql<{ count: number }>`select count(*) as count from deliveries`),
  )
  expect(count).toBe(events.length)
  const amounts = rounds.flatMap(({ paid }) => [...paid.values()])
  expect(await world.balance(stand.coin)).toBe(amounts.reduce((sum, amount) => sum + amount, 0n))
  expect(await world.deposits()).toHaveLength(amounts.length)
  expect(new Set(await rescanStates(world))).not.toContain('failed')
  expect(await auditLedger(world)).toEqual([])
  expect((await world.audit(stand.id)).findings).toEqual([])
  const { tip, condition } = await world.state(stand.id)
  expect(stand.head()).toMatchObject(tip)
  expect(condition).toBe('running')
}
