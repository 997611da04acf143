import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { Spend } from './spend.ts'
import { selectUnmined, sumUnminedFees, sumUnminedOutflow } from './spend-rows.ts'

/**
 * What an organization's spends that no block has may cost in fees on a chain, in base units of the
 * native currency. Its claim on gas is not to fall below this.
 */
export function unminedFees(tx: Tx, given: { orgId: string; chainId: ChainId }): Promise<bigint> {
  return sumUnminedFees(tx, given)
}

/**
 * What spends of a sender that no block has take of a token from its place, in base units; of the
 * native currency with the most that they may cost.
 */
export async function unminedOutflow(
  tx: Tx,
  given: { chainId: ChainId; sender: Address; tokenId: TokenId; native: boolean },
): Promise<bigint> {
  const { amount, fees } = await sumUnminedOutflow(tx, given)
  return given.native ? amount + fees : amount
}

/** Spends of a chain that no block has, by sender and nonce; of one sender where it is named. */
export function openSpends(
  tx: Tx,
  given: { chainId: ChainId; sender?: Address },
): Promise<Spend[]> {
  return selectUnmined(tx, given)
}
