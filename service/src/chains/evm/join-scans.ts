import type { BlockScope } from '../port.ts'
import { ZERO_ADDRESS } from './address.ts'
import { AskedAddresses } from './asked-addresses.ts'
import { COIN_LOG_ADDRESS } from './evidence.ts'
import type { Reading, TransactionLogs } from './evidence.ts'
import { isSystemTransaction, parseLogs, parseTransaction } from './rpc.ts'
import type { ScannedBlock, ScannedLogs } from './scan-answer.ts'

/** The logs and transactions that matter. */
interface Concern {
  /** The topic of a token transfer, as 0x and digits. */
  topic: string
  /** Contracts whose logs count, by address. */
  contracts: ReadonlyMap<string, unknown>
  scope: BlockScope
}

const [HASH_DIGITS, ADDRESS_DIGITS] = [64, 40]
/** Zeros before the address in a topic. */
const PADDING = '0'.repeat(HASH_DIGITS - ADDRESS_DIGITS)
/** Topics of a transfer: its signature, sender and recipient. */
const TRANSFER_TOPICS = 3
/** Size of a table of marks of contracts by the first digits of their address. */
const MARKS = 4_096

/**
 * Joins a block with its logs as `readTogether` does, without the transactions that do not matter:
 * neither sender nor recipient may be watched, and no log is a transfer of such an address. All
 * logs of the chain's own transactions are kept. Null if logs and transactions are in different
 * orders; a parser must read them then.
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
  const succeeded = new Uint8Array(count)
  const isCoinLog = logs.matcher(digitsOf(COIN_LOG_ADDRESS))
  const address = logs.column('address')
  const found = new Map<number, TransactionLogs['ranked'][number][]>()
  let rank = 0
  for (let at = 0; at < owners.length; at += 1) {
    const owner = owners[at] ?? 0
    rank = at > 0 && owners[at - 1] === owner ? rank + 1 : 0
    if (!isCoinLog(address.digits(at))) succeeded[owner] = 1
    if (matters[at] === 0 && isOwn[owner] === 0) continue
    const parsed = parseLogs([logs.record(at)], block.header.hash)
    const own = found.get(owner) ?? []
    found.set(owner, own)
    for (const log of parsed) own.push({ rank, log })
  }
  const transactions = []
  const byHash = new Map<string, TransactionLogs>()
  for (let at = 0; at < count; at += 1) {
    const ranked = found.get(at)
    if (ranked === undefined && pays[at] === 0) continue
    const transaction = parseTransaction(block.transactions.record(at), at, block.header)
    transactions.push(transaction)
    byHash.set(transaction.hash, { showsSuccess: succeeded[at] === 1, ranked: ranked ?? [] })
  }
  return { block: { ...block.header, transactions }, logs: byHash }
}

/** The rank of each log's transaction; null if their orders differ. */
function ownersOf({ transactions }: ScannedBlock, logs: ScannedLogs): Int32Array | null {
  const owners = new Int32Array(logs.count)
  const [owned, hashes] = [logs.column('transactionHash'), transactions.column('hash')]
  let owner = 0
  for (let at = 0; at < owners.length; at += 1) {
    const hash = owned.digits(at)
    while (!isSameHash(transactions.view, hashes.digits(owner), logs.view, hash)) {
      owner += 1
      if (owner >= transactions.count) return null
    }
    owners[at] = owner
  }
  return owners
}

/** Compares eight digits at once; different ASCII texts are different doubles. */
function isSameHash(view: DataView, at: number, other: DataView, otherAt: number): boolean {
  for (let digit = 0; digit < HASH_DIGITS; digit += 8) {
    if (view.getFloat64(at + digit, true) !== other.getFloat64(otherAt + digit, true)) return false
  }
  return true
}

/**
 * Marks the transactions that matter (a sender or recipient that may be watched, or a new contract)
 * and the logs that matter (a transfer of a counted token from or to such an address). All
 * addresses are looked up together, at a fraction of the cost of single lookups.
 */
function concernedIn(
  block: ScannedBlock,
  logs: ScannedLogs,
  concern: Concern,
): { pays: Uint8Array; matters: Uint8Array } {
  const transfers = transfersIn(logs, concern)
  const asked = new AskedAddresses(2 * (block.transactions.count + transfers.length))
  const pays = askPayers(block, asked)
  const topics = logs.topics('topics')
  for (const at of transfers) {
    asked.add(logs.view, topics.digits(at, 1) + PADDING.length)
    asked.add(logs.view, topics.digits(at, 2) + PADDING.length)
  }
  const answers = asked.answers(concern.scope)
  for (let at = 0; at < pays.length; at += 1) {
    if (answers[2 * at] === 1 || answers[2 * at + 1] === 1) pays[at] = 1
  }
  const matters = new Uint8Array(logs.count)
  const addresses = logs.column('address')
  transfers.forEach((log, at) => {
    const first = 2 * (pays.length + at)
    if (answers[first] === 0 && answers[first + 1] === 0) return
    if (concern.contracts.has(textAt(logs.bytes, addresses.digits(log)))) matters[log] = 1
  })
  return { pays, matters }
}

/** Adds both sides of each transaction. Returns 1 for each transaction that creates a contract. */
function askPayers({ transactions }: ScannedBlock, asked: AskedAddresses): Uint8Array {
  const { view, count } = transactions
  const [from, to] = [transactions.column('from'), transactions.column('to')]
  const creates = new Uint8Array(count)
  for (let at = 0; at < count; at += 1) {
    const isCreation = to.isNull(at)
    if (isCreation) creates[at] = 1
    asked.add(view, from.digits(at))
    asked.add(view, isCreation ? from.digits(at) : to.digits(at))
  }
  return creates
}

/** Logs with the form of a transfer whose contract may be one that counts. */
function transfersIn(logs: ScannedLogs, { contracts, topic }: Concern): number[] {
  const marks = marksOf(contracts)
  const [addresses, topics] = [logs.column('address'), logs.topics('topics')]
  const [isTransfer, isPadding] = [logs.matcher(digitsOf(topic)), logs.matcher(PADDING)]
  const found = []
  for (let at = 0; at < logs.count; at += 1) {
    const isFound =
      topics.count(at) === TRANSFER_TOPICS &&
      marks[markAt(logs.view, addresses.digits(at))] === 1 &&
      isTransfer(topics.digits(at, 0)) &&
      isPadding(topics.digits(at, 1)) &&
      isPadding(topics.digits(at, 2))
    if (isFound) found.push(at)
  }
  return found
}

/** Marks the chain's own transactions. */
function ownIn({ transactions, header }: ScannedBlock): Uint8Array {
  const own = new Uint8Array(transactions.count)
  const isZero = transactions.matcher(digitsOf(ZERO_ADDRESS))
  const from = transactions.column('from')
  for (let at = 0; at < own.length; at += 1) {
    if (!isZero(from.digits(at))) continue
    if (isSystemTransaction(parseTransaction(transactions.record(at), at, header))) own[at] = 1
  }
  return own
}

function digitsOf(hex: string): string {
  return hex.slice('0x'.length)
}

function textAt(bytes: Buffer, at: number): string {
  return `0x${bytes.toString('latin1', at, at + ADDRESS_DIGITS)}`
}

const KNOWN_MARKS = new WeakMap<ReadonlyMap<string, unknown>, Uint8Array>()

function marksOf(contracts: ReadonlyMap<string, unknown>): Uint8Array {
  const known = KNOWN_MARKS.get(contracts)
  if (known !== undefined) return known
  const marks = new Uint8Array(MARKS)
  for (const contract of contracts.keys()) {
    const { buffer } = Uint8Array.from(Buffer.from(contract))
    marks[markAt(new DataView(buffer), '0x'.length)] = 1
  }
  KNOWN_MARKS.set(contracts, marks)
  return marks
}

/** A number below MARKS from the eight digits at a position. */
function markAt(view: DataView, at: number): number {
  const digits = view.getInt32(at) ^ Math.imul(view.getInt32(at + 4), 0x9e3779b1)
  return Math.imul(digits, 0x85ebca6b) >>> 20
}
