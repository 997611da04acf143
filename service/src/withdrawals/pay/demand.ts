import type { ChainId, TokenId } from '@sluice/wire'
import { listOwnAddresses } from '../../accounts/own-address.ts'
import { place } from '../../ledger/account.ts'
import { readBalancesOf } from '../../ledger/balance.ts'
import type { Tx } from '../../store/database.ts'
import { selectDemand, selectStarved } from '../rows.ts'

/** The amount that a settlement account lacks for its pending withdrawals. */
export interface Demand {
  orgId: string
  tokenId: TokenId
  /** Base units, above zero. */
  missing: bigint
}

/**
 * The amounts that settlement accounts lack for the pending withdrawals of a chain, if at least one
 * waits for funds. They must be swept, even from small deposits. Takes three queries for any number
 * of organizations and addresses.
 */
export async function demandOf(tx: Tx, { chainId }: { chainId: ChainId }): Promise<Demand[]> {
  const wanted = await selectDemand(tx, chainId)
  if (wanted.length === 0) return []
  const held = await heldAtSettlement(tx, { chainId, wanted })
  return wanted.flatMap(({ orgId, tokenId, amount }) => {
    const missing = amount - (held.get(`${orgId} ${tokenId}`) ?? 0n)
    return missing > 0n ? [{ orgId, tokenId, missing }] : []
  })
}

/** Organizations with a withdrawal that waits for gas on a chain. */
export function starvedOn(tx: Tx, { chainId }: { chainId: ChainId }): Promise<ReadonlySet<string>> {
  return selectStarved(tx, chainId)
}

/** Base units on settlement accounts, by organization and token. */
async function heldAtSettlement(
  tx: Tx,
  { chainId, wanted }: { chainId: ChainId; wanted: readonly Pick<Demand, 'orgId' | 'tokenId'>[] },
): Promise<Map<string, bigint>> {
  const own = await listOwnAddresses(tx, { chainId })
  const settlements = new Map(
    own.flatMap(({ orgId, purpose, address }) =>
      purpose === 'settlement' ? [[orgId, place('settlement', address)] as const] : [],
    ),
  )
  const keys = wanted.flatMap(({ orgId, tokenId }) => {
    const account = settlements.get(orgId)
    return account === undefined ? [] : [{ orgId, chainId, tokenId, account }]
  })
  const balances = await readBalancesOf(tx, keys)
  return new Map(
    balances.map(({ orgId, tokenId, amount }) => [`${orgId} ${tokenId}`, amount] as const),
  )
}
