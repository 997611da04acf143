import type { ChainState } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Judged } from '../deposits/confirm.ts'
import { type IncomingTransfer, isDeposit } from '../deposits/deposit.ts'
import { CONFIRM_BATCH_MAX, dueTransfers, expectedAt } from '../deposits/due.ts'
import { movementKey } from '../deposits/confirm-immediately.ts'
import { selectLogsBeside } from '../deposits/lookup-rows.ts'
import type { Recorded } from '../deposits/twin.ts'
import { type Evidence, type Question, judge, questionFor } from '../deposits/verdict.ts'
import type { Database, Tx } from '../store/database.ts'
import { type Asked, UNREAD, askSettled, askState, parentHashes } from './ask-state.ts'
import { isDisputed } from './dispute.ts'
import { FORGOTTEN, forgottenAmong } from './forgotten.ts'
import { withoutDuplicate } from './one-money.ts'
import type { Watcher } from './watcher.ts'

/** The tip at which transfers are due. */
interface DueAt {
  tip: BlockRef
  final: ChainState['final']
  /** Judged for a commit under way: the oldest that were due. */
  besides?: readonly Judged[]
  /** Transfers at most, if less than a batch. */
  limit?: number
}

interface Due extends Asked {
  transfer: IncomingTransfer
  /** Transfers by logs at its address and in its block, itself included. */
  recorded: Recorded[]
  isSuspended: boolean
  isForgotten: boolean
}

/**
 * Judges the transfers that are confirmed at a tip; queries the chain's state about those that need
 * a second witness (engineering, 8 and 10). All queries precede the transaction that acts on the
 * answers; the same address, token and block are queried once. Judges none while the nodes disagree
 * about their blocks, and none whose witness is a block that is not stored yet.
 */
export async function judgeDue(watcher: Watcher, at: DueAt): Promise<Judged[]> {
  const due = await readDue(watcher.database, watcher, at)
  const last = due.at(-1)
  if (last === undefined || (await isDisputed(watcher, last.transfer.block))) return []
  const asked = new Map<string, Promise<Evidence | null>>()
  const ask = (item: Due): Promise<Evidence | null> => {
    const key = movementKey(item.transfer)
    const answer = asked.get(key) ?? witness(watcher, item)
    asked.set(key, answer)
    return answer
  }
  const judging = due.map(async (item): Promise<Judged[]> => {
    const { transfer, question, isSuspended: suspended, recorded } = item
    if (item.isForgotten) return [{ transfer, verdict: FORGOTTEN }]
    const isAsked = question !== 'none' && !suspended
    const evidence = isAsked ? await ask(item) : UNREAD
    if (evidence === null) return []
    const token = { source: sourceOf(watcher, transfer), suspended }
    const verdict = judge({ transfer, question, evidence, token })
    const duplicate = { arrived: transfer, recorded, verdict }
    return [{ transfer, verdict: await withoutDuplicate(watcher, duplicate) }]
  })
  return (await Promise.all(judging)).flat()
}

/** Whether the catalogue or the operator lists a token. */
function sourceOf(
  { catalogue }: Pick<Watcher, 'catalogue'>,
  { tokenId }: IncomingTransfer,
): TokenEntry['source'] {
  return catalogue.token(tokenId)?.source ?? 'operator'
}

/**
 * State of the chain about a transfer; null if it is not available yet. Nodes that answer only for
 * their final block show no movement: they are not queried about a token of the catalogue, which
 * its event credits without state.
 */
async function witness(watcher: Watcher, due: Due): Promise<Evidence | null> {
  const { adapter } = watcher
  if (adapter.balancesAt !== 'final-block') return askState(watcher, due)
  const isListed = sourceOf(watcher, due.transfer) === 'catalogue'
  if (due.question === 'movement' && isListed) return UNREAD
  return askSettled({ ...watcher, adapter }, due.transfer)
}

async function readDue(
  database: Database,
  watcher: Watcher,
  { besides = [], limit = CONFIRM_BATCH_MAX, ...at }: DueAt,
): Promise<Due[]> {
  const { entry, required } = watcher
  const most = limit + besides.length
  const known = new Set(besides.map(({ transfer }) => transfer.id))
  // The oldest are judged first: blocks below the last of these are done.
  const above = Math.max(-1, ...besides.map(({ transfer }) => transfer.block.height - 1))
  // One snapshot: a run that commits meanwhile would change a part of what is expected.
  return database.snapshot(async (tx) => {
    const found = await dueTransfers(tx, { entry, required, above, ...at, limit: most })
    const transfers = found.filter(({ id }) => !known.has(id)).slice(0, limit)
    return transfers.length === 0 ? [] : readFacts(tx, watcher, transfers)
  })
}

/** Facts of the ledger and the database about transfers that are due. */
async function readFacts(
  tx: Tx,
  { serviceKey, entry, catalogue, watched }: Watcher,
  transfers: readonly IncomingTransfer[],
): Promise<Due[]> {
  const suspended = await readSuspended(tx)
  const forgotten = await forgottenAmong(tx, { serviceKey, entry, watched }, transfers)
  const asked = transfers.map((transfer) => {
    const native = catalogue.token(transfer.tokenId)?.native ?? false
    return { transfer, question: questionAbout(entry, transfer, native) }
  })
  const hashes = await parentHashes(tx, entry, asked)
  const logs = transfers.filter(({ position }) => position.startsWith('log:'))
  const recorded = await selectLogsBeside(tx, { chainId: entry.id, logs })
  const due: Due[] = []
  for (const { transfer, question } of asked) {
    due.push({
      transfer,
      question,
      recorded: question === 'movement' ? recorded : [],
      isSuspended: suspended.has(transfer.tokenId),
      isForgotten: forgotten.has(transfer.id),
      expected: question === 'coverage' ? await expectedAt(tx, transfer) : 0n,
      parentHash: hashes.get(transfer.block.height - 1) ?? null,
    })
  }
  return due
}

function questionAbout(entry: ChainEntry, transfer: IncomingTransfer, native: boolean): Question {
  const shared = entry.sharesAddresses && isDeposit(transfer)
  return questionFor(transfer, { native, shared })
}
