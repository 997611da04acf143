import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { ALL_CHAINS, nativeTokenId } from '../catalogue/chains.ts'
import type { Tx } from '../store/database.ts'
import { gasOf } from '../transactions/core/funds.ts'

/** Whether there is gas for one more transaction; amounts in base units of the native currency. */
export type Affordable =
  | { ok: true }
  | { ok: false; gasWalletBalance: bigint; estimatedGasNeeded: bigint }

/**
 * Whether an organization's gas on a chain, less what its unmined spends may cost, covers a fee
 * (engineering, 2).
 */
export async function affordable(
  tx: Tx,
  { orgId, chainId, fee }: { orgId: string; chainId: ChainId; fee: bigint },
): Promise<Affordable> {
  const entry = ALL_CHAINS.find(({ id }) => id === chainId)
  assert(entry, 'chain is not in the catalogue', { chainId })
  const gas = await gasOf(tx, { orgId, chainId, native: nativeTokenId(entry) })
  if (gas >= fee) return { ok: true }
  return { ok: false, gasWalletBalance: gas, estimatedGasNeeded: fee }
}
