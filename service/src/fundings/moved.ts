import type { Address } from '../chains/port.ts'
import type { PlaceKind } from '../ledger/account.ts'
import type { Moved } from '../ledger/spend-postings.ts'
import type { Funding } from './funding.ts'

/** A funding as the ledger books it. */
export function movedOf(funding: Funding): Moved {
  const { orgId, chainId, tokenId, amount, id, block } = funding
  return { orgId, chainId, tokenId, amount, referenceId: id, blockHeight: block.height }
}

/** Where its money lies. */
export function whereOf({ place, address }: Funding): { kind: PlaceKind; address: Address } {
  return { kind: place, address }
}
