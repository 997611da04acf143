import type { BalanceReason, DepositEvent, DepositStatus } from '@sluice/wire'
import { sum } from '../base/amount.ts'
import { iso } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { BlockRef } from '../chains/port.ts'
import { CLAIM, type Claim } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import { emitBalance } from '../webhooks/emit-balance.ts'
import { type Deposit, type IncomingTransfer, confirmationsAt, positionIndex } from './deposit.ts'
import { groupBy } from './group-by.ts'

/** Fields of every `deposit.*` event (section 6.3), as seen from a tip of the deposit's chain. */
export function depositPayload(
  catalogue: Catalogue,
  deposit: Deposit,
  tipHeight: number,
): DepositEvent {
  return {
    id: deposit.id,
    index: positionIndex(deposit.position),
    status: deposit.status,
    chainId: deposit.chainId,
    txnHash: deposit.txnHash,
    tokenId: deposit.tokenId,
    amount: deposit.amount.toString(),
    externalUserId: deposit.externalUserId,
    accountChainId: deposit.accountChainId,
    senderAddress: deposit.senderAddress,
    blockNumber: deposit.block.height,
    confirmations: confirmationsAt(deposit, tipHeight),
    Token: catalogue.summary(deposit.tokenId),
  }
}

/** Emits `deposit.detected` as of the deposit's own block, even if a later one confirmed it. */
export function emitDetected(tx: Tx, catalogue: Catalogue, deposit: Deposit): void {
  const { orgId, id: subjectId, block } = deposit
  const payload = depositPayload(catalogue, { ...deposit, status: 'Detected' }, block.height)
  appendEvent(tx, { orgId, type: 'deposit.detected', subjectId, payload })
}

export function emitConfirmed(tx: Tx, catalogue: Catalogue, deposit: Deposit, tip: BlockRef): void {
  const { orgId, id: subjectId } = deposit
  const confirmedAt = iso(deposit.confirmedAt ?? tx.clock.now())
  const payload = { ...depositPayload(catalogue, deposit, tip.height), confirmedAt }
  appendEvent(tx, { orgId, type: 'deposit.confirmed', subjectId, payload })
}

/** Emits `deposit.held` with the cause stored in the deposit. */
export function emitHeld(tx: Tx, catalogue: Catalogue, deposit: Deposit, tip: BlockRef): void {
  const { orgId, id: subjectId, heldCause: reason } = deposit
  const payload = { ...depositPayload(catalogue, deposit, tip.height), reason }
  appendEvent(tx, { orgId, type: 'deposit.held', subjectId, payload })
}

export function emitReverted(
  tx: Tx,
  catalogue: Catalogue,
  deposit: Deposit,
  previousStatus: DepositStatus,
): void {
  const { orgId, id: subjectId, block } = deposit
  const payload = { ...depositPayload(catalogue, deposit, block.height), previousStatus }
  appendEvent(tx, { orgId, type: 'deposit.reverted', subjectId, payload })
}

interface Credits {
  catalogue: Catalogue
  reason: BalanceReason
  /** Confirmed transfers; before they were orphaned if the reason is `reversal`. */
  transfers: readonly IncomingTransfer[]
}

/**
 * Emits one `balance.updated` for each transfer, in order, after the postings. The balance of the
 * last event of a group is the present one; the others are counted back from it.
 */
export async function emitBalances(
  tx: Tx,
  { catalogue, reason, transfers }: Credits,
): Promise<void> {
  const now = tx.clock.now()
  const sign = reason === 'reversal' ? -1n : 1n
  const groups = groupBy(transfers, balanceKey)
  const present = await readClaims(tx, [...groups.values()])
  for (const [key, group] of groups) {
    const total = sign * sum(group.map(creditOf))
    let balance = (present.get(key) ?? 0n) - total
    for (const transfer of group) {
      const { orgId, chainId, tokenId, id: referenceId, address } = transfer
      const delta = sign * creditOf(transfer)
      balance += delta
      const accountId = displayAddress(chainId, address)
      const change = { orgId, chainId, tokenId, accountId, balance, delta, reason, referenceId }
      emitBalance(tx, catalogue, change, now)
    }
  }
}

/** Present balances of the claims that these groups changed, by key. */
async function readClaims(
  tx: Tx,
  groups: readonly (readonly IncomingTransfer[])[],
): Promise<Map<string, bigint>> {
  const keys = groups.flatMap((group) =>
    group.slice(0, 1).map((transfer) => {
      const { orgId, chainId, tokenId } = transfer
      return { orgId, chainId, tokenId, account: claimOf(transfer) }
    }),
  )
  const rows = await readBalancesOf(tx, keys)
  return new Map(rows.map((row) => [`${row.orgId} ${row.tokenId} ${row.account}`, row.amount]))
}

function balanceKey(transfer: IncomingTransfer): string {
  return `${transfer.orgId} ${transfer.tokenId} ${claimOf(transfer)}`
}

function claimOf({ booked }: IncomingTransfer): Claim {
  return booked === 'gas' ? CLAIM.gas : CLAIM.available
}

function creditOf({ amount, gasPart }: IncomingTransfer): bigint {
  return amount - gasPart
}
