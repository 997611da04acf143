import { HASH_BYTES, KEY_HASH_BYTES, doubleHashTo, keyHashTo, merkleRootOf } from './hashes.ts'
import { checkCommitment, parseHeader } from './raw-block.ts'
import type { RawBlock } from './raw-block.ts'
import { MONEY_MAX, NO_VOUT, SCHNORR_BYTES, isSegwit, parseTransaction } from './raw-transaction.ts'
import type { RawTransaction } from './raw-transaction.ts'
import { ByteReader, demand } from './read-bytes.ts'

/** The transactions to read, as far as their bytes can show. */
interface Wanted {
  /** Whether a witness program, or the hash of a key, may be ours. The bytes are a view. */
  mayWatch: (program: Uint8Array) => boolean
  /** Whether transactions with an input without a key are read too (BIP-341). */
  hidesKeys: boolean
}

/** The data of a skipped transaction. */
interface Seen {
  isCoinbase: boolean
  hasWitness: boolean
  isWanted: boolean
  /** Positions of the begin of its inputs and the end of its outputs. */
  from: number
  to: number
}

/** The hashes of all transactions of a block, without and with witnesses. */
interface Hashes {
  ids: Buffer
  witnessIds: Buffer
  /** Room for a transaction. */
  stripped: Buffer
}

const NO_TXID = Buffer.alloc(HASH_BYTES)
/** The least bytes of an input and of an output. */
const TRANSACTION_BYTES_MIN = 60
const COMPRESSED_KEY_BYTES = 33
const OP_0 = 0x00
const OP_1 = 0x51
const OP_16 = 0x60
const PROGRAM_BYTES_MAX = 40

/**
 * Reads a block and proves it like `parseBlock`, in a fraction of the time: all transactions are
 * hashed, but only those are parsed that pay a witness program which may be ours, or show a key
 * whose hash may be. Usable if no other type of address is watched. The result has these
 * transactions and the coinbase.
 */
export function scanBlock(bytes: Buffer, wanted: Wanted): RawBlock {
  const reader = new ByteReader(bytes)
  const { root, count, ...header } = parseHeader(reader)
  demand(count * TRANSACTION_BYTES_MIN <= reader.left, 'a count of more than there is')
  const hashes = roomFor(count, bytes.length)
  const transactions: RawTransaction[] = []
  let hasAny = false
  for (let rank = 0; rank < count; rank += 1) {
    const start = reader.position
    const seen = passOver(reader, wanted)
    demand(seen.isCoinbase === (rank === 0), 'a coinbase that is not the first transaction')
    hasAny ||= seen.hasWitness
    const whole = bytes.subarray(start, reader.position)
    hash(hashes, rank, whole, { ...seen, from: seen.from - start, to: seen.to - start })
    if (seen.isWanted || rank === 0) transactions.push(parseTransaction(whole))
  }
  demand(reader.left === 0, 'bytes after a block')
  const found = merkleRootOf(hashes.ids, count)
  demand(found !== null && found.equals(root), "a block's Merkle root")
  checkCommitment(transactions[0], { hasAny, root: () => merkleRootOf(hashes.witnessIds, count) })
  return { ...header, transactions }
}

/** In the tree of witnesses the coinbase counts as zero (BIP-141). */
function roomFor(count: number, bytes: number): Hashes {
  const room = (count + 1) * HASH_BYTES
  return { ids: Buffer.alloc(room), witnessIds: Buffer.alloc(room), stripped: Buffer.alloc(bytes) }
}

function hash(
  { ids, witnessIds, stripped }: Hashes,
  rank: number,
  whole: Buffer,
  { hasWitness, from, to }: Seen,
): void {
  const at = rank * HASH_BYTES
  if (!hasWitness) {
    doubleHashTo(ids, at, whole)
    if (rank > 0) ids.copy(witnessIds, at, at, at + HASH_BYTES)
    return
  }
  // Version, inputs and outputs, lock time.
  stripped.set(whole.subarray(0, to))
  stripped.copyWithin(4, from, to)
  stripped.set(whole.subarray(-4), 4 + to - from)
  doubleHashTo(ids, at, stripped.subarray(0, 8 + to - from))
  if (rank > 0) doubleHashTo(witnessIds, at, whole)
}

function passOver(reader: ByteReader, wanted: Wanted): Seen {
  reader.skip(4)
  const hasWitness = isSegwit(reader)
  if (hasWitness) reader.skip(2)
  const from = reader.position
  const inputs = reader.count()
  demand(inputs > 0, 'a transaction without inputs')
  const isCoinbase = passInputs(reader, inputs)
  const isPaid = passOutputs(reader, wanted)
  const to = reader.position
  const isSent = hasWitness && passWitnesses(reader, inputs, wanted)
  reader.skip(4)
  return { isCoinbase, hasWitness, isWanted: isPaid || isSent, from, to }
}

/** Whether it is the single input of a coinbase. */
function passInputs(reader: ByteReader, count: number): boolean {
  let isCoinbase = false
  for (let at = 0; at < count; at += 1) {
    const start = reader.position
    reader.skip(HASH_BYTES)
    const namesNone = reader.uint32() === NO_VOUT
    if (namesNone && count === 1) {
      isCoinbase = reader.since(start).subarray(0, HASH_BYTES).equals(NO_TXID)
    }
    reader.skip(reader.count())
    reader.skip(4)
  }
  return isCoinbase
}

/** Whether an output pays a program that may be ours. */
function passOutputs(reader: ByteReader, { mayWatch }: Wanted): boolean {
  const count = reader.count()
  demand(count > 0, 'a transaction without outputs')
  let isPaid = false
  let total = 0
  for (let at = 0; at < count; at += 1) {
    // Exact up to 2^53, which is more than all coins.
    total += reader.uint32() + reader.uint32() * 2 ** 32
    const length = reader.count()
    if (!isProgram(reader, length)) {
      reader.skip(length)
      continue
    }
    reader.skip(2)
    if (mayWatch(reader.take(length - 2))) isPaid = true
  }
  demand(total <= Number(MONEY_MAX), 'more coins than there are')
  return isPaid
}

/** BIP-141: a version, and one push of all other bytes. */
function isProgram(reader: ByteReader, length: number): boolean {
  const version = reader.peek()
  const isVersion = version === OP_0 || (version >= OP_1 && version <= OP_16)
  return isVersion && length <= PROGRAM_BYTES_MAX + 2 && reader.peek(1) === length - 2
}

/** Whether an input may be of one of our keys. */
function passWitnesses(reader: ByteReader, inputs: number, wanted: Wanted): boolean {
  let [isSent, hasAny] = [false, false]
  let last: Buffer = NO_KEY
  for (let at = 0; at < inputs; at += 1) {
    const items = reader.count()
    hasAny ||= items > 0
    for (let item = 0; item < items; item += 1) {
      const length = reader.count()
      if (wanted.hidesKeys && mayHideKey(length, { item, items })) isSent = true
      if (!mayBeKey(length, { item, items })) {
        reader.skip(length)
        continue
      }
      const key = reader.take(length)
      // Outputs of one address are often spent together.
      if (!key.equals(last) && mayWatchKey(key, wanted)) isSent = true
      last = key
    }
  }
  demand(hasAny, 'a transaction of witnesses without any')
  return isSent
}

interface Place {
  item: number
  items: number
}

/** A signature alone, or followed by an annex (BIP-341). */
function mayHideKey(length: number, { item, items }: Place): boolean {
  return item === 0 && items <= 2 && SCHNORR_BYTES.includes(length)
}

/** The second of two (BIP-143). */
function mayBeKey(length: number, { item, items }: Place): boolean {
  return item === 1 && items === 2 && length === COMPRESSED_KEY_BYTES
}

const NO_KEY = Buffer.alloc(0)
const keyHashed = Buffer.alloc(KEY_HASH_BYTES)

function mayWatchKey(key: Buffer, { mayWatch }: Wanted): boolean {
  keyHashTo(keyHashed, key)
  return mayWatch(keyHashed)
}
