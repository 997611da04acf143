import { isAscii } from 'node:buffer'
import { parseHeader } from './rpc.ts'
import type { RpcHeader } from './rpc.ts'
import { Literal, Shape, openSource } from './scan-json.ts'
import type { ReadRows, Table, Wish } from './scan-json.ts'
import { openScanMemory } from './scan-memory.ts'
import type { ScanMemory } from './scan-memory.ts'
import { FAILED, HASH_DIGITS, NIBBLES, OPENING, QUOTE, countTopics } from './skip-json.ts'
import type { Source } from './skip-json.ts'
import { SwiftTables } from './swift-table.ts'

/** A block with its transactions, as places in the bytes of the node's answer. */
export interface ScannedBlock {
  source: Source
  header: RpcHeader
  transactions: Table
}

/** The logs of a block, as places in the bytes of the node's answer. */
export interface ScannedLogs {
  source: Source
  logs: Table
}

const ENVELOPE = {
  id: { place: 0, wanted: 'any' },
  result: { place: 2, wanted: 'rows' },
  error: { place: 4, wanted: 'any' },
} as const
const BLOCK = {
  number: { place: 0, wanted: 'any' },
  hash: { place: 2, wanted: 'hash' },
  parentHash: { place: 4, wanted: 'any' },
  timestamp: { place: 6, wanted: 'any' },
  transactionsRoot: { place: 8, wanted: 'any' },
  receiptsRoot: { place: 10, wanted: 'any' },
  logsBloom: { place: 12, wanted: 'any' },
} as const
/** What is read of a transaction, and where in its row that stands. */
export const TRANSACTION = {
  blockHash: { place: 0, wanted: 'own-hash' },
  transactionIndex: { place: 2, wanted: 'rank' },
  hash: { place: 4, wanted: 'hash' },
  from: { place: 6, wanted: 'address' },
  to: { place: 8, wanted: 'address-or-null' },
  value: { place: 10, wanted: 'hex' },
  gas: { place: 12, wanted: 'hex' },
  nonce: { place: 14, wanted: 'hex' },
  gasPrice: { place: 16, wanted: 'hex-or-null' },
  input: { place: 18, wanted: 'long' },
} as const
/** What is read of a log, and where in its row that stands. */
export const LOG = {
  blockHash: { place: 0, wanted: 'own-hash' },
  logIndex: { place: 2, wanted: 'rank' },
  transactionHash: { place: 4, wanted: 'compared' },
  address: { place: 6, wanted: 'address' },
  topics: { place: 8, wanted: 'topics' },
  data: { place: 10, wanted: 'hex' },
  removed: { place: 12, wanted: 'any' },
} as const

const ENVELOPE_SHAPE = new Shape(ENVELOPE)
const BLOCK_SHAPE = new Shape({ ...BLOCK, transactions: { place: 14, wanted: 'rows' } })
const TRANSACTION_SHAPE = new Shape(TRANSACTION)
const LOG_SHAPE = new Shape(LOG)
const TRANSACTIONS = new SwiftTables(TRANSACTION_SHAPE)
const LOGS = new SwiftTables(LOG_SHAPE)
export const TRANSACTION_WIDTH = TRANSACTION_SHAPE.width
export const LOG_WIDTH = LOG_SHAPE.width

/** With 0x and quotes. */
const [QUOTED_QUANTITY_MIN, QUOTED_QUANTITY_MAX] = [5, 68]
const SMALL_DIGITS_MAX = 7
const TOPICS_MAX = 4
const NO_HASH = new Literal(Buffer.alloc(64, '0'))
const [NEWLINE, BACKSLASH, LETTER_F, LETTER_N] = [10, 92, 102, 110]

/**
 * Reads the answer to a request for a block with its transactions: the block that `parseBlock`
 * makes of it, or null where a parser has to look. What stands in inputs is not looked at.
 * Throws the Outage of `parseBlock` where the block's own fields are malformed. Without a memory it
 * is read byte by byte: the same, in three times the time.
 */
export function scanBlock(
  bytes: Buffer,
  id: number,
  memory: ScanMemory | null = openScanMemory(),
): ScannedBlock | null {
  const rows = new Int32Array(BLOCK_SHAPE.width).fill(FAILED)
  const found: Table[] = []
  const source = openSource(bytes)
  const readRows: ReadRows = (_, at) => {
    const hash = rows[BLOCK.hash.place] ?? FAILED
    const digits = hash === FAILED ? null : bytes.subarray(hash + OPENING).subarray(0, HASH_DIGITS)
    return keep(TRANSACTIONS.read(source, at, { memory, hash: digits }), found)
  }
  const isRead =
    isPlain(bytes, memory) &&
    scanResult(source, id, (_, at) => BLOCK_SHAPE.read(source, at, { rows, row: 0, readRows }))
  const [transactions] = isRead ? found : []
  if (transactions === undefined) return null
  const header = parseHeader(recordAt(bytes, rows, BLOCK, 0))
  const scanned = { source, header, transactions }
  return areTransactions(scanned) ? scanned : null
}

/**
 * Reads the answer to a request for all logs of a block, or null where a parser has to look. The
 * digits of transactions' hashes are not looked at: they must be compared with those of the block.
 */
export function scanLogs(
  bytes: Buffer,
  id: number,
  blockHash: string,
  memory: ScanMemory | null = openScanMemory(),
): ScannedLogs | null {
  const found: Table[] = []
  const source = openSource(bytes)
  const hash = literalOf(blockHash)
  const readRows: ReadRows = (_, at) =>
    keep(LOGS.read(source, at, { memory, hash: hash.text }), found)
  const [logs] = isPlain(bytes, memory) && scanResult(source, id, readRows) ? found : []
  if (logs === undefined) return null
  const scanned = { source, logs }
  return areLogs(scanned, hash) ? scanned : null
}

/** The transaction of a rank as the node wrote it, of the keys that matter. */
export function transactionAt({ source, transactions }: ScannedBlock, at: number): unknown {
  return recordAt(source.bytes, transactions.rows, TRANSACTION, at * TRANSACTION_WIDTH)
}

/** The log of a rank as the node wrote it, of the keys that matter. */
export function logAt({ source, logs }: ScannedLogs, at: number): unknown {
  return recordAt(source.bytes, logs.rows, LOG, at * LOG_WIDTH)
}

/** The digits of 0x and digits, to look for. */
export function literalOf(hex: string): Literal {
  return new Literal(Buffer.from(hex.slice(2), 'latin1'))
}

/** Whether a row names no value, or null. */
export function isNull(bytes: Buffer, rows: Int32Array, place: number): boolean {
  const begin = rows[place] ?? FAILED
  return begin === FAILED || bytes[begin] === LETTER_N
}

/** An answer without an error, to the request of this id, and nothing behind it. */
function scanResult(source: Source, id: number, readRows: ReadRows): boolean {
  const { bytes } = source
  const rows = new Int32Array(ENVELOPE_SHAPE.width).fill(FAILED)
  const end = ENVELOPE_SHAPE.read(source, 0, { rows, row: 0, readRows })
  const isWhole = end === bytes.length || (end === bytes.length - 1 && bytes[end] === NEWLINE)
  if (!isWhole || rows[ENVELOPE.error.place] !== FAILED) return false
  return valueAt(bytes, rows, ENVELOPE.id.place) === id
}

/** Then no string holds anything but its bytes. Takes them into the memory. */
function isPlain(bytes: Buffer, memory: ScanMemory | null): boolean {
  return memory?.isPlain(bytes) ?? (!bytes.includes(BACKSLASH) && isAscii(bytes))
}

/** Keeps the table that was read; answers with the position behind it. */
function keep(read: { table: Table; end: number } | null, found: Table[]): number {
  if (read === null) return FAILED
  found.push(read.table)
  return read.end
}

/** What `parseBlock` demands of each transaction. */
function areTransactions({ source, header, transactions }: ScannedBlock): boolean {
  const { bytes } = source
  const { rows, count, proved } = transactions
  const hash = literalOf(header.hash)
  for (let at = 0; at < count; at += 1) {
    const row = at * TRANSACTION_WIDTH
    const isGood =
      isThere(rows, row + TRANSACTION.blockHash.place) &&
      isThere(rows, row + TRANSACTION.transactionIndex.place) &&
      (proved[at] === 1 ||
        (hash.isAt(source, (rows[row + TRANSACTION.blockHash.place] ?? 0) + OPENING) &&
          quantityAt(bytes, rows, row + TRANSACTION.transactionIndex.place) === at)) &&
      isThere(rows, row + TRANSACTION.hash.place) &&
      isThere(rows, row + TRANSACTION.from.place) &&
      isQuantity(rows, row + TRANSACTION.value.place) &&
      isQuantity(rows, row + TRANSACTION.gas.place) &&
      isQuantity(rows, row + TRANSACTION.nonce.place) &&
      (isNull(bytes, rows, row + TRANSACTION.gasPrice.place) ||
        isQuantity(rows, row + TRANSACTION.gasPrice.place)) &&
      isThere(rows, row + TRANSACTION.input.place)
    if (!isGood) return false
  }
  return true
}

/** What `parseLogs` demands of each log, and that their indices have no gap. */
function areLogs({ source, logs }: ScannedLogs, hash: Literal): boolean {
  const { bytes } = source
  const { rows, count, proved } = logs
  for (let at = 0; at < count; at += 1) {
    const row = at * LOG_WIDTH
    const blockHash = (rows[row + LOG.blockHash.place] ?? 0) + OPENING
    const isGood =
      isThere(rows, row + LOG.blockHash.place) &&
      isThere(rows, row + LOG.logIndex.place) &&
      (proved[at] === 1 ||
        ((hash.isAt(source, blockHash) || NO_HASH.isAt(source, blockHash)) &&
          quantityAt(bytes, rows, row + LOG.logIndex.place) === at)) &&
      isThere(rows, row + LOG.transactionHash.place) &&
      isThere(rows, row + LOG.address.place) &&
      isTopics(rows, row + LOG.topics.place) &&
      isEven(rows, row + LOG.data.place) &&
      isNotRemoved(bytes, rows, row + LOG.removed.place)
    if (!isGood) return false
  }
  return true
}

function isThere(rows: Int32Array, place: number): boolean {
  return rows[place] !== FAILED
}

function isQuantity(rows: Int32Array, place: number): boolean {
  const length = lengthAt(rows, place)
  return length >= QUOTED_QUANTITY_MIN && length <= QUOTED_QUANTITY_MAX
}

/** A small quantity; FAILED where it is none or not small. */
function quantityAt(bytes: Buffer, rows: Int32Array, place: number): number {
  const begin = (rows[place] ?? 0) + OPENING
  const end = (rows[place + 1] ?? 0) - 1
  if (end <= begin || end - begin > SMALL_DIGITS_MAX) return FAILED
  let value = 0
  for (let at = begin; at < end; at += 1) value = value * 16 + (NIBBLES[bytes[at] ?? 0] ?? 0) - 1
  return value
}

function isTopics(rows: Int32Array, place: number): boolean {
  const begin = rows[place] ?? FAILED
  return begin !== FAILED && countTopics(begin, rows[place + 1] ?? 0) <= TOPICS_MAX
}

function isEven(rows: Int32Array, place: number): boolean {
  return isThere(rows, place) && lengthAt(rows, place) % 2 === 0
}

function isNotRemoved(bytes: Buffer, rows: Int32Array, place: number): boolean {
  return isNull(bytes, rows, place) || bytes[rows[place] ?? 0] === LETTER_F
}

function lengthAt(rows: Int32Array, place: number): number {
  return (rows[place + 1] ?? 0) - (rows[place] ?? 0)
}

function recordAt(
  bytes: Buffer,
  rows: Int32Array,
  wishes: Readonly<Record<string, Wish>>,
  row: number,
): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const key in wishes) {
    const place = wishes[key]?.place
    if (place !== undefined) record[key] = valueAt(bytes, rows, row + place)
  }
  return record
}

/** The value whose place a row names; undefined where there is none. */
function valueAt(bytes: Buffer, rows: Int32Array, place: number): unknown {
  const begin = rows[place] ?? FAILED
  const end = rows[place + 1] ?? FAILED
  if (begin === FAILED) return undefined
  // Nothing is escaped in these bytes: what stands between two quotes is the text.
  if (bytes[begin] === QUOTE) return bytes.toString('latin1', begin + 1, end - 1)
  return JSON.parse(bytes.toString('latin1', begin, end))
}
