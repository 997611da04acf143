import type { Tx } from '../store/database.ts'
import { selectIsDisputed } from './rows.ts'

/**
 * Whether `chain.disputed` is open for a chain: its nodes disagree about blocks, so credits and
 * signing wait. The API's login may call it, although it cannot read `alerts`.
 */
export function isChainDisputed(tx: Tx, chainId: string): Promise<boolean> {
  return selectIsDisputed(tx, chainId)
}
