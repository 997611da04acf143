import type { ChainEntry } from '../catalogue/chains.ts'
import {
  type FeeCaps,
  GAS_LIMIT_DEFAULT,
  RELATIVE_PERCENT_DEFAULT,
  TOKEN_GAS_LIMIT_DEFAULT,
} from '../chains/spending.ts'
import type { ChainConfig } from './config-chains.ts'

/** Replacements begin when a transaction has waited about this long. */
const BUMP_AFTER_SECONDS = 120
const BUMP_AFTER_BLOCKS_MIN = 3

/** The fee cap of a transaction on a chain, as configured or by default. */
export function feeCapsOf(entry: ChainEntry, chain: ChainConfig | undefined): FeeCaps {
  return {
    absolute: chain?.feeCap ?? entry.feeCap,
    gasLimit: chain?.gasLimit ?? GAS_LIMIT_DEFAULT,
    tokenGasLimit: chain?.tokenGasLimit ?? TOKEN_GAS_LIMIT_DEFAULT,
    relativePercent: chain?.feePercent ?? RELATIVE_PERCENT_DEFAULT,
  }
}

/** Blocks after which a transaction that is not included is replaced. */
export function bumpAfterBlocks(entry: ChainEntry, chain: ChainConfig | undefined): number {
  const blocks = Math.round(BUMP_AFTER_SECONDS / entry.blockTimeSeconds)
  return chain?.feeBumpAfterBlocks ?? Math.max(BUMP_AFTER_BLOCKS_MIN, blocks)
}
