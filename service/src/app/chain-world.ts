import type { Chains } from '../chains/registry.ts'
import type { Bell } from './bell.ts'
import type { Ground } from './ground.ts'
import type { Metrics } from './metrics.ts'

/** The dependencies of the loops. */
export interface ChainWorld extends Ground {
  chains: Chains
  metrics: Metrics
  /** Rung after each commit that may have emitted events. */
  bell: Bell
  /** The lease holder name of this process. */
  holder: string
}
