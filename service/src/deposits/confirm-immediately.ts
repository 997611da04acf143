import type { RowVerifier } from '../accounts/row-mac.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { type Deposit, type IncomingTransfer, MOVES, isDeposit } from './deposit.ts'
import { tamperedAmong } from './authentic.ts'
import { selectLogsBeside } from './lookup-rows.ts'
import { lockBelowMinimum } from './rows.ts'
import { earlierTwins, hasTwin } from './twin.ts'
import { type Evidence, judge, questionFor } from './verdict.ts'

/** Movements as the nodes reported them before the commit of their blocks. */
export interface Witnessed {
  /** Highest block whose deposits these blocks confirm; -1 for none. */
  upTo: number
  /** Balances before and after, by `movementKey`. */
  movements: ReadonlyMap<string, Evidence>
}

/** No node was queried: no deposit is confirmed immediately. */
export const NOTHING_WITNESSED: Witnessed = { upTo: -1, movements: new Map() }

/** Input for crediting deposits in the commit that records them. */
export interface Immediate extends Witnessed {
  entry: ChainEntry
  tip: BlockRef
  /** Ids of deposits that an address of ours sent in an unknown transaction. */
  forgottenAmong: (deposits: readonly Deposit[]) => Promise<ReadonlySet<string>>
}

/** Key of a movement: of one token, into one address, in one block. */
export function movementKey(
  movement: Pick<IncomingTransfer, 'address' | 'tokenId' | 'block'>,
): string {
  return `${movement.block.hash} ${movement.address} ${movement.tokenId}`
}

/**
 * Confirms those new deposits about which there is no doubt: their blocks have enough
 * confirmations, the state of the chain proves them, and their token has no minimum. All other
 * transfers stay Detected, and a later step judges them.
 */
export async function confirmImmediately(
  tx: Tx,
  {
    serviceKey,
    catalogue,
    transfers,
    immediate,
  }: {
    serviceKey: RowVerifier
    catalogue: Catalogue
    transfers: readonly IncomingTransfer[]
    immediate: Immediate
  },
): Promise<readonly IncomingTransfer[]> {
  const deposits = transfers.filter(isDeposit)
  const logs = deposits.filter(isLog)
  const good = deposits.filter(({ status, block, maturesAt }) => {
    return status === 'Detected' && block.height <= immediate.upTo && maturesAt === null
  })
  const proved = good.filter(
    (deposit) =>
      isProved(catalogue, deposit, immediate) && !(isLog(deposit) && hasTwin(deposit, logs)),
  )
  const clear = await withoutDoubt(tx, serviceKey, proved, immediate)
  if (clear.size === 0) return transfers
  const { to: status, booked } = MOVES.confirm
  const [confirmedHeight, confirmedAt] = [immediate.tip.height, tx.clock.now()]
  return transfers.map((transfer) =>
    clear.has(transfer.id)
      ? { ...transfer, status, booked, confirmedHeight, confirmedAt }
      : transfer,
  )
}

/** With a minimum the order of deposits matters, and older ones may wait: not proved here. */
function isProved(catalogue: Catalogue, deposit: Deposit, { movements }: Witnessed): boolean {
  const token = catalogue.token(deposit.tokenId)
  if (token === null || token.minimumAmount > 1n) return false
  const question = questionFor(deposit, { native: token.native })
  if (question === 'none') return true
  const evidence = question === 'movement' ? movements.get(movementKey(deposit)) : undefined
  if (evidence === undefined) return false
  const { source } = token
  return judge({ transfer: deposit, question, evidence, token: { source, suspended: false } })
    .credit
}

async function withoutDoubt(
  tx: Tx,
  serviceKey: RowVerifier,
  deposits: readonly Deposit[],
  { entry, forgottenAmong }: Immediate,
): Promise<Set<string>> {
  if (deposits.length === 0) return new Set()
  const { id: chainId } = entry
  const logs = deposits.filter(isLog)
  const [suspended, small, forgotten, recorded, tampered] = await Promise.all([
    readSuspended(tx),
    lockBelowMinimum(tx, { chainId, deposits }),
    forgottenAmong(deposits),
    selectLogsBeside(tx, { chainId, logs }),
    tamperedAmong(tx, { serviceKey, entry }, deposits),
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
