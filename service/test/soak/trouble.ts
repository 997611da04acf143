import { setTimeout as wait } from 'node:timers/promises'
import type { Seeded } from '@sluice/simulator'
import type { SoakChain } from './chains/chain.ts'
import type { SoakDatabase } from './database.ts'
import type { FaultyNode } from './nodes.ts'
import { DATABASE } from './place.ts'
import type { ServiceProcess } from './service.ts'

const PAUSE_MIN_MS = 2_000
const PAUSE_SPAN_MS = 18_000
const REORG_MS = 30_000
const DEEP = 0.15
const AWAY_MS = 4_000
const DOWN_MS = 2_500

export type Kill = 'service' | 'database' | 'connections' | 'node'

/** Of six kills in a row so many are of each kind. */
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
  /** Milliseconds until the database answered again. */
  databaseRestarts: number[]
  reorgs: { chainId: string; depth: number; kind: 'shallow' | 'deep' }[]
  mishaps: string[]
}

/** Kills and reorganizes until it is told to stop; in the end everything is up again. */
export class Trouble {
  readonly told: Told = {
    kills: { service: 0, database: 0, connections: 0, node: 0 },
    databaseRestarts: [],
    reorgs: [],
    mishaps: [],
  }
  readonly #world: TroubleWorld
  readonly #mending = new Set<Promise<void>>()

  readonly #onlyAt: number | null

  /** `onlyAt`: the database is killed once, after so many milliseconds, and nothing else is. */
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
      this.told.databaseRestarts.push(await database.kill())
    } else if (kind === 'connections') {
      await database.cut(DATABASE)
    } else if (kind === 'node') {
      const node = random.pick([...nodes.values()])
      await node.kill()
      this.#later(random.int(AWAY_MS), () => node.start())
    } else {
      const service = random.pick(services)
      await service.kill()
      this.#later(random.int(DOWN_MS), () => service.start())
    }
  }

  async #reorganize(signal: AbortSignal): Promise<void> {
    const random = this.#world.random.fork('reorgs')
    for (;;) {
      await pause(REORG_MS, signal)
      if (signal.aborted) return
      for (const chain of this.#world.chains) {
        const kind = random.chance(DEEP) ? 'deep' : 'shallow'
        const depth = await chain
          .reorg(random, kind)
          .catch((error: unknown) => this.#note(chain.id, error))
        if (depth !== null) this.told.reorgs.push({ chainId: chain.id, depth, kind })
      }
    }
  }

  /** What ended by itself, as when its database went, is started again as a supervisor does. */
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
