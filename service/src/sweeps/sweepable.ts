import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'
import { unsettledAmounts } from '../deposits/list.ts'
import { place } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'

/** An address and a token. */
export interface Spot {
  orgId: string
  address: Address
  tokenId: TokenId
}

/**
 * Base units that may be moved from each of these spots, by `spotKey`: what the ledger places
 * there, less what is unconfirmed, held, or set aside until more arrives.
 */
export async function sweepableAt(
  tx: Tx,
  { chainId, spots }: { chainId: ChainId; spots: readonly Spot[] },
): Promise<Map<string, bigint>> {
  const keys = spots.map(({ orgId, address, tokenId }) => {
    return { orgId, chainId, tokenId, account: place('deposits', address) }
  })
  const sweepable = new Map<string, bigint>()
  for (const { tokenId, account, amount } of await readBalancesOf(tx, keys)) {
    sweepable.set(`${account.slice('place:deposits:'.length)} ${tokenId}`, amount)
  }
  const addresses = [...new Set(spots.map(({ address }) => address))]
  const orgIds = [...new Set(spots.map(({ orgId }) => orgId))]
  for (const spot of await unsettledAmounts(tx, { chainId, orgIds, addresses })) {
    const there = sweepable.get(spotKey(spot))
    if (there !== undefined) sweepable.set(spotKey(spot), there - spot.amount)
  }
  return sweepable
}

/** Names a spot in a map. */
export function spotKey({ address, tokenId }: Pick<Spot, 'address' | 'tokenId'>): string {
  return `${address} ${tokenId}`
}
