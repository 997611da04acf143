import type { RowVerifier } from '../accounts/row-mac.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type Deposit, MOVES } from './deposit.ts'
import { tamperedAmong } from './genuine.ts'
import { lockBelowMinimum } from './rows.ts'
import { earlierTwins, hasTwin } from './twin.ts'
import { selectLogsBeside } from './twin-rows.ts'
import { type Evidence, judge, questionFor } from './verdict.ts'

/** What was learnt, before the commit that brings blocks, of the deposits in them. */
export interface Witnessed {
  /** The highest block whose deposits have their confirmations already; -1 for none. */
  upTo: number
  /** How balances moved, by `movementKey`. */
  movements: ReadonlyMap<string, Evidence>
}

/** Nothing was asked, and nothing is confirmed by the blocks that bring it. */
export const NOTHING_WITNESSED: Witnessed = { upTo: -1, movements: new Map() }

/** Deposits that are credited by the very commit that records them. */
export interface Ripe extends Witnessed {
  tip: BlockRef
  /** Ids of those that an address of ours sent without our knowing. */
  forgottenAmong: (deposits: readonly Deposit[]) => Promise<ReadonlySet<string>>
}

/** Names a movement: what an address held of a token before and after a block. */
export function movementKey(of: Pick<Deposit, 'address' | 'tokenId' | 'block'>): string {
  return `${of.block.hash} ${of.address} ${of.tokenId}`
}

/**
 * Confirms at once those new deposits about which nothing is doubtful: their blocks are deep enough
 * in what comes with them, the chain's state bears them out, and no sum has to be reached. All
 * others stay Detected, and are judged by a later step.
 */
export async function ripen(
  tx: Tx,
  given: { serviceKey: RowVerifier; catalogue: Catalogue; deposits: Deposit[]; ripe: Ripe },
): Promise<Deposit[]> {
  const { serviceKey, catalogue, deposits, ripe } = given
  const deep = deposits.filter(({ status, block, maturesAt }) => {
    return status === 'Detected' && block.height <= ripe.upTo && maturesAt === null
  })
  const logs = deposits.filter(isLog)
  const good = deep.filter(
    (deposit) =>
      isBorneOut(catalogue, deposit, ripe) && !(isLog(deposit) && hasTwin(deposit, logs)),
  )
  const clear = await withoutDoubt(tx, serviceKey, good, ripe)
  if (clear.size === 0) return deposits
  const { to: status, booked } = MOVES.confirm
  const [confirmedHeight, confirmedAt] = [ripe.tip.height, tx.clock.now()]
  return deposits.map((deposit) =>
    clear.has(deposit.id) ? { ...deposit, status, booked, confirmedHeight, confirmedAt } : deposit,
  )
}

/** Where a least amount is asked for, the order of deposits matters, and older ones may wait. */
function isBorneOut(catalogue: Catalogue, deposit: Deposit, { movements }: Ripe): boolean {
  const token = catalogue.token(deposit.tokenId)
  if (token === null || token.minimumAmount > 1n) return false
  const question = questionFor(deposit, { native: token.native })
  if (question === 'none') return true
  const evidence = question === 'movement' ? movements.get(movementKey(deposit)) : undefined
  if (evidence === undefined) return false
  const { source } = token
  return judge({ deposit, question, evidence, token: { source, suspended: false } }).credit
}

async function withoutDoubt(
  tx: Tx,
  serviceKey: RowVerifier,
  deposits: readonly Deposit[],
  { forgottenAmong }: Ripe,
): Promise<Set<string>> {
  const [first] = deposits
  if (first === undefined) return new Set()
  const { chainId } = first
  const logs = deposits.filter(isLog)
  const [suspended, small, forgotten, recorded, tampered] = await Promise.all([
    readSuspended(tx),
    lockBelowMinimum(tx, { chainId, deposits }),
    forgottenAmong(deposits),
    selectLogsBeside(tx, { chainId, logs }),
    tamperedAmong(tx, serviceKey, deposits),
  ])
  const waiting = new Set(small.map(({ accountId }) => accountId))
  const clear = deposits.filter(
    (deposit) =>
      !suspended.has(deposit.tokenId) &&
      !waiting.has(deposit.accountId) &&
      !forgotten.has(deposit.id) &&
      !tampered.has(deposit.id) &&
      !(isLog(deposit) && earlierTwins(deposit, recorded).length > 0),
  )
  return new Set(clear.map(({ id }) => id))
}

function isLog({ position }: Deposit): boolean {
  return position.startsWith('log:')
}
