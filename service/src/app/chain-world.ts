import type { Chains } from '../chains/registry.ts'
import type { Bell } from './bell.ts'
import type { Ground } from './ground.ts'
import type { Metrics } from './metrics.ts'

/** What the loops are made of. */
export interface ChainWorld extends Ground {
  chains: Chains
  metrics: Metrics
  /** Rung after each commit that may have told something. */
  bell: Bell
  /** This process, in leases. */
  holder: string
}
