import type { Chains } from '../chains/registry.ts'
import type { Ground } from './ground.ts'
import type { Metrics } from './metrics.ts'

/** What the loops are made of. */
export interface ChainWorld extends Ground {
  chains: Chains
  metrics: Metrics
  /** This process, in leases. */
  holder: string
}
