import { agreedFate } from '../agreed-fate.ts'
import type { Failover } from '../failover.ts'
import type { Address, Fate, NonceReservation, Spent, TicketReservation } from '../port.ts'
import { numberOf } from '../reservation.ts'
import { parseResult } from './moves.ts'
import { readAccount, readHeader } from './node.ts'
import { readTickets } from './tickets.ts'
import { demand, isMissing, parseHash, parseJson, parseList, parseUint32 } from './read.ts'
import type { Json } from './read.ts'
import { XrplRefusal } from './rpc.ts'
import type { XrplRpc } from './rpc.ts'

/** Where a transaction was found. */
interface Inclusion {
  txnHash: string
  height: number
  succeeded: boolean
}

/** As many transactions of an account are looked through, the newest first, a page at a time. */
const PAGE = 200
const PAGES_MAX = 20
const PAGE_BYTES_MAX = 16_000_000

/**
 * What became of the transactions of one Sequence, or of one ticket. That another took it is
 * believed only where the node shows which: a Sequence that has passed says nothing where a part of
 * the history is lost (X09). And where no node that answers says otherwise: what one lacks, another
 * may have (N15).
 */
export function findFate(
  failover: Pick<Failover<XrplRpc>, 'others' | 'proven'>,
  rpc: XrplRpc,
  spent: Spent,
): Promise<Fate> {
  return agreedFate(failover, rpc, spent, { ended: 'consumed', ask: fateOn })
}

/** The Sequence is read before: a ledger between cannot mislead. */
async function fateOn(rpc: XrplRpc, { from, reservation, hashes }: Spent): Promise<Fate> {
  const place = numberOf(reservation)
  const isUsed = await isPassed(rpc, from, place)
  for (const txnHash of hashes) {
    const found = await readInclusion(rpc, txnHash)
    if (found === null) continue
    const header = await readHeader(rpc, found.height)
    if (header === null) return { state: 'unknown' }
    const { height, hash } = header
    return { state: 'included', txnHash, ref: { height, hash }, succeeded: found.succeeded }
  }
  if (!isUsed) return { state: 'unknown' }
  const taker = await findTaker(rpc, { from, place })
  const isOther = taker !== null && !hashes.includes(taker)
  return isOther ? { state: 'consumed', by: 'other' } : { state: 'unknown' }
}

/** Whether validated ledgers have passed a Sequence, or have used a ticket. */
async function isPassed(rpc: XrplRpc, from: Address, place: Place): Promise<boolean> {
  if (place.kind === 'nonce') {
    const account = await readAccount(rpc, from, { ledger_index: 'validated' })
    return account !== null && account.sequence > place.nonce
  }
  const { numbers } = await readTickets(rpc, from, 'validated')
  return !numbers.includes(place.ticket)
}

type Place = NonceReservation | TicketReservation

/** The hash of the validated transaction that took a number; null where the node shows none. */
async function findTaker(
  rpc: XrplRpc,
  { from, place }: { from: Address; place: Place },
): Promise<string | null> {
  const asked = { account: from, ledger_index_min: -1, ledger_index_max: -1, limit: PAGE }
  let marker: unknown
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const params = isMissing(marker) ? asked : { ...asked, marker }
    const result = await rpc.call('account_tx', params, PAGE_BYTES_MAX)
    for (const one of parseList(result['transactions'], 'account_tx.transactions')) {
      const taker = takerIn(parseJson(one, 'account_tx.transactions'), { from, place })
      if (taker !== null) return taker
    }
    marker = result['marker']
    if (isMissing(marker)) return null
  }
  return null
}

/** Old servers write the transaction as `tx`, with its hash within. */
function takerIn(one: Json, { from, place }: { from: Address; place: Place }) {
  if (one['validated'] !== true) return null
  const tx = parseJson(one['tx_json'] ?? one['tx'], 'account_tx.tx')
  const isMeant =
    place.kind === 'ticket'
      ? tx['TicketSequence'] === place.ticket
      : tx['Sequence'] === place.nonce && tx['TicketSequence'] === undefined
  return tx['Account'] === from && isMeant
    ? parseHash(one['hash'] ?? tx['hash'], 'account_tx.hash')
    : null
}

/** Null where no validated ledger of the node has it. */
async function readInclusion(rpc: XrplRpc, txnHash: string): Promise<Inclusion | null> {
  try {
    const result = await rpc.call('tx', { transaction: txnHash })
    if (result['validated'] !== true) return null
    demand(parseHash(result['hash'], 'tx.hash') === txnHash, 'another transaction')
    const meta = parseJson(result['meta'], 'tx.meta')
    const height = parseUint32(result['ledger_index'], 'tx.ledger_index')
    return { txnHash, height, succeeded: parseResult(meta['TransactionResult']) }
  } catch (error) {
    if (error instanceof XrplRefusal && error.error === 'txnNotFound') return null
    throw error
  }
}
