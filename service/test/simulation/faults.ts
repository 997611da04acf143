import { type Seeded, seeded } from '@sluice/simulator'

/** Faults between a process and a node. */
export const NODE_FAULTS = [
  'timeout',
  'dropAfter',
  'stale',
  'empty',
  'truncated',
  'malformed',
  'busy',
  'failing',
  'wrongChain',
] as const
export type NodeFault = (typeof NODE_FAULTS)[number]

/** Rates for each call (failures, 3.4), if a seed has the fault at all. */
const RATES: Readonly<Record<NodeFault, number>> = {
  timeout: 0.02,
  dropAfter: 0.02,
  stale: 0.03,
  empty: 0.02,
  truncated: 0.01,
  malformed: 0.005,
  busy: 0.02,
  failing: 0.01,
  wrongChain: 0.002,
}

/** The faults of a seed and their rates: some runs have one fault often, and others never. */
export interface FaultRates {
  node: Readonly<Record<NodeFault, number>>
  kill: number
  commitLost: number
  pause: number
  receiver: number
  reorg: number
  deepReorg: boolean
}

export function drawRates(random: Seeded): FaultRates {
  const swarm = (rate: number) => (random.chance(0.5) ? rate * (0.5 + random.next() * 3) : 0)
  const node = {
    timeout: swarm(RATES.timeout),
    dropAfter: swarm(RATES.dropAfter),
    stale: swarm(RATES.stale),
    empty: swarm(RATES.empty),
    truncated: swarm(RATES.truncated),
    malformed: swarm(RATES.malformed),
    busy: swarm(RATES.busy),
    failing: swarm(RATES.failing),
    wrongChain: swarm(RATES.wrongChain),
  }
  return {
    node,
    kill: swarm(0.06),
    commitLost: swarm(0.05),
    pause: swarm(0.02),
    receiver: swarm(0.1),
    reorg: swarm(0.05),
    deepReorg: random.chance(0.1),
  }
}

export const NO_FAULTS: FaultRates = {
  node: {
    timeout: 0,
    dropAfter: 0,
    stale: 0,
    empty: 0,
    truncated: 0,
    malformed: 0,
    busy: 0,
    failing: 0,
    wrongChain: 0,
  },
  kill: 0,
  commitLost: 0,
  pause: 0,
  receiver: 0,
  reorg: 0,
  deepReorg: false,
}

/**
 * The fault of a call, if any. It depends on the call alone and not on the number of earlier calls,
 * so concurrent calls draw the same fault in any order.
 */
export function strike(
  rates: FaultRates,
  key: string,
): { fault: NodeFault; random: Seeded } | null {
  const random = seeded(key)
  let left = random.next()
  for (const fault of NODE_FAULTS) {
    left -= rates.node[fault]
    if (left < 0) return { fault, random }
  }
  return null
}
