import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'
import { tellBalance } from '../webhooks/tell-balance.ts'
import type { Funding } from './funding.ts'

/**
 * Tells what a confirmed funding did to the claim it stands under, or stood (`sign` -1), after its
 * postings: to what can be withdrawn, or to what can be spent on gas.
 */
export async function appendFundingEvent(
  tx: Tx,
  given: { catalogue: Catalogue; funding: Funding; sign: 1n | -1n },
): Promise<void> {
  const { catalogue, funding, sign } = given
  const claim = funding.booked === 'gas' ? CLAIM.gas : CLAIM.available
  const delta = sign * (funding.amount - funding.setApart)
  const { orgId, chainId, tokenId, id, address } = funding
  const accountId = displayAddress(chainId, address)
  const balance = await readBalance(tx, { orgId, chainId, tokenId, account: claim })
  const reason = delta < 0n ? 'reversal' : 'funding'
  const where = { orgId, chainId, tokenId, accountId }
  tellBalance(tx, catalogue, { ...where, balance, delta, reason, referenceId: id })
}
