import {
  type FaultAction,
  type FaultProxy,
  freePort,
  type Seeded,
  startFaultProxy,
} from '@sluice/simulator'
import type { SoakChain } from './chains/chain.ts'

/** Shares of the requests to a node that fail, by kind of fault. */
const FAULTS: readonly (readonly [share: number, action: FaultAction])[] = [
  [0.01, { do: 'http', status: 503, body: 'away' }],
  [0.005, { do: 'http', status: 429, headers: { 'retry-after': '1' }, body: 'slower' }],
  [0.0075, { do: 'dropBefore' }],
  [0.01, { do: 'dropAfter' }],
  [0.0075, { do: 'delay', ms: 1_500 }],
  [0.0025, { do: 'truncate' }],
  [0.0025, { do: 'malformed' }],
  [0.0025, { do: 'reset' }],
  [0.0025, { do: 'error', code: -32_603, message: 'internal error' }],
]

/** A proxy between service and node, with faults and outages. */
export class FaultyNode {
  readonly url: string
  readonly #chain: SoakChain
  readonly #port: number
  readonly #random: Seeded
  #proxy: FaultProxy | null = null
  /** The active rules by kind of fault, and the hits of earlier rules. */
  #rules: [name: string, rule: { hits: number }][] = []
  #struck: Record<string, number> = {}
  #requests = 0
  #isFaulty = false

  private constructor(chain: SoakChain, port: number, random: Seeded) {
    this.#chain = chain
    this.#port = port
    this.#random = random
    this.url = chain.urlOf(port)
  }

  static async open(chain: SoakChain, random: Seeded): Promise<FaultyNode> {
    const node = new FaultyNode(chain, await freePort(), random)
    await node.start()
    return node
  }

  /** Calls that went wrong, by how, and all that there were. */
  get counts(): { faults: Record<string, number>; requests: number } {
    return {
      faults: this.#tally(),
      requests: this.#requests + (this.#proxy?.requests ?? 0),
    }
  }

  async start(): Promise<void> {
    if (this.#proxy !== null) return
    const seed = this.#random.hex(8)
    const target = this.#chain.nodeUrl
    this.#proxy = await startFaultProxy({ target, seed, port: this.#port })
    if (this.#isFaulty) this.setFaulty(true)
  }

  setFaulty(isFaulty: boolean): void {
    this.#isFaulty = isFaulty
    this.#forgetRules()
    this.#proxy?.rules.clear()
    if (!isFaulty || this.#proxy === null) return
    const { rules } = this.#proxy
    this.#rules = FAULTS.map(([rate, action]) => [
      action.do === 'http' ? `HTTP ${action.status}` : action.do,
      rules.add({ match: { rate, first: true }, action }),
    ])
  }

  /** Refuses connections from now on. */
  async kill(): Promise<void> {
    const proxy = this.#proxy
    this.#proxy = null
    if (proxy === null) return
    this.#requests += proxy.requests
    this.#forgetRules()
    await proxy.stop()
  }

  #forgetRules(): void {
    this.#struck = this.#tally()
    this.#rules = []
  }

  #tally(): Record<string, number> {
    const counts = { ...this.#struck }
    for (const [name, { hits }] of this.#rules) counts[name] = (counts[name] ?? 0) + hits
    return counts
  }
}
