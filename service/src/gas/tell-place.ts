import type { BalanceReason } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import { type PlaceKind, place } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import type { Spend } from '../spends/spend.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'

/**
 * Tells what one of an organization's own accounts holds, after a spend that moved `delta` into it
 * or out of it, and before (decisions, section 10). Call it when the postings stand.
 */
export async function tellPlace(
  tx: Tx,
  catalogue: Catalogue,
  given: { spend: Spend; kind: PlaceKind; address: Address; delta: bigint; reason: BalanceReason },
): Promise<void> {
  const { address, delta } = given
  const { orgId, chainId, tokenId, subjectId } = given.spend
  const account = place(given.kind, address)
  const [row] = await readBalancesOf(tx, [{ orgId, chainId, tokenId, account }])
  const balance = row?.amount ?? 0n
  appendEvent(tx, {
    orgId,
    type: 'balance.updated',
    subjectId,
    payload: {
      chainId,
      tokenId,
      accountId: displayAddress(chainId, address),
      balance: balance.toString(),
      previousBalance: (balance - delta).toString(),
      delta: delta.toString(),
      reason: given.reason,
      referenceId: subjectId,
      Token: catalogue.summary(tokenId),
      updatedAt: iso(tx.clock.now()),
    },
  })
}
