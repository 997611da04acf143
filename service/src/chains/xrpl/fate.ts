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

/** The place of a validated transaction. */
interface Inclusion {
  txnHash: string
  height: number
  succeeded: boolean
}

/** Limit of an account's transactions to search, the newest first, one page at a time. */
const PAGE = 200
const PAGES_MAX = 20
const PAGE_BYTES_MAX = 16_000_000

/**
 * Finds the result of the transactions of one Sequence or ticket. `consumed` by another transaction
 * is believed only if a node shows that transaction: a passed Sequence proves nothing if a part of
 * the history is missing (X09). It also must not be contradicted by a node that answers (N15).
 */
export function findFate(
  failover: Pick<Failover<XrplRpc>, 'others' | 'proven'>,
  rpc: XrplRpc,
  spent: Spent,
): Promise<Fate> {
  return agreedFate(failover, rpc, spent, { ended: 'consumed', ask: fateOn })
}

/** The Sequence is read first, so a ledger in between cannot mislead. */
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

/** The hash of the validated transaction that used a number; null if the node does not show it. */
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

/** Old servers return the transaction as `tx`, with the hash inside. */
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

/** Null if no validated ledger of the node has it. */
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
