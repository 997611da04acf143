import type { ChainId } from '@sluice/wire'
import type { Tx } from '../../store/database.ts'
import { selectHasUnsettled } from './unsettled-rows.ts'

/**
 * Whether anything that an organization has signed on a chain waits for a block, or for its block
 * to be deep enough: what returns of it is not there yet.
 */
export function hasUnsettled(tx: Tx, whose: { orgId: string; chainId: ChainId }): Promise<boolean> {
  return selectHasUnsettled(tx, whose)
}
