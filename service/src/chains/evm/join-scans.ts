import type { BlockScope } from '../port.ts'
import { brandEvmAddress, ZERO_ADDRESS } from './address.ts'
import { COIN_LOG_ADDRESS } from './evidence.ts'
import type { Reading, TransactionLogs } from './evidence.ts'
import { isSystemTransaction, parseLogs, parseTransaction } from './rpc.ts'
import {
  LOG,
  LOG_WIDTH,
  TRANSACTION,
  TRANSACTION_WIDTH,
  isNull,
  literalOf,
  logAt,
  transactionAt,
} from './scan-answer.ts'
import type { ScannedBlock, ScannedLogs } from './scan-answer.ts'
import { Literal } from './scan-json.ts'
import { ADDRESS_DIGITS, HASH_DIGITS, NIBBLES, OPENING, countTopics, topicAt } from './skip-json.ts'
import type { Source } from './skip-json.ts'

/** Which logs and transactions matter. */
export interface Concern {
  /** The topic that says that tokens were moved, as 0x and digits. */
  topic: string
  /** Contracts whose logs count. */
  contracts: ReadonlyMap<string, unknown>
  scope: BlockScope
}

/** Zeros before the address in a topic. */
const PADDING = new Literal(Buffer.alloc(HASH_DIGITS - ADDRESS_DIGITS, '0'))
const COIN_LOGS = literalOf(COIN_LOG_ADDRESS)
const NOBODY = literalOf(ZERO_ADDRESS)
/** Topics of a transfer: what it is, from whom, to whom. */
const TRANSFER_TOPICS = 3
/** Digits of an address that are compared first. */
const PREFIX_DIGITS = 7

/**
 * What `readTogether` makes of the same answers, less the transactions that concern nobody: those
 * that pay and are sent by nobody who may be watched, and have no log of such a transfer. Of the
 * chain's own transactions every log is kept. Null where the logs do not run along the
 * transactions; then a parser has to look.
 */
export function joinScans(
  block: ScannedBlock,
  logs: ScannedLogs,
  concern: Concern,
): Reading | null {
  const { count } = block.transactions
  const owners = ownersOf(block, logs)
  if (owners === null) return null
  const told = new Uint8Array(count)
  const found = new Map<number, TransactionLogs['ranked'][number][]>()
  const matters = matcherOf(logs, concern)
  const isOwn = systemOf(block)
  let rank = 0
  owners.forEach((owner, at) => {
    rank = at > 0 && owners[at - 1] === owner ? rank + 1 : 0
    if (tellsSuccess(logs, at)) told[owner] = 1
    if (!matters(at) && !isOwn(owner)) return
    const parsed = parseLogs([logAt(logs, at)], block.header.hash)
    const own = found.get(owner) ?? []
    found.set(owner, own)
    for (const log of parsed) own.push({ rank, log })
  })
  const pays = payerOf(block, concern.scope)
  const transactions = []
  const byHash = new Map<string, TransactionLogs>()
  for (let at = 0; at < count; at += 1) {
    const ranked = found.get(at)
    if (ranked === undefined && !pays(at)) continue
    const transaction = parseTransaction(transactionAt(block, at), at, block.header)
    transactions.push(transaction)
    byHash.set(transaction.hash, { tellsSuccess: told[at] === 1, ranked: ranked ?? [] })
  }
  return { block: { ...block.header, transactions }, logs: byHash }
}

/** The rank of each log's transaction; null where logs stand in another order than transactions. */
function ownersOf(block: ScannedBlock, { source, logs }: ScannedLogs): Int32Array | null {
  const owners = new Int32Array(logs.count)
  let owner = 0
  for (let at = 0; at < owners.length; at += 1) {
    const hash = (logs.rows[at * LOG_WIDTH + LOG.transactionHash.place] ?? 0) + OPENING
    while (!isSameHash(block.source, hashOf(block, owner), source, hash)) {
      owner += 1
      if (owner >= block.transactions.count) return null
    }
    owners[at] = owner
  }
  return owners
}

/** Where the digits of the hash of a transaction begin. */
function hashOf({ transactions: { rows } }: ScannedBlock, rank: number): number {
  return (rows[rank * TRANSACTION_WIDTH + TRANSACTION.hash.place] ?? 0) + OPENING
}

/** Whether the same digits stand at two places; eight at once, as `Literal` compares them. */
function isSameHash({ view }: Source, at: number, other: Source, otherAt: number): boolean {
  const otherView = other.view
  for (let digit = 0; digit < HASH_DIGITS; digit += 8) {
    if (view.getFloat64(at + digit) !== otherView.getFloat64(otherAt + digit)) return false
  }
  return true
}

function tellsSuccess({ source, logs }: ScannedLogs, at: number): boolean {
  return !COIN_LOGS.isAt(source, (logs.rows[at * LOG_WIDTH + LOG.address.place] ?? 0) + OPENING)
}

/** Whether a log is a transfer of a counted token from or to somebody who may be watched. */
function matcherOf(
  { source, logs }: ScannedLogs,
  { contracts, topic, scope }: Concern,
): (at: number) => boolean {
  const { rows } = logs
  const { bytes } = source
  const prefixes = new Set([...contracts.keys()].map((one) => prefixAt(Buffer.from(one), 2)))
  const transfer = literalOf(topic)
  const mayWatchAt = watcherOf(source, scope)
  return (at) => {
    const row = at * LOG_WIDTH
    const begin = rows[row + LOG.topics.place] ?? 0
    const address = (rows[row + LOG.address.place] ?? 0) + OPENING
    if (countTopics(begin, rows[row + LOG.topics.place + 1] ?? 0) !== TRANSFER_TOPICS) return false
    if (!prefixes.has(prefixAt(bytes, address))) return false
    if (!transfer.isAt(source, topicAt(begin, 0))) return false
    const from = topicAt(begin, 1)
    const to = topicAt(begin, 2)
    if (!PADDING.isAt(source, from) || !PADDING.isAt(source, to)) return false
    if (!mayWatchAt(to + PADDING.length) && !mayWatchAt(from + PADDING.length)) return false
    return contracts.has(textAt(bytes, address))
  }
}

/** Whether a transaction is the chain's own. */
function systemOf(block: ScannedBlock): (at: number) => boolean {
  const { source, transactions, header } = block
  const { place } = TRANSACTION.from
  return (at) => {
    const from = (transactions.rows[at * TRANSACTION_WIDTH + place] ?? 0) + OPENING
    if (!NOBODY.isAt(source, from)) return false
    return isSystemTransaction(parseTransaction(transactionAt(block, at), at, header))
  }
}

/** Whether a transaction is sent by or sent to somebody who may be watched, or makes a contract. */
function payerOf(
  { source, transactions }: ScannedBlock,
  scope: BlockScope,
): (at: number) => boolean {
  const { rows } = transactions
  const mayWatchAt = watcherOf(source, scope)
  return (at) => {
    const row = at * TRANSACTION_WIDTH
    const to = row + TRANSACTION.to.place
    if (isNull(source.bytes, rows, to) || mayWatchAt((rows[to] ?? 0) + OPENING)) return true
    return mayWatchAt((rows[row + TRANSACTION.from.place] ?? 0) + OPENING)
  }
}

/** Whether the address whose digits begin at a place may be watched. */
function watcherOf(
  { bytes, view }: Source,
  { mayWatch, mayWatchBytes }: BlockScope,
): (at: number) => boolean {
  if (mayWatch === undefined) return () => true
  if (mayWatchBytes === undefined) return (at) => mayWatch(brandEvmAddress(textAt(bytes, at)))
  const address = new Uint8Array(ADDRESS_DIGITS / 2)
  return (at) => {
    for (let byte = 0; byte < address.length; byte += 2) {
      const digits = view.getInt32(at + 2 * byte)
      // Of letters the low half of the byte says how far they are from the one before `a`.
      const nibbles = (digits & 0x0f0f0f0f) + 9 * ((digits >>> 6) & 0x01010101)
      address[byte] = ((nibbles >>> 20) & 0xf0) | ((nibbles >>> 16) & 0x0f)
      address[byte + 1] = ((nibbles >>> 4) & 0xf0) | (nibbles & 0x0f)
    }
    return mayWatchBytes(address)
  }
}

function textAt(bytes: Buffer, at: number): string {
  return `0x${bytes.toString('latin1', at, at + ADDRESS_DIGITS)}`
}

function prefixAt(bytes: Uint8Array, at: number): number {
  let prefix = 0
  for (let digit = 0; digit < PREFIX_DIGITS; digit += 1) {
    prefix = prefix * 16 + (NIBBLES[bytes[at + digit] ?? 0] ?? 0)
  }
  return prefix
}
