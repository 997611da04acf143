import { type EvmChain, type FaultProxy, startEvmNode, startFaultProxy } from '@sluice/simulator'
import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { listOwnAddresses } from '../../src/accounts/own-address.ts'
import { type Spender, spendRound } from '../../src/app/spend-round.ts'
import { Outage } from '../../src/base/fault.ts'
import { setThresholds } from '../../src/orgs/signers.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { followChain } from '../../src/scanner/follow.ts'
import type { StepPoint } from '../../src/scanner/watcher.ts'
import type { Database } from '../../src/store/database.ts'
import type { SweepPoint } from '../../src/sweeps/crash-points.ts'
import { listed } from '../support/anvil-chain.ts'
import { openSpender } from '../support/money-world.ts'
import { ETHER } from '../support/opened-world.ts'
import { addPerson, type Person } from '../support/sign-in.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { openWorld, type World } from '../support/world.ts'

/** Points of the API: before the commit, and between commit and answer. */
export const DOOR_POINTS = [
  'request.stored',
  'request.committed',
  'approval.stored',
  'approval.committed',
] as const
export type MoneyPoint = StepPoint | SweepPoint | (typeof DOOR_POINTS)[number]

/** The payment under way when the points are passed. */
export type Stage = 'withdrawal' | 'top-up' | 'sweep'
/** At which passes of which points, in which stage, the process ends. */
export type Plan = readonly { stage: Stage; point: MoneyPoint; pass: number }[]

const LIVES_MAX = 12
const STEPS_MAX = 500
const OUTAGE_MS = 30_000
const FETCH_MAX = 4
/** Blocks without a transaction after which it is replaced. */
export const BUMP_AFTER = 3

/** The process ended here: nothing after it ran, and its memory is lost. */
class Killed extends Error {
  override readonly name = 'Killed'
}

/** The parts of a process that dies. */
export interface Mortality {
  world: World
  chainId: ChainId
  /** Mines pending transactions, then this many empty blocks. */
  mine: (blocks: number) => void
  /** Blocks without a transaction after which it is replaced. */
  bumpAfter: number
  stop: () => Promise<void>
}

/**
 * An API, a scanner and a spender that die as planned and are restarted, over a simulated chain.
 */
export class MortalHarness {
  readonly world: World
  readonly chainId: ChainId
  /** Errors that were logged by a process that was alive. */
  readonly failures: string[] = []
  readonly #mine: Mortality['mine']
  readonly #bumpAfter: number
  readonly #stop: () => Promise<void>
  readonly #passes = new Map<string, number>()
  #plan: Plan = []
  #stage: Stage | null = null
  #ahead: BlocksAhead | null = null
  #spender: Spender | null = null
  #isDead = false
  #deaths = 0

  constructor({ world, chainId, mine, bumpAfter, stop }: Mortality) {
    this.world = world
    this.chainId = chainId
    this.#mine = mine
    this.#bumpAfter = bumpAfter
    this.#stop = stop
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

  /** Assigns the following points to this stage; outside of stages the process does not die. */
  enter(stage: Stage | null): void {
    this.#stage = stage
  }

  /** Passes of a point in a stage since the plan was made. */
  passes(stage: Stage, point: MoneyPoint): number {
    return this.#passes.get(`${stage} ${point}`) ?? 0
  }

  /** Runs the scanner, restarted after each death, until no work remains. */
  async settle(): Promise<void> {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      if (!(await this.live(() => this.#scan()))) return
    }
    throw new Error('the scanner is never done')
  }

  /** One round of the spender, repeated if it dies. */
  async round(): Promise<number> {
    return this.live(async () => {
      this.#spender ??= await this.#begin()
      return spendRound(this.#spender)
    })
  }

  /** Mines pending transactions, then empty blocks, and runs the scanner to the head. */
  async mine(blocks = 1): Promise<void> {
    this.#mine(blocks)
    await this.settle()
  }

  /** Does a step again and again until the process has outlived it. */
  async live<T>(step: () => Promise<T>): Promise<T> {
    for (let lives = 0; lives < LIVES_MAX; lives += 1) {
      try {
        const done = await step()
        if (!this.#isDead) return done
      } catch (error) {
        if (error instanceof Outage && !this.#isDead) await this.world.clock.advance(OUTAGE_MS)
        else if (!this.#isDead) throw error
      }
      if (this.#isDead) await this.#restart()
    }
    throw new Error('the process dies again and again')
  }

  /** The database, as the door has it: steps of this name are passed with each commit. */
  door(step: 'request' | 'approval'): Database {
    const { database } = this.world
    const pass = this.pass.bind(this)
    return {
      ...database,
      async forOrg(orgId, work) {
        const done = await database.forOrg(orgId, async (tx) => {
          const worked = await work(tx)
          tx.beforeCommit(async () => pass(`${step}.stored`))
          return worked
        })
        pass(`${step}.committed`)
        return done
      },
    }
  }

  /** Kills the process at planned points; a dead process fails at each point. */
  pass(point: MoneyPoint): void {
    if (this.#isDead) throw new Killed(point)
    const stage = this.#stage
    if (stage === null) return
    const pass = this.passes(stage, point) + 1
    this.#passes.set(`${stage} ${point}`, pass)
    const ends = this.#plan.some(
      (one) => one.stage === stage && one.point === point && one.pass === pass,
    )
    if (!ends) return
    this.#isDead = true
    throw new Killed(`${stage} ${point} ${pass}`)
  }

  async close(): Promise<void> {
    await this.world.close()
    await this.#stop()
  }

  async #scan(): Promise<boolean> {
    const holder = {
      ...(await this.world.holder(this.chainId)),
      crash: (point: StepPoint) => this.pass(point),
    }
    this.#ahead ??= new BlocksAhead(holder.adapter, FETCH_MAX)
    return (await followChain(holder, this.#ahead)) === 'moved'
  }

  async #restart(): Promise<void> {
    this.#deaths += 1
    this.#isDead = false
    this.#ahead = null
    this.#spender = null
    await this.world.restart()
  }

  /** A spender with the lease: once dead, it neither queries a node nor opens a transaction. */
  async #begin(): Promise<Spender> {
    const { world } = this
    await world.database.transaction((tx) =>
      tx.run(sql`update leases set expires_at = '-infinity' where name like 'spender:%'`),
    )
    const lines: string[] = []
    const spender = await openSpender(world, this.chainId, lines)
    const log = spender.log.child({}, { level: 'error' })
    const isDead = () => this.#isDead
    const alive = {
      adapter: mortal(spender.adapter, isDead),
      database: mortal(spender.database, isDead),
    }
    return {
      ...spender,
      ...alive,
      log,
      bumpAfterBlocks: this.#bumpAfter,
      crash: (at) => this.pass(at),
    }
  }
}

/** A mortal harness on an account-based chain, behind a proxy. */
export class CrashingSpender extends MortalHarness {
  readonly chain: EvmChain
  readonly proxy: FaultProxy
  readonly coin: TokenId
  readonly dollar: TokenId
  /** The contract of the dollar. */
  readonly contract: string
  readonly signer: Person

  constructor(
    options: Pick<CrashingSpender, 'world' | 'chain' | 'proxy' | 'coin' | 'dollar' | 'signer'> & {
      contract: string
      stop: () => Promise<void>
    },
  ) {
    const mine = (blocks: number) => options.chain.mine(blocks)
    super({ ...options, chainId: SEPOLIA, mine, bumpAfter: BUMP_AFTER })
    this.chain = options.chain
    this.proxy = options.proxy
    this.coin = options.coin
    this.dollar = options.dollar
    this.contract = options.contract
    this.signer = options.signer
  }
}

/** Throws on each call once its owner is dead. */
function mortal<T extends object>(target: T, isDead: () => boolean): T {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        if (isDead()) throw new Killed(String(key))
        return Reflect.apply(value, object, args)
      }
    },
  })
}

/** Opens one with funded wallets; its withdrawals need two signers, one of them a person. */
export async function openCrashingSpender(seed: string): Promise<CrashingSpender> {
  const node = await startEvmNode({ chainId: 11_155_111, seed })
  const { chain } = node
  chain.setFinalizedDistance(null)
  const contract = chain.deployToken({ symbol: 'TUSD', name: 'Test Dollar', decimals: 6 })
  chain.mine(5)
  const proxy = await startFaultProxy({ target: node.url, seed })
  const tokens = [listed(SEPOLIA, contract)]
  const world = await openWorld({ seed, tokens, chains: [{ id: SEPOLIA, nodes: [proxy.url] }] })
  const stop = async () => {
    await proxy.stop()
    await node.stop()
  }
  const signer = await addSigners(world)
  const coin = tokenOf(world, ETHER)
  const dollar = tokenOf(world, `${SEPOLIA}/erc20:${contract}`)
  const options = { world, chain, proxy, coin, dollar, contract, signer, stop }
  const crashing = new CrashingSpender(options)
  await crashing.settle()
  await crashing.round()
  await fill(crashing)
  return crashing
}

/** A token of the world's catalogue. */
export function tokenOf({ catalogue }: World, id: string): TokenId {
  const token = catalogue.token(id)
  if (token === null) throw new Error(`${id} is not listed`)
  return token.id
}

async function addSigners(world: World): Promise<Person> {
  const { database, clock, keys, orgId } = world
  const { serviceKey } = keys
  const office = { database, clock, serviceKey }
  const signer = await addPerson(office, { orgId, role: 'approver' })
  await addPerson(office, { orgId, role: 'approver' })
  const two = { orgId, signers: 2, humans: 1, actor: 'test' }
  await database.transaction((tx) => setThresholds(tx, serviceKey, two))
  return signer
}

/** Money from outside, for fees and for many withdrawals. */
async function fill(crashing: CrashingSpender): Promise<void> {
  const { world, chain, contract } = crashing
  const { orgId } = world
  const own = await world.database.transaction((tx) =>
    listOwnAddresses(tx, { chainId: SEPOLIA, orgId }),
  )
  for (const { address, purpose } of own) {
    chain.pay({ to: address, amount: 10n ** 20n })
    if (purpose === 'settlement')
      chain.payToken({ to: address, token: contract, amount: 10n ** 12n })
  }
  await crashing.mine(1 + REQUIRED)
}
