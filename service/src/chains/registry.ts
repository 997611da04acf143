import { parseChainId } from '@sluice/wire'
import type { ChainId, Namespace } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Log } from '../base/log.ts'
import { openBitcoinAdapter } from './bitcoin/adapter.ts'
import { openEvmAdapter } from './evm/adapter.ts'
import { type OpenHttp, openHttp } from './http.ts'
import type { AdapterDeps } from './adapter-deps.ts'
import type { ChainAdapter } from './chain-adapter.ts'
import type { ChainOptions } from './options.ts'
import { openTronAdapter } from './tron/adapter.ts'
import { openXrplAdapter } from './xrpl/adapter.ts'

/** The chains that have nodes. */
export interface Chains {
  /** Null for a chain without nodes, or one that is not known. */
  get(chainId: ChainId): ChainAdapter | null
  all(): readonly ChainAdapter[]
  /** Ends every connection. */
  close(): Promise<void>
}

/** One request to one node, for metrics; `node` holds no secret. */
export interface ChainRequest {
  chainId: ChainId
  node: string
  method: string
  outcome: 'ok' | 'refused' | 'outage'
  ms: number
}

export interface ChainsOptions {
  chains: readonly ChainOptions[]
  clock: Clock
  random: Random
  log: Log
  onRequest?: (request: ChainRequest) => void
  /** How nodes are reached; by HTTP unless given. */
  openHttp?: OpenHttp
}

type OpenAdapter = (options: ChainOptions, deps: AdapterDeps) => ChainAdapter

/** One line a family of chains. */
const FAMILIES: Partial<Record<Namespace, OpenAdapter>> = {
  eip155: openEvmAdapter,
  bip122: openBitcoinAdapter,
  tron: openTronAdapter,
  xrpl: openXrplAdapter,
}

/** Opens an adapter for every chain that has nodes. No node is called yet. */
export function openChains(options: ChainsOptions): Chains {
  const { clock, random, log, onRequest = () => undefined } = options
  const adapters = new Map<ChainId, ChainAdapter>()
  for (const chain of options.chains) {
    if (chain.nodes.length === 0) continue
    const { chainId } = chain
    const open = familyOf(chainId)
    const tell: AdapterDeps['onRequest'] = (report) => onRequest({ chainId, ...report })
    const reach = options.openHttp ?? openHttp
    adapters.set(chainId, open(chain, { clock, random, log, onRequest: tell, openHttp: reach }))
  }
  return {
    get: (chainId) => adapters.get(chainId) ?? null,
    all: () => [...adapters.values()],
    close: async () => {
      await Promise.all([...adapters.values()].map((adapter) => adapter.close()))
    },
  }
}

function familyOf(chainId: ChainId): OpenAdapter {
  const namespace = parseChainId(chainId)?.namespace
  const open = namespace === undefined ? undefined : FAMILIES[namespace]
  assert(open, 'a chain whose family has no adapter was given nodes', { chainId })
  return open
}
