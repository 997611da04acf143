import type { BalanceReason } from '@sluice/wire'
import { sum } from '../base/amount.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { CLAIM } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import type { Tx } from '../store/database.ts'
import { tellBalance } from '../webhooks/tell-balance.ts'
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
  const { catalogue, reason } = given
  const sign = reason === 'reversal' ? -1n : 1n
  const now = tx.clock.now()
  const groups = groupByBalance(given.deposits)
  const standing = await readAvailable(tx, groups)
  for (const [key, group] of groups) {
    const moved = sign * sum(group.map(({ amount }) => amount))
    let balance = (standing.get(key) ?? 0n) - moved
    for (const deposit of group) {
      const delta = sign * deposit.amount
      balance += delta
      const { orgId, chainId, tokenId, id: referenceId } = deposit
      const accountId = displayAddress(chainId, deposit.address)
      const change = { orgId, chainId, tokenId, accountId, balance, delta, reason, referenceId }
      tellBalance(tx, catalogue, change, now)
    }
  }
}

/** What stands on `available` of each group, in base units. */
async function readAvailable(
  tx: Tx,
  groups: ReadonlyMap<string, readonly Deposit[]>,
): Promise<Map<string, bigint>> {
  const keys = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ orgId, chainId, tokenId }) => ({
      orgId,
      chainId,
      tokenId,
      account: CLAIM.available,
    })),
  )
  const balances = await readBalancesOf(tx, keys)
  return new Map(balances.map((balance) => [balanceKey(balance), balance.amount]))
}

function groupByBalance(deposits: readonly Deposit[]): Map<string, Deposit[]> {
  const groups = new Map<string, Deposit[]>()
  for (const deposit of deposits) {
    const key = balanceKey(deposit)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [deposit])
    else group.push(deposit)
  }
  return groups
}

function balanceKey({ orgId, tokenId }: Pick<Deposit, 'orgId' | 'tokenId'>): string {
  return `${orgId} ${tokenId}`
}
