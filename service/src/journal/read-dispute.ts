import type { Tx } from '../store/database.ts'
import { selectIsDisputed } from './rows.ts'

/**
 * Whether it is told that the nodes of a chain disagree about its blocks, so that nothing is
 * credited or signed there (`chain.disputed`). The door may ask it, which sees no alert itself.
 */
export function isChainDisputed(tx: Tx, chainId: string): Promise<boolean> {
  return selectIsDisputed(tx, chainId)
}
