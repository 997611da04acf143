import { sum } from '../base/amount.ts'
import type { Deposit } from './deposit.ts'
import { groupBy } from './group-by.ts'

export interface MinimumSplit {
  /**
   * Credited now: those that arrive, and with them what had waited, once their sum reaches the
   * minimum.
   */
  credited: readonly Deposit[]
  /** Booked apart until more arrives. */
  setAside: readonly Deposit[]
}

/**
 * The minimum rule (decisions, section 2): the amounts of one account and token on one chain add
 * up, block by block, so that it makes no difference how many blocks arrive in one commit. Give
 * those that arrive and those that wait of any accounts; each group is decided by itself. Dust
 * costs its sender little, so that very many may wait at one account: each is looked at seldom.
 */
export function splitByMinimum(given: {
  arriving: readonly Deposit[]
  waiting: readonly Deposit[]
  minimumOf: (tokenId: Deposit['tokenId']) => bigint
}): MinimumSplit {
  const credited: Deposit[] = []
  const setAside: Deposit[] = []
  const waiting = groupBy(given.waiting, accountAndToken)
  for (const [key, arriving] of groupBy(given.arriving, accountAndToken)) {
    let pending = waiting.get(key) ?? []
    for (const block of inBlocks(arriving)) {
      pending = pending.concat(block)
      if (!reachesMinimum(pending, given.minimumOf)) continue
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
