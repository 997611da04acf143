import { doubleHash, hashText } from './hashes.ts'
import { ByteReader, demand } from './read-bytes.ts'

/**
 * A transaction as parsed from its bytes (BIP-144). Scripts and witnesses are views of those bytes.
 */
export interface RawTransaction {
  txid: string
  /** The bytes of the txid. */
  hash: Buffer
  version: number
  inputs: readonly RawInput[]
  outputs: readonly RawOutput[]
  lockTime: number
  isCoinbase: boolean
  hasWitness: boolean
  /** All bytes, including witnesses. */
  bytes: Buffer
  /** BIP-141: three times the size without witnesses plus the size with them. */
  weight: number
}

export interface RawInput {
  /** The spent output; empty for a coinbase. */
  txid: string
  vout: number
  script: Buffer
  sequence: number
  witness: readonly Buffer[]
}

export interface RawOutput {
  /** Satoshi. */
  value: bigint
  script: Buffer
}

/** Of all coins that will ever exist. */
export const MONEY_MAX = 21_000_000n * 100_000_000n

const NO_TXID = '0'.repeat(64)
/** The output that a coinbase names. */
export const NO_VOUT = 0xffffffff
/** Lengths of a BIP-340 signature: without and with the byte that says what was signed. */
export const SCHNORR_BYTES: readonly number[] = [64, 65]
const SEGWIT_MARKER = 0x00
const SEGWIT_FLAG = 0x01

/** Reads exactly one transaction; otherwise an Outage. */
export function parseTransaction(bytes: Buffer): RawTransaction {
  const reader = new ByteReader(bytes)
  const transaction = readTransaction(reader)
  demand(reader.left === 0, 'bytes after a transaction')
  return transaction
}

/** Reads the next transaction. */
export function readTransaction(reader: ByteReader): RawTransaction {
  const start = reader.position
  const version = reader.int32()
  const hasWitness = isSegwit(reader)
  if (hasWitness) reader.take(2)
  const middle = reader.position
  const bare = readInputs(reader)
  const outputs = readOutputs(reader)
  const stripped = reader.since(middle)
  const inputs = hasWitness ? readWitnesses(reader, bare) : bare
  const lockTime = reader.uint32()
  const bytes = reader.since(start)
  const hash = doubleHash(bytes.subarray(0, 4), stripped, bytes.subarray(-4))
  const [first] = inputs
  const isCoinbase = inputs.length === 1 && first?.txid === NO_TXID && first.vout === NO_VOUT
  const weight = (stripped.length + 8) * 3 + bytes.length
  const txid = hashText(hash)
  return { txid, hash, version, inputs, outputs, lockTime, isCoinbase, hasWitness, bytes, weight }
}

/** Whether the bytes behind the version announce witnesses (BIP-144). */
export function isSegwit(reader: ByteReader): boolean {
  return reader.peek() === SEGWIT_MARKER && reader.peek(1) === SEGWIT_FLAG
}

function readInputs(reader: ByteReader): RawInput[] {
  const count = reader.count()
  demand(count > 0, 'a transaction without inputs')
  return Array.from({ length: count }, () => ({
    txid: hashText(reader.take(32)),
    vout: reader.uint32(),
    script: reader.run(),
    sequence: reader.uint32(),
    witness: [],
  }))
}

function readOutputs(reader: ByteReader): RawOutput[] {
  const count = reader.count()
  demand(count > 0, 'a transaction without outputs')
  const outputs = Array.from({ length: count }, () => ({
    value: reader.uint64(),
    script: reader.run(),
  }))
  const total = outputs.reduce((sum, { value }) => sum + value, 0n)
  demand(total <= MONEY_MAX, 'more coins than there are')
  return outputs
}

/** One list for each input, of which at least one is not empty (BIP-144). */
function readWitnesses(reader: ByteReader, inputs: readonly RawInput[]): RawInput[] {
  const read = inputs.map((input) => ({
    ...input,
    witness: Array.from({ length: reader.count() }, () => reader.run()),
  }))
  demand(
    read.some(({ witness }) => witness.length > 0),
    'a transaction of witnesses without any',
  )
  return read
}
