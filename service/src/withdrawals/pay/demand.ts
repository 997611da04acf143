import type { ChainId, TokenId } from '@sluice/wire'
import { listOwnAddresses } from '../../accounts/own-address.ts'
import { place } from '../../ledger/account.ts'
import { readBalancesOf } from '../../ledger/balance.ts'
import type { Tx } from '../../store/database.ts'
import { selectDemand, selectStarved } from '../rows.ts'

/** What a settlement account lacks for the withdrawals that wait for it. */
export interface Demand {
  orgId: string
  tokenId: TokenId
  /** Base units, above zero. */
  missing: bigint
}

/**
 * What the pending withdrawals of a chain need beyond what the settlement accounts hold, where at
 * least one of them was found to wait: so much has to be swept, however small it lies. Three
 * questions to the database, however many organizations and addresses there are.
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

/** Organizations of which a withdrawal waits for gas on a chain. */
export function starvedOn(tx: Tx, { chainId }: { chainId: ChainId }): Promise<ReadonlySet<string>> {
  return selectStarved(tx, chainId)
}

/** Base units on settlement accounts, by organization and token. */
async function heldAtSettlement(
  tx: Tx,
  given: { chainId: ChainId; wanted: readonly { orgId: string; tokenId: TokenId }[] },
): Promise<Map<string, bigint>> {
  const { chainId, wanted } = given
  const house = await listOwnAddresses(tx, { chainId })
  const settlements = new Map(
    house.flatMap(({ orgId, purpose, address }) =>
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
