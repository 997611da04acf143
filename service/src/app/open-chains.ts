import { type Chains, openChains } from '../chains/registry.ts'
import type { Ground } from './ground.ts'
import type { Metrics } from './metrics.ts'

/**
 * Opens the adapters of the chains that have nodes; their requests are counted if `metrics` is set.
 */
export function openChainsOf(
  ground: Pick<Ground, 'config' | 'clock' | 'random' | 'log' | 'catalogue'>,
  metrics: Metrics | null,
): Chains {
  const { config, clock, random, log, catalogue } = ground
  const chains = config.chains
    .filter(({ nodes }) => nodes.length > 0)
    .map((chain) => {
      const entry = catalogue.chain(chain.id)
      return {
        chainId: chain.id,
        nodes: chain.nodes,
        traces: chain.traces,
        completeness: chain.completeness,
        timeoutMs: config.nodeTimeoutMs,
        finalityTag: entry?.finality !== 'depth',
        ...(chain.genesis !== null && { genesis: chain.genesis }),
        logsOwnMoves: entry?.logsOwnMoves ?? false,
        tipFloor: entry?.tipFloor ?? 0n,
      }
    })
  const count = metrics === null ? {} : { onRequest: metrics.onNodeRequest }
  return openChains({ chains, clock, random, log, ...count })
}
