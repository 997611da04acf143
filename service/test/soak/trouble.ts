import { setTimeout as wait } from 'node:timers/promises'
import type { Seeded } from '@sluice/simulator'
import type { SoakChain } from './chains/chain.ts'
import type { SoakDatabase } from './database.ts'
import type { FaultyNode } from './nodes.ts'
import { readCredited } from './ledger.ts'
import { DATABASE } from './place.ts'
import type { ServiceProcess } from './service.ts'

const PAUSE_MIN_MS = 2_000
const PAUSE_SPAN_MS = 18_000
const REORG_MS = 30_000
/** One of this many reorgs of a chain orphans credited deposits. */
const DEEP_EVERY = 2
/** The longest wait for a credit near the head of a chain. */
const CREDIT_MAX_MS = 20_000
const LOOK_MS = 250
const AWAY_MS = 4_000
const DOWN_MS = 2_500

export type Kill = 'service' | 'database' | 'connections' | 'node'

/** The kinds of six kills in a row. */
const KINDS: readonly Kill[] = ['service', 'service', 'service', 'database', 'connections', 'node']

export interface TroubleWorld {
  chains: readonly SoakChain[]
  nodes: ReadonlyMap<string, FaultyNode>
  services: readonly ServiceProcess[]
  database: SoakDatabase
  random: Seeded
}

export interface Told {
  kills: Record<Kill, number>
  /** The same by the name of what was killed. */
  killed: Record<string, number>
  /** Milliseconds until the database answered again. */
  databaseRestarts: number[]
  reorgs: { chainId: string; depth: number; isDeep: boolean }[]
  mishaps: string[]
}

/** Kills and reorganizes until stopped; at the end everything runs again. */
export class Trouble {
  readonly told: Told = {
    kills: { service: 0, database: 0, connections: 0, node: 0 },
    killed: {},
    databaseRestarts: [],
    reorgs: [],
    mishaps: [],
  }
  readonly #world: TroubleWorld
  readonly #mending = new Set<Promise<void>>()

  readonly #onlyAt: number | null

  /** `onlyAt`: milliseconds until the only kill, of the database. */
  constructor(world: TroubleWorld, onlyAt: number | null = null) {
    this.#world = world
    this.#onlyAt = onlyAt
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#kill(signal), this.#reorganize(signal), this.#lookAfter(signal)])
    while (this.#mending.size > 0) await Promise.all(this.#mending)
    for (const service of this.#world.services) await service.start()
  }

  async #kill(signal: AbortSignal): Promise<void> {
    const random = this.#world.random.fork('kills')
    const once = this.#onlyAt
    let deck: Kill[] = once === null ? [] : ['database']
    for (;;) {
      await pause(once ?? PAUSE_MIN_MS + random.int(PAUSE_SPAN_MS), signal)
      if (signal.aborted) return
      if (deck.length === 0) deck = random.shuffled(KINDS)
      const kind = deck.pop() ?? 'service'
      this.told.kills[kind] += 1
      await this.#strike(kind, random).catch((error: unknown) => this.#note(kind, error))
      if (once !== null) return
    }
  }

  async #strike(kind: Kill, random: Seeded): Promise<void> {
    const { services, database, nodes } = this.#world
    if (kind === 'database') {
      this.#count('PostgreSQL')
      this.told.databaseRestarts.push(await database.kill())
    } else if (kind === 'connections') {
      this.#count('all connections')
      await database.cut(DATABASE)
    } else if (kind === 'node') {
      const [chainId, node] = random.pick([...nodes])
      this.#count(`node of ${chainId}`)
      await node.kill()
      this.#later(random.int(AWAY_MS), () => node.start())
    } else {
      const service = random.pick(services)
      this.#count(service.name)
      await service.kill()
      this.#later(random.int(DOWN_MS), () => service.start())
    }
  }

  async #reorganize(signal: AbortSignal): Promise<void> {
    const random = this.#world.random.fork('reorgs')
    const { chains } = this.#world
    const began = Date.now()
    for (let round = 1; ; round += 1) {
      await pause(Math.max(0, began + round * REORG_MS - Date.now()), signal)
      if (signal.aborted) return
      const rolled = chains.map((chain, at) => {
        const isOwed = !this.told.reorgs.some(({ isDeep: wasDeep }) => wasDeep)
        const isDeep = chain.reach > 0 && (isOwed || (round + at) % DEEP_EVERY === 0)
        return this.#reorg(chain, { random, isDeep, signal })
      })
      await Promise.all(rolled)
    }
  }

  async #reorg(
    chain: SoakChain,
    { random, isDeep, signal }: { random: Seeded; isDeep: boolean; signal: AbortSignal },
  ): Promise<void> {
    try {
      const from = isDeep ? await this.#credited(chain, signal) : null
      const depth = await chain.reorg(random, from)
      const { id: chainId } = chain
      if (depth !== null) this.told.reorgs.push({ chainId, depth, isDeep: from !== null })
    } catch (error) {
      this.#note(chain.id, error)
    }
  }

  /** The block of the youngest credited deposit, once it is young enough, or null. */
  async #credited(chain: SoakChain, signal: AbortSignal): Promise<number | null> {
    const end = Date.now() + CREDIT_MAX_MS
    while (!signal.aborted && Date.now() < end) {
      const credited = await readCredited(this.#world.database, DATABASE, chain.id)
      const { height } = await chain.head()
      if (credited !== null && credited > height - chain.reach) return credited
      await pause(LOOK_MS, signal)
    }
    return null
  }

  #count(name: string): void {
    this.told.killed[name] = (this.told.killed[name] ?? 0) + 1
  }

  /** Restarts processes that exit unplanned, as during a database outage, like a supervisor. */
  async #lookAfter(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(DOWN_MS * 2, signal)
      for (const service of this.#world.services) {
        if (!service.isUp && this.#mending.size === 0) this.#later(0, () => service.start())
      }
    }
  }

  #later(ms: number, work: () => Promise<void>): void {
    const mended = wait(ms)
      .then(work)
      .catch((error: unknown) => void this.#note('mending', error))
      .finally(() => this.#mending.delete(mended))
    this.#mending.add(mended)
  }

  #note(what: string, error: unknown): null {
    this.told.mishaps.push(`${what}: ${String(error)}`)
    return null
  }
}

/** Waits, or until the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal }).catch(() => undefined)
}
