import type { BalanceReason } from '@sluice/wire'
import { iso } from '../base/clock.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalances } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import type { Deposit } from './deposit.ts'

/**
 * Tells of each deposit what it did to the organization's available balance, in order, after the
 * postings. The last event of a chain and token carries the balance that stands; those before it
 * are counted back from there.
 */
export async function appendBalanceEvents(
  tx: Tx,
  given: { catalogue: Catalogue; reason: BalanceReason; deposits: readonly Deposit[] },
): Promise<void> {
  const sign = given.reason === 'reversal' ? -1n : 1n
  for (const group of groupByBalance(given.deposits)) {
    let balance = await availableBefore(tx, group, sign)
    for (const deposit of group) {
      const previous = balance
      balance += sign * deposit.amount
      appendEvent(tx, {
        orgId: deposit.orgId,
        type: 'balance.updated',
        subjectId: deposit.id,
        payload: {
          chainId: deposit.chainId,
          tokenId: deposit.tokenId,
          accountId: displayAddress(deposit.chainId, deposit.address),
          balance: balance.toString(),
          previousBalance: previous.toString(),
          delta: (balance - previous).toString(),
          reason: given.reason,
          referenceId: deposit.id,
          Token: given.catalogue.summary(deposit.tokenId),
          updatedAt: iso(tx.clock.now()),
        },
      })
    }
  }
}

function groupByBalance(deposits: readonly Deposit[]): Deposit[][] {
  const groups = new Map<string, Deposit[]>()
  for (const deposit of deposits) {
    const key = `${deposit.orgId} ${deposit.tokenId}`
    groups.set(key, [...(groups.get(key) ?? []), deposit])
  }
  return [...groups.values()]
}

async function availableBefore(tx: Tx, group: readonly Deposit[], sign: bigint): Promise<bigint> {
  const [first] = group
  if (first === undefined) return 0n
  const [row] = await readBalances(tx, {
    orgId: first.orgId,
    chainId: first.chainId,
    tokenId: first.tokenId,
    account: CLAIM.available,
  })
  const moved = group.reduce((total, { amount }) => total + amount, 0n)
  return (row?.amount ?? 0n) - sign * moved
}
