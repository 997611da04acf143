import type { Family } from '../options.ts'
import { startBitcoinSoak } from './bitcoin.ts'
import type { SoakChain, SoakChainOptions } from './chain.ts'
import { startEvmSoak } from './evm.ts'
import { startTronSoak } from './tron.ts'
import { startXrplSoak } from './xrpl.ts'

const STARTS: Record<Family, (options: SoakChainOptions) => Promise<SoakChain>> = {
  evm: startEvmSoak,
  bitcoin: startBitcoinSoak,
  tron: startTronSoak,
  xrpl: startXrplSoak,
}

/** A chain of a family with its node. It makes no blocks until `run`. */
export function startChain(family: Family, options: SoakChainOptions): Promise<SoakChain> {
  return STARTS[family](options)
}
