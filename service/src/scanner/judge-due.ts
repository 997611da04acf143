import type { ChainState } from '../catalogue/chain-state.ts'
import { forgetsBalances, sharesAddresses } from '../catalogue/chains.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Judged } from '../deposits/confirm.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { CONFIRM_BATCH_MAX, dueDeposits } from '../deposits/due.ts'
import { expectedAt } from '../deposits/expected.ts'
import type { Recorded } from '../deposits/twin.ts'
import { selectLogsBeside } from '../deposits/twin-rows.ts'
import { type Evidence, type Question, judge, questionFor } from '../deposits/verdict.ts'
import type { Database, Tx } from '../store/database.ts'
import { isDisputed } from './dispute.ts'
import { FORGOTTEN, forgottenAmong } from './forgotten.ts'
import { KnownBalances } from './known-balances.ts'
import { withoutDuplicate } from './one-money.ts'
import { selectHashes } from './rows.ts'
import type { Watcher } from './watcher.ts'

/** What the chain is asked about money that arrived somewhere. */
export interface Asked {
  deposit: Pick<Deposit, 'address' | 'tokenId' | 'block'>
  question: Question
  /** Base units that the ledger places on the address at the deposit's block. */
  expected: bigint
  /** The hash before the deposit's block; null where we no longer keep it. */
  parentHash: string | null
}

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
 * disagree about their blocks. `besides`: those that were judged for a commit under way, the oldest
 * that were due. `limit`: how many at most, where it is less than a batch.
 */
export async function judgeDue(watcher: Watcher, given: DueAt): Promise<Judged[]> {
  const due = await readDue(watcher.database, watcher, given)
  const last = due.at(-1)
  if (last === undefined || (await isDisputed(watcher, last.deposit.block))) return []
  const asked = new Map<string, Promise<Evidence>>()
  const ask = (item: Due): Promise<Evidence> => {
    const { block, address, tokenId } = item.deposit
    const key = `${block.hash} ${address} ${tokenId}`
    const answer = asked.get(key) ?? askState(watcher, item)
    asked.set(key, answer)
    return answer
  }
  const judging = due.map(async (item): Promise<Judged> => {
    const { deposit, question, suspended, recorded } = item
    if (item.isForgotten) return { deposit, verdict: FORGOTTEN }
    const evidence = question === 'none' || suspended ? null : await ask(item)
    const source = watcher.catalogue.token(deposit.tokenId)?.source ?? 'operator'
    const verdict = judge({ deposit, question, evidence, token: { source, suspended } })
    const asking = { arrived: deposit, recorded, verdict }
    return { deposit, verdict: await withoutDuplicate(watcher, asking) }
  })
  return Promise.all(judging)
}

async function readDue(
  database: Database,
  { entry, required, catalogue, watched }: Watcher,
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
    const forgotten = await forgottenAmong(tx, { entry, watched }, deposits)
    const asked = deposits.map((deposit) => {
      const native = catalogue.token(deposit.tokenId)?.native ?? false
      return { deposit, question: questionFor(deposit, { native, shared: sharesAddresses(entry) }) }
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

/** Our hashes of the blocks before those in which something moved, by height, as far as kept. */
export async function parentHashes(
  tx: Tx,
  { id: chainId }: Watcher['entry'],
  asked: readonly Pick<Asked, 'deposit' | 'question'>[],
): Promise<Map<number, string>> {
  const moving = asked.filter(({ question }) => question === 'movement')
  const heights = new Set(moving.map(({ deposit }) => deposit.block.height - 1))
  return selectHashes(tx, { chainId, heights: [...heights] })
}

/**
 * Both balances of a movement are asked for at once: one means something only beside the other.
 */
export async function askState(
  { adapter, entry, known = new KnownBalances() }: Pick<Watcher, 'adapter' | 'entry' | 'known'>,
  { deposit, question, expected, parentHash }: Asked,
): Promise<Evidence> {
  const { address, tokenId, block } = deposit
  const balanceAt = (at: BlockRef) => known.ask(adapter, address, { tokenId, at })
  if (question === 'coverage') {
    const after = await balanceAt(block)
    return { before: null, after, expected, isOfMoment: forgetsBalances(entry) }
  }
  const height = block.height - 1
  const hash = parentHash ?? (await adapter.hashAt(height))
  const [before, after] = await Promise.all([
    hash === null ? null : balanceAt({ height, hash }),
    balanceAt(block),
  ])
  return { before, after, expected }
}
