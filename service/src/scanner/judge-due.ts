import type { ChainState } from '../catalogue/chain-state.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Judged } from '../deposits/confirm.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { CONFIRM_BATCH_MAX, dueDeposits } from '../deposits/due.ts'
import { expectedAt } from '../deposits/expected.ts'
import type { Recorded } from '../deposits/twin.ts'
import { selectLogsBeside } from '../deposits/twin-rows.ts'
import { type Evidence, judge, questionFor } from '../deposits/verdict.ts'
import type { Database } from '../store/database.ts'
import { type Asked, UNREAD, askSettled, askState, parentHashes } from './ask-state.ts'
import { isDisputed } from './dispute.ts'
import { FORGOTTEN, forgottenAmong } from './forgotten.ts'
import { withoutDuplicate } from './one-money.ts'
import type { Watcher } from './watcher.ts'

interface DueAt {
  tip: BlockRef
  final: ChainState['final']
  besides?: readonly Judged[]
  limit?: number
}

interface Due extends Asked {
  deposit: Deposit
  /** Deposits by logs at its address and in its block; it is one of them. */
  recorded: Recorded[]
  suspended: boolean
  isForgotten: boolean
}

/**
 * Finds the deposits that are confirmed at a tip and asks the chain's state about those that need a
 * second witness (engineering, 10). All questions are asked before the transaction that acts on the
 * answers; the same address, token and block are asked once. None are judged while the nodes
 * disagree about their blocks, nor those whose witness is a block that we do not have yet.
 * `besides`: those that were judged for a commit under way, the oldest that were due. `limit`: how
 * many at most, where it is less than a batch.
 */
export async function judgeDue(watcher: Watcher, given: DueAt): Promise<Judged[]> {
  const due = await readDue(watcher.database, watcher, given)
  const last = due.at(-1)
  if (last === undefined || (await isDisputed(watcher, last.deposit.block))) return []
  const asked = new Map<string, Promise<Evidence | null>>()
  const ask = (item: Due): Promise<Evidence | null> => {
    const { block, address, tokenId } = item.deposit
    const key = `${block.hash} ${address} ${tokenId}`
    const answer = asked.get(key) ?? witness(watcher, item)
    asked.set(key, answer)
    return answer
  }
  const judging = due.map(async (item): Promise<Judged[]> => {
    const { deposit, question, suspended, recorded } = item
    if (item.isForgotten) return [{ deposit, verdict: FORGOTTEN }]
    const isAsked = question !== 'none' && !suspended
    const evidence = isAsked ? await ask(item) : UNREAD
    if (evidence === null) return []
    const token = { source: sourceOf(watcher, deposit), suspended }
    const verdict = judge({ deposit, question, evidence, token })
    const asking = { arrived: deposit, recorded, verdict }
    return [{ deposit, verdict: await withoutDuplicate(watcher, asking) }]
  })
  return (await Promise.all(judging)).flat()
}

/** Whether the catalogue lists a token, or the operator does. */
export function sourceOf(
  { catalogue }: Pick<Watcher, 'catalogue'>,
  { tokenId }: Pick<Deposit, 'tokenId'>,
): TokenEntry['source'] {
  return catalogue.token(tokenId)?.source ?? 'operator'
}

/**
 * What the chain's state says of money that arrived; null if it can be said only later. Where nodes
 * answer for their final block only, no movement can be shown, so a token of the catalogue, which
 * its event credits if no state speaks, is not asked about.
 */
export async function witness(
  watcher: Watcher,
  asked: Asked & { deposit: Pick<Deposit, 'orgId' | 'address' | 'tokenId' | 'block'> },
): Promise<Evidence | null> {
  const { adapter } = watcher
  if (adapter.balancesAt !== 'final-block') return askState(watcher, asked)
  const isListed = sourceOf(watcher, asked.deposit) === 'catalogue'
  if (asked.question === 'movement' && isListed) return UNREAD
  return askSettled({ ...watcher, adapter }, asked.deposit)
}

async function readDue(
  database: Database,
  { serviceKey, entry, required, catalogue, watched }: Watcher,
  given: DueAt,
): Promise<Due[]> {
  const { besides = [], limit = CONFIRM_BATCH_MAX, ...at } = given
  const most = limit + besides.length
  const known = new Set(besides.map(({ deposit }) => deposit.id))
  // They are judged oldest first: of those in blocks below the last of them none is left.
  const above = Math.max(-1, ...besides.map(({ deposit }) => deposit.block.height - 1))
  // One picture of it all: a run that commits meanwhile would move a part of what is expected.
  return database.snapshot(async (tx) => {
    const found = await dueDeposits(tx, { entry, required, above, ...at, limit: most })
    const deposits = found.filter(({ id }) => !known.has(id)).slice(0, limit)
    if (deposits.length === 0) return []
    const suspended = await readSuspended(tx)
    const forgotten = await forgottenAmong(tx, { serviceKey, entry, watched }, deposits)
    const asked = deposits.map((deposit) => {
      const native = catalogue.token(deposit.tokenId)?.native ?? false
      return { deposit, question: questionFor(deposit, { native, shared: entry.sharesAddresses }) }
    })
    const hashes = await parentHashes(tx, entry, asked)
    const logs = deposits.filter(({ position }) => position.startsWith('log:'))
    const recorded = await selectLogsBeside(tx, { chainId: entry.id, logs })
    const due: Due[] = []
    for (const { deposit, question } of asked) {
      due.push({
        deposit,
        question,
        recorded: question === 'movement' ? recorded : [],
        suspended: suspended.has(deposit.tokenId),
        isForgotten: forgotten.has(deposit.id),
        expected: question === 'coverage' ? await expectedAt(tx, deposit) : 0n,
        parentHash: hashes.get(deposit.block.height - 1) ?? null,
      })
    }
    return due
  })
}
