import { seeded } from '@sluice/simulator'
import type { AddressType } from '../../src/chains/port.ts'

export type Family = 'evm' | 'tron' | 'xrpl' | 'bitcoin'

/** The settings of a seed, drawn first and from their own stream. */
export interface Settings {
  /** One chain for each; EVM twice means two chains that share our addresses. */
  families: readonly Family[]
  /** Nodes of each chain. */
  nodes: number
  /** The data from which blocks of EVM chains are read. */
  completeness: 'receipts' | 'logs'
  /** Types of Bitcoin addresses, for the first accounts and for later ones. */
  addressTypes: { first: AddressType; later: AddressType }
  /** Required signers at first, for each of the two organizations. */
  signers: readonly [number, number]
  /** How many approvers must be people; null for the default of the service. */
  humans: readonly [number | null, number | null]
}

const FAMILIES: readonly (readonly Family[])[] = [
  ['evm'],
  ['evm'],
  ['evm'],
  ['tron'],
  ['tron'],
  ['xrpl'],
  ['xrpl'],
  ['bitcoin'],
  ['bitcoin'],
  ['evm', 'xrpl'],
]
const TWINS = 0.3
const SIGNERS = [1, 1, 2, 2, 3] as const
const HUMANS = [null, 0, 0, 1, 2] as const
const ADDRESS_TYPES = ['p2wpkh', 'p2tr'] as const

/** The settings of a seed. */
export function settingsOf(seed: string): Settings {
  const random = seeded(seed).fork('settings')
  const [family = 'evm', ...others] = random.pick(FAMILIES)
  const nodes = 1 + random.int(3)
  const completeness = random.chance(0.4) ? 'logs' : 'receipts'
  // A separate stream, so that older settings are drawn as before.
  const people = random.fork('humans')
  const isTwin = family === 'evm' && others.length === 0 && random.chance(TWINS)
  return {
    families: [family, ...(isTwin ? [family] : others)],
    nodes,
    completeness,
    addressTypes: { first: random.pick(ADDRESS_TYPES), later: random.pick(ADDRESS_TYPES) },
    signers: [random.pick(SIGNERS), random.pick(SIGNERS)],
    humans: [people.pick(HUMANS), people.pick(HUMANS)],
  }
}
