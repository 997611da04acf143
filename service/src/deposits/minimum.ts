import { sum } from '../base/amount.ts'
import type { Deposit } from './deposit.ts'
import { groupBy } from './group-by.ts'

export interface MinimumSplit {
  /** Arriving deposits, with the waiting ones once their sum reaches the minimum. */
  credited: readonly Deposit[]
  /** Held back until more arrives. */
  setAside: readonly Deposit[]
}

/**
 * The minimum rule (decisions, section 2): the amounts of one account and token on one chain add
 * up, block by block, so the result does not depend on how many blocks one commit has. Takes the
 * arriving and the waiting deposits of any accounts; decides each account and token separately.
 * Dust is cheap to send: the cost must stay linear in the deposits that wait.
 */
export function splitByMinimum(deposits: {
  arriving: readonly Deposit[]
  waiting: readonly Deposit[]
  minimumOf: (tokenId: Deposit['tokenId']) => bigint
}): MinimumSplit {
  const credited: Deposit[] = []
  const setAside: Deposit[] = []
  const waiting = groupBy(deposits.waiting, accountAndToken)
  for (const [key, arriving] of groupBy(deposits.arriving, accountAndToken)) {
    let pending = waiting.get(key) ?? []
    for (const block of inBlocks(arriving)) {
      pending = pending.concat(block)
      if (!reachesMinimum(pending, deposits.minimumOf)) continue
      for (const deposit of pending) credited.push(deposit)
      pending = []
    }
    for (const deposit of pending) if (deposit.status === 'Detected') setAside.push(deposit)
  }
  return { credited, setAside }
}

function accountAndToken({ accountId, tokenId }: Deposit): string {
  return `${accountId} ${tokenId}`
}

/** The deposits of each block together, the lowest block first. */
function inBlocks(deposits: readonly Deposit[]): Deposit[][] {
  const ordered = deposits.toSorted((a, b) => a.block.height - b.block.height)
  return [...groupBy(ordered, ({ block }) => `${block.height}`).values()]
}

function reachesMinimum(
  deposits: readonly Deposit[],
  minimumOf: (tokenId: Deposit['tokenId']) => bigint,
): boolean {
  const [first] = deposits
  return (
    first !== undefined && sum(deposits.map(({ amount }) => amount)) >= minimumOf(first.tokenId)
  )
}
