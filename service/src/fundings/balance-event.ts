import { iso } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Claim } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import type { Funding } from './funding.ts'

/**
 * Tells what a funding did to the claim it stands under, after its postings: to what can be
 * withdrawn, or to what can be spent on gas. `delta` in base units, below zero where it was undone.
 */
export async function appendFundingEvent(
  tx: Tx,
  given: { catalogue: Catalogue; funding: Funding; claim: Claim; delta: bigint },
): Promise<void> {
  const { catalogue, funding, claim, delta } = given
  const { orgId, chainId, tokenId, id, address } = funding
  const [row] = await readBalancesOf(tx, [{ orgId, chainId, tokenId, account: claim }])
  const balance = row?.amount ?? 0n
  appendEvent(tx, {
    orgId,
    type: 'balance.updated',
    subjectId: id,
    payload: {
      chainId,
      tokenId,
      accountId: displayAddress(chainId, address),
      balance: balance.toString(),
      previousBalance: (balance - delta).toString(),
      delta: delta.toString(),
      reason: delta < 0n ? 'reversal' : 'funding',
      referenceId: id,
      Token: catalogue.summary(tokenId),
      updatedAt: iso(tx.clock.now()),
    },
  })
}
