import type { ChainId, TokenId } from '@sluice/wire'
import { readBalances } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'
import { selectDemand } from './rows.ts'

/** What a settlement account lacks for the withdrawals that wait for it. */
export interface Demand {
  orgId: string
  tokenId: TokenId
  /** Base units, above zero. */
  missing: bigint
}

/**
 * What the pending withdrawals of a chain need beyond what the settlement accounts hold, where at
 * least one of them was found to wait: so much has to be swept, however small it lies.
 */
export async function demandOf(tx: Tx, { chainId }: { chainId: ChainId }): Promise<Demand[]> {
  const wanted = await selectDemand(tx, chainId)
  const demands: Demand[] = []
  for (const { orgId, tokenId, amount } of wanted) {
    const balances = await readBalances(tx, { orgId, chainId, tokenId })
    const settled = balances.filter(({ account }) => account.startsWith('place:settlement:'))
    const held = settled.reduce((total, balance) => total + balance.amount, 0n)
    if (amount > held) demands.push({ orgId, tokenId, missing: amount - held })
  }
  return demands
}
