import { seeded } from '@sluice/simulator'

export type Family = 'evm' | 'tron' | 'xrpl' | 'bitcoin'

/** What a seed is played on, and how; drawn before anything else, and by itself. */
export interface Settings {
  families: readonly Family[]
  /** Nodes of each chain. */
  nodes: number
  /** How blocks of EVM chains are read. */
  completeness: 'receipts' | 'logs'
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

/** The settings of a seed. */
export function settingsOf(seed: string): Settings {
  const dice = seeded(seed).fork('settings')
  return {
    families: dice.pick(FAMILIES),
    nodes: 1 + dice.int(3),
    completeness: dice.chance(0.4) ? 'logs' : 'receipts',
  }
}
