import type { BlockScope } from '../port.ts'
import { ZERO_ADDRESS } from './address.ts'
import { AskedAddresses } from './asked-addresses.ts'
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
import { ADDRESS_DIGITS, HASH_DIGITS, OPENING, countTopics, topicAt } from './skip-json.ts'
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
/** By the first digits of an address: whether a contract that counts may begin with them. */
const MARKS = 4_096

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
  const { pays, matters } = concernedIn(block, logs, concern)
  const isOwn = ownIn(block)
  const told = new Uint8Array(count)
  const found = new Map<number, TransactionLogs['ranked'][number][]>()
  let rank = 0
  for (let at = 0; at < owners.length; at += 1) {
    const owner = owners[at] ?? 0
    rank = at > 0 && owners[at - 1] === owner ? rank + 1 : 0
    if (tellsSuccess(logs, at)) told[owner] = 1
    if (matters[at] === 0 && isOwn[owner] === 0) continue
    const parsed = parseLogs([logAt(logs, at)], block.header.hash)
    const own = found.get(owner) ?? []
    found.set(owner, own)
    for (const log of parsed) own.push({ rank, log })
  }
  const transactions = []
  const byHash = new Map<string, TransactionLogs>()
  for (let at = 0; at < count; at += 1) {
    const ranked = found.get(at)
    if (ranked === undefined && pays[at] === 0) continue
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
    if (view.getFloat64(at + digit, true) !== otherView.getFloat64(otherAt + digit, true)) {
      return false
    }
  }
  return true
}

function tellsSuccess({ source, logs }: ScannedLogs, at: number): boolean {
  return !COIN_LOGS.isAt(source, (logs.rows[at * LOG_WIDTH + LOG.address.place] ?? 0) + OPENING)
}

/**
 * Transactions that are sent by or sent to somebody who may be watched, or make a contract, and
 * logs that are a transfer of a counted token from or to somebody who may be watched: 1 or 0 for
 * each. All are asked about at once, which costs a fraction of what one by one does.
 */
function concernedIn(
  block: ScannedBlock,
  logs: ScannedLogs,
  concern: Concern,
): { pays: Uint8Array; matters: Uint8Array } {
  const transfers = transfersIn(logs, concern)
  const asked = new AskedAddresses(2 * (block.transactions.count + transfers.length))
  const pays = askPayers(block, asked)
  const { rows } = logs.logs
  for (const at of transfers) {
    const begin = rows[at * LOG_WIDTH + LOG.topics.place] ?? 0
    asked.add(logs.source, topicAt(begin, 1) + PADDING.length)
    asked.add(logs.source, topicAt(begin, 2) + PADDING.length)
  }
  const answers = asked.answers(concern.scope)
  for (let at = 0; at < pays.length; at += 1) {
    if (answers[2 * at] === 1 || answers[2 * at + 1] === 1) pays[at] = 1
  }
  const matters = new Uint8Array(logs.logs.count)
  transfers.forEach((log, at) => {
    const first = 2 * (pays.length + at)
    if (answers[first] === 0 && answers[first + 1] === 0) return
    const address = (rows[log * LOG_WIDTH + LOG.address.place] ?? 0) + OPENING
    if (concern.contracts.has(textAt(logs.source.bytes, address))) matters[log] = 1
  })
  return { pays, matters }
}

/** Asks about both sides of each transaction. Out: 1 for those that make a contract. */
function askPayers({ source, transactions }: ScannedBlock, asked: AskedAddresses): Uint8Array {
  const { rows, count } = transactions
  const creates = new Uint8Array(count)
  for (let at = 0; at < count; at += 1) {
    const row = at * TRANSACTION_WIDTH
    const from = (rows[row + TRANSACTION.from.place] ?? 0) + OPENING
    const isCreation = isNull(source.bytes, rows, row + TRANSACTION.to.place)
    if (isCreation) creates[at] = 1
    asked.add(source, from)
    asked.add(source, isCreation ? from : (rows[row + TRANSACTION.to.place] ?? 0) + OPENING)
  }
  return creates
}

/** Logs of the form of a transfer, of contracts that begin like one that counts. */
function transfersIn(
  { source, logs: { rows, count } }: ScannedLogs,
  { contracts, topic }: Concern,
): number[] {
  const { view } = source
  const marks = marksOf(contracts)
  const transfer = literalOf(topic)
  const found = []
  for (let at = 0; at < count; at += 1) {
    const row = at * LOG_WIDTH
    const begin = rows[row + LOG.topics.place] ?? 0
    const end = rows[row + LOG.topics.place + 1] ?? 0
    const isTransfer =
      countTopics(begin, end) === TRANSFER_TOPICS &&
      marks[markAt(view, (rows[row + LOG.address.place] ?? 0) + OPENING)] === 1 &&
      transfer.isAt(source, topicAt(begin, 0)) &&
      PADDING.isAt(source, topicAt(begin, 1)) &&
      PADDING.isAt(source, topicAt(begin, 2))
    if (isTransfer) found.push(at)
  }
  return found
}

/** Transactions that are the chain's own: 1 or 0 for each. */
function ownIn(block: ScannedBlock): Uint8Array {
  const { source, transactions, header } = block
  const own = new Uint8Array(transactions.count)
  for (let at = 0; at < own.length; at += 1) {
    const row = at * TRANSACTION_WIDTH
    const from = (transactions.rows[row + TRANSACTION.from.place] ?? 0) + OPENING
    if (!NOBODY.isAt(source, from)) continue
    if (isSystemTransaction(parseTransaction(transactionAt(block, at), at, header))) own[at] = 1
  }
  return own
}

function textAt(bytes: Buffer, at: number): string {
  return `0x${bytes.toString('latin1', at, at + ADDRESS_DIGITS)}`
}

const KNOWN_MARKS = new WeakMap<ReadonlyMap<string, unknown>, Uint8Array>()

function marksOf(contracts: ReadonlyMap<string, unknown>): Uint8Array {
  const known = KNOWN_MARKS.get(contracts)
  if (known !== undefined) return known
  const marks = new Uint8Array(MARKS)
  for (const one of contracts.keys()) {
    const { buffer } = Uint8Array.from(Buffer.from(one))
    marks[markAt(new DataView(buffer), '0x'.length)] = 1
  }
  KNOWN_MARKS.set(contracts, marks)
  return marks
}

/** A number below MARKS by the eight digits at a place. */
function markAt(view: DataView, at: number): number {
  const digits = view.getInt32(at) ^ Math.imul(view.getInt32(at + 4), 0x9e3779b1)
  return Math.imul(digits, 0x85ebca6b) >>> 20
}
