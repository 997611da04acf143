import { doubleHash, hashText, merkleRoot } from './hashes.ts'
import { readTransaction } from './raw-transaction.ts'
import type { RawTransaction } from './raw-transaction.ts'
import { ByteReader, demand } from './read-bytes.ts'

/** A block as parsed from its bytes. */
export interface RawBlock {
  hash: string
  previousHash: string
  /** Seconds since 1970. */
  time: number
  transactions: readonly RawTransaction[]
}

const HEADER_BYTES = 80
/** BIP-141: OP_RETURN, a push of 36 bytes, and the marker of the witness commitment. */
const COMMITMENT_HEAD = Buffer.from('6a24aa21a9ed', 'hex')
const COMMITMENT_BYTES_MIN = 38
const NO_HASH = Buffer.alloc(32)

/**
 * Reads and proves a block: the header's hash meets its own target, its Merkle root is that of the
 * transactions, and the witnesses match the commitment of the coinbase. Anything missing, added or
 * changed is an Outage.
 */
export function parseBlock(bytes: Buffer): RawBlock {
  const reader = new ByteReader(bytes)
  const header = parseHeader(reader)
  const transactions = Array.from({ length: header.count }, () => readTransaction(reader))
  demand(reader.left === 0, 'bytes after a block')
  const root = merkleRoot(transactions.map((one) => one.hash))
  demand(root !== null && root.equals(header.root), "a block's Merkle root")
  checkRanks(transactions)
  checkWitnesses(transactions)
  const { hash, previousHash, time } = header
  return { hash, previousHash, time, transactions }
}

/** The part of a block before the transactions. */
interface RawHeader extends Omit<RawBlock, 'transactions'> {
  /** Of the Merkle tree of its transactions. */
  root: Buffer
  /** The number of transactions, at least one. */
  count: number
}

/** Reads the header of a block with its proof of work, and the number of transactions. */
export function parseHeader(reader: ByteReader): RawHeader {
  const header = reader.take(HEADER_BYTES)
  const hash = doubleHash(header)
  demand(hasWork(hash, header.readUInt32LE(72)), 'a block without its work')
  const count = reader.count()
  demand(count > 0, 'a block without transactions')
  return {
    hash: hashText(hash),
    previousHash: hashText(header.subarray(4, 36)),
    time: header.readUInt32LE(68),
    root: header.subarray(36, 68),
    count,
  }
}

/** The hash as a number must not exceed the target, written as a mantissa and an exponent. */
function hasWork(hash: Buffer, bits: number): boolean {
  const mantissa = BigInt(bits & 0x7fffff)
  const exponent = BigInt(bits >>> 24)
  const target =
    exponent > 3n ? mantissa << (8n * (exponent - 3n)) : mantissa >> (8n * (3n - exponent))
  return BigInt(`0x${hashText(hash)}`) <= target
}

/** Only the first transaction creates coins. */
function checkRanks(transactions: readonly RawTransaction[]): void {
  transactions.forEach(({ isCoinbase }, rank) => {
    demand(isCoinbase === (rank === 0), 'a coinbase that is not the first transaction')
  })
}

function checkWitnesses(transactions: readonly RawTransaction[]): void {
  const [coinbase, ...others] = transactions
  checkCommitment(coinbase, {
    hasAny: transactions.some(({ hasWitness }) => hasWitness),
    root: () =>
      merkleRoot([
        NO_HASH,
        ...others.map(({ hash, hasWitness, bytes }) => (hasWitness ? doubleHash(bytes) : hash)),
      ]),
  })
}

/**
 * BIP-141: the last output of the coinbase with the marker commits to the root over all
 * transactions with witnesses; without one there are no witnesses.
 */
export function checkCommitment(
  coinbase: RawTransaction | undefined,
  witnesses: { hasAny: boolean; root: () => Buffer | null },
): void {
  const commitment = coinbase?.outputs.findLast(
    ({ script }) =>
      script.length >= COMMITMENT_BYTES_MIN &&
      script.subarray(0, COMMITMENT_HEAD.length).equals(COMMITMENT_HEAD),
  )
  if (coinbase === undefined || commitment === undefined || !coinbase.hasWitness) {
    demand(!witnesses.hasAny, 'witnesses that nothing commits to')
    return
  }
  const [reserved = NO_HASH] = coinbase.inputs[0]?.witness ?? []
  const root = witnesses.root()
  const expected = root === null ? null : doubleHash(root, reserved)
  demand(expected !== null && expected.equals(commitment.script.subarray(6, 38)), 'witnesses')
}
