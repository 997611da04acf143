import type { ChainId, TokenId } from '@sluice/wire'
import type { Signer } from '@sluice/signer'
import { signerWith } from '../support/signer.ts'
import { type Seeded, seeded } from '@sluice/simulator'
import { uuids } from '../../src/base/id.ts'
import type { Catalogue } from '../../src/catalogue/find.ts'
import { type Database, type Exchange, openDatabase } from '../../src/store/database.ts'
import type { Post, Poster } from '../../src/webhooks/post.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import type { Api } from './api.ts'
import { Books } from './books.ts'
import type { Heard, SimChain } from './chains/sim-chain.ts'
import { BitcoinWorld } from './chains/bitcoin.ts'
import { EvmWorld } from './chains/evm.ts'
import { TronWorld } from './chains/tron.ts'
import { XrplWorld } from './chains/xrpl.ts'
import type { Coverage } from './coverage.ts'
import { takeTurnsInCrypto } from './crypto-turns.ts'
import { type FaultRates, type NodeFault, NO_FAULTS, drawRates } from './faults.ts'
import type { Gate } from './gate.ts'
import { Instance } from './instance.ts'
import { notStored } from './invariants/stored.ts'
import { nameStatements } from './named-statements.ts'
import { Looker } from './picture.ts'
import { type Settings, settingsOf } from './settings.ts'
import { cloneStage, type Stage } from './stage.ts'
import {
  BSC_TESTNET,
  CATALOGUE,
  catalogueOf,
  REGTEST,
  REGTEST_REQUIRED,
  SEPOLIA,
  SHASTA,
  XRPL,
} from './tokens.ts'
import { Turns } from './turns.ts'

/** More than are ever used at once: no statement waits for a connection. */
const POOL_MAX = 40
const INSTANCES = 2
/** Only a process paused in a transaction takes longer, and never ends. */
const CLOSE_MS = 2_000

/** The world of one seed: chains, processes, users, time, and the shared database. */
export class SimWorld {
  readonly seed: string
  readonly stage: Stage
  readonly clock = new ManualClock()
  /** The signer of all processes; it outlives them. */
  readonly signer: Signer
  readonly turns: Turns
  /** The current catalogue: an operator may change the type of new addresses. */
  catalogue: Catalogue
  readonly chains: readonly SimChain[]
  readonly database: Database
  readonly looker: Looker
  readonly books = new Books()
  readonly drawn: FaultRates
  readonly coverage: Coverage
  /** The data from which this seed reads blocks of EVM chains. */
  readonly completeness: Settings['completeness']
  readonly instances: Instance[] = []
  /** Paused processes, with their running steps. */
  readonly stopped: { instance: Instance; running: Promise<string> }[] = []
  readonly api: Api
  /** The process that answers requests. */
  door: Instance
  isTraced = false
  /** The log of the run; equal in each run of a seed. */
  readonly log: string[] = []
  isHealing = false
  /** Runs on a chain after this number of calls to nodes. */
  meanwhile: { calls: number; happen: () => void } | null = null
  /** Signed bytes that reached nodes since it was last looked. */
  readonly heard: Heard[] = []
  /** Commits since the last call. */
  commits = 0
  readonly hearing = {
    begun: async () => undefined,
    committed: () => {
      this.commits += 1
    },
  }
  #event = 'the beginning'
  #order: Seeded
  #lives = 0

  constructor(options: {
    seed: string
    stage: Stage
    url: string
    coverage: Coverage
    api: Api
  }) {
    const { seed, stage, url, coverage, api } = options
    this.api = api
    this.seed = seed
    this.stage = stage
    this.signer = signerWith(stage.keys.keyring, { blockTime: () => this.clock.now() })
    this.coverage = coverage
    const random = seeded(seed)
    this.drawn = drawRates(random.fork('rates'))
    const { completeness, addressTypes } = settingsOf(seed)
    this.completeness = completeness
    this.catalogue = catalogueOf(addressTypes.first)
    this.chains = openChainModels(seed, () => this.clock.now())
    const ids = uuids(this.clock, new SeededRandom(`${seed}/ids`))
    // Separate connections for the API's role: a plan is valid for one role.
    const urls = { owner: url, engine: url, api: `${url}&fallback_application_name=door` }
    const log = silentLog()
    this.#order = random.fork('order')
    this.looker = new Looker(url, (line, send) => this.turns.exchange(line, send))
    this.turns = new Turns(
      () => this.#order,
      () => this.looker.countLocked(),
    )
    const exchange: Exchange = (line, send) => {
      nameStatements(line)
      return this.turns.exchange(line, send)
    }
    const { clock } = this
    this.database = openDatabase({ urls, clock, ids, log, poolMax: POOL_MAX, exchange })
    for (let at = 0; at < INSTANCES; at += 1) this.instances.push(this.#begin(`engine-${at}`))
    this.door = this.#begin('door')
  }

  /** Random numbers of the current event, independent of other events. */
  random(): Seeded {
    return seeded(`${this.seed}/${this.#event}`)
  }

  rates(): FaultRates {
    return this.isHealing ? NO_FAULTS : this.drawn
  }

  eventKey(): string {
    return this.#event
  }

  /** Assigns the following log lines to this event. */
  enter(event: string): void {
    this.#event = event
    this.#order = this.random().fork('order')
  }

  /** Advances the clock and runs the timers due meanwhile. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.now() + ms
    do await this.turns.quiet()
    while (this.clock.wakeNext(until))
    this.clock.set(Math.max(until, this.clock.now()))
  }

  /**
   * Waits for the end, or for a pause (null); time advances when all wait for time alone. At the
   * end no work of it is running.
   */
  async settled<T>(running: Promise<T>, gate?: Gate): Promise<T | null> {
    const over: { outcome: Promise<T> | null } = { outcome: null }
    const end = () => {
      over.outcome = running
    }
    void running.then(end, end)
    for (;;) {
      await this.turns.quiet()
      if (over.outcome !== null) return over.outcome
      if (gate?.isPaused) return null
      if (!this.clock.wakeNext(Infinity)) throw new Error('something waits for nothing')
    }
  }

  /** Called before each query of a node. */
  asks(): void {
    const { meanwhile } = this
    if (meanwhile === null) return
    meanwhile.calls -= 1
    if (meanwhile.calls > 0) return
    this.meanwhile = null
    meanwhile.happen()
  }

  /** Checked at once: later it may be stored. */
  async hears(url: string): Promise<void> {
    const heard = this.houseOf(url).takeHeard()
    this.heard.push(...heard)
    this.books.wrongs.push(...(await notStored(this.looker, heard)))
  }

  struck(fault: NodeFault | 'kill' | 'commitLost' | 'pause' | 'reorg' | 'receiver'): void {
    this.coverage.note(fault, this.books.standing)
  }

  houseOf(url: string): SimChain {
    const chain = this.chains.find(({ urls }) => urls.includes(url))
    if (chain === undefined) throw new Error(`no chain at ${url}`)
    return chain
  }

  chain(id: string): SimChain {
    const chain = this.chains.find((one) => one.id === id)
    if (chain === undefined) throw new Error(`there is no chain ${id}`)
    return chain
  }

  logged(name: string, line: string): void {
    if (this.isTraced) process.stdout.write(`      ${name}: ${line.slice(0, 600)}`)
  }

  /** Receives webhooks. */
  poster(gate: Gate): Poster {
    return {
      send: async (post: Post) => {
        await gate.call('receiver')
        const answer = this.books.receive(post, this)
        gate.pass('received')
        return answer
      },
      close: async () => undefined,
    }
  }

  async endLease(name: string): Promise<void> {
    await this.looker.rows(`update leases set expires_at = '-infinity' where name = $1`, [name])
  }

  /** Restarts a process that died, with empty memory. */
  restart(instance: Instance): Instance {
    instance.gate.kill()
    return this.replace(instance)
  }

  /** Replaces a paused process, which may resume later. */
  replace(instance: Instance): Instance {
    const next = this.#begin(instance.name.split('#')[0] ?? 'engine')
    const at = this.instances.indexOf(instance)
    if (at === -1) this.door = next
    else this.instances[at] = next
    return next
  }

  instance(at: number): Instance {
    const instance = this.instances[at % INSTANCES]
    if (instance === undefined) throw new Error('there is no such process')
    return instance
  }

  #begin(name: string): Instance {
    this.#lives += 1
    return new Instance(this, `${name}#${this.#lives}`)
  }
}

/** Opens a seed's world with its own database and at most two chains. */
export async function openSimWorld(
  { stage, api, coverage }: { stage: Stage; api: Api; coverage: Coverage },
  seed: string,
): Promise<{ world: SimWorld; close: () => Promise<void> }> {
  const { url, drop } = await cloneStage(stage)
  const world = new SimWorld({ seed, stage, url, coverage, api })
  const leaveCrypto = takeTurnsInCrypto(world.turns.exchange)
  api.bind(world)
  await world.looker.connect()
  const close = async () => {
    for (const instance of [...world.instances, world.door]) instance.gate.kill()
    leaveCrypto()
    await world.looker.close()
    await Promise.race([world.database.close(), later(CLOSE_MS)])
    await drop()
  }
  return { world, close }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}

function openChainModels(seed: string, now: () => number): SimChain[] {
  const { nodes, families } = settingsOf(seed)
  const make = {
    evm: (isSecond: boolean) => {
      const id = isSecond ? BSC_TESTNET : SEPOLIA
      return new EvmWorld({ id, native: nativeOf(id), seed, nodes })
    },
    tron: () => new TronWorld({ id: SHASTA, native: nativeOf(SHASTA), nodes, now }),
    bitcoin: () =>
      new BitcoinWorld({
        id: REGTEST,
        native: nativeOf(REGTEST),
        seed,
        nodes,
        required: REGTEST_REQUIRED,
      }),
    xrpl: () => new XrplWorld({ id: XRPL, native: nativeOf(XRPL), nodes }),
  }
  return families.map((family, at) => make[family](families.indexOf(family) < at))
}

function nativeOf(chainId: ChainId): TokenId {
  return CATALOGUE.nativeToken(chainId).id
}
