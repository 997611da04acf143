import type { BalanceReason } from '@sluice/wire'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import { place, type PlaceKind } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'
import type { Spend } from '../transactions/core/spend.ts'
import { emitBalance } from '../webhooks/emit-balance.ts'

/**
 * Emits the balance of an organization's own account before and after a spend that moved `delta`
 * (decisions, section 10). Call it after the postings.
 */
export async function emitPlaceBalance(
  tx: Tx,
  catalogue: Catalogue,
  change: { spend: Spend; kind: PlaceKind; address: Address; delta: bigint; reason: BalanceReason },
): Promise<void> {
  const { address, delta } = change
  const { orgId, chainId, tokenId, subjectId } = change.spend
  const account = place(change.kind, address)
  const accountId = displayAddress(chainId, address)
  const balance = await readBalance(tx, { orgId, chainId, tokenId, account })
  const { reason } = change
  const where = { orgId, chainId, tokenId, accountId }
  emitBalance(tx, catalogue, { ...where, balance, delta, reason, referenceId: subjectId })
}
