import { compactSize, hash256, hidden, shown, Taker, uint32 } from './bytes.ts'
import {
  type BitcoinTransaction,
  NO_TXID,
  NO_VOUT,
  serialize,
  takeTransaction,
  txidOf,
  wtxidOf,
} from './transaction.ts'

/** A coin, and the height that made it. */
export interface Utxo {
  value: bigint
  script: Buffer
  height: number
  isCoinbase: boolean
}

/** A block of some branch. */
export interface BitcoinBlock {
  hash: string
  height: number
  previous: BitcoinBlock | null
  header: Buffer
  /** Seconds since 1970. */
  time: number
  transactions: readonly BitcoinTransaction[]
  txids: readonly string[]
  /** Outputs each transaction spent, in input order; set once the block is connected. */
  undo: Utxo[][]
  /** The order in which blocks were first seen. */
  rank: number
  isInvalid: boolean
}

/** Listener to a chain's blocks. */
export interface ChainWatch {
  came(block: BitcoinBlock): void
  left(block: BitcoinBlock): void
}

/** The easiest work there is: regtest's. */
const EASY_BITS = 0x207fffff
const BLOCK_VERSION = 0x20000000
const COMMITMENT_HEAD = Buffer.from('6a24aa21a9ed', 'hex')
const NO_HASH = Buffer.alloc(32)

/** The bytes of a block. */
export function serializeBlock({ header, transactions }: BitcoinBlock): Buffer {
  const bytes = transactions.map((one) => serialize(one))
  return Buffer.concat([header, compactSize(bytes.length), ...bytes])
}

/** Takes the bytes of a block apart; their work is not looked at. */
export function deserializeBlock(bytes: Uint8Array): Pick<
  BitcoinBlock,
  'hash' | 'header' | 'time' | 'transactions' | 'txids'
> & {
  previousHash: string
} {
  const taker = new Taker(bytes)
  const header = taker.bytes(80)
  const transactions = taker.list(() => takeTransaction(taker))
  return {
    hash: shown(hash256(header)),
    previousHash: shown(header.subarray(4, 36)),
    header,
    time: header.readUInt32LE(68),
    transactions,
    txids: transactions.map(txidOf),
  }
}

/** Puts a header before transactions and does its work, which is little. */
export function workOut(content: {
  previousHash: string
  time: number
  transactions: readonly BitcoinTransaction[]
}): { header: Buffer; hash: string; txids: string[] } {
  const txids = content.transactions.map(txidOf)
  const root = merkleRoot(txids.map(hidden))
  for (let nonce = 0; ; nonce += 1) {
    const header = headerOf({ ...content, root, bits: EASY_BITS, nonce, version: BLOCK_VERSION })
    const hash = hash256(header)
    if ((hash[31] ?? 0xff) < 0x80) return { header, hash: shown(hash), txids }
  }
}

/** The eighty bytes of a header. */
export function headerOf(fields: {
  version: number
  previousHash: string
  root: Buffer
  time: number
  bits: number
  nonce: number
}): Buffer {
  const { version, previousHash, root, time, bits, nonce } = fields
  return Buffer.concat([
    uint32(version),
    hidden(previousHash),
    root,
    uint32(time),
    uint32(bits),
    uint32(nonce),
  ])
}

/** The transaction that makes a block's coins and commits to its witnesses (BIP-34, BIP-141). */
export function coinbaseOf(options: {
  height: number
  script: Buffer
  value: bigint
  /** Separates two blocks of one height. */
  salt: Buffer
  others: readonly BitcoinTransaction[]
}): BitcoinTransaction {
  const { height, script, value, salt, others } = options
  const root = merkleRoot([NO_HASH, ...others.map((one) => hidden(wtxidOf(one)))])
  const commitment = hash256(Buffer.concat([root, NO_HASH]))
  const pushed = Buffer.concat([pushOfHeight(height), Buffer.of(salt.length), salt])
  return {
    version: 2,
    inputs: [
      {
        txid: NO_TXID,
        vout: NO_VOUT,
        script: pushed,
        sequence: 0xffffffff,
        witness: [Buffer.from(NO_HASH)],
      },
    ],
    outputs: [
      { value, script },
      { value: 0n, script: Buffer.concat([COMMITMENT_HEAD, commitment]) },
    ],
    lockTime: 0,
  }
}

/** The root of the tree over hashes; the last of an odd row is taken twice. */
export function merkleRoot(hashes: readonly Buffer[]): Buffer {
  let row = [...hashes]
  while (row.length > 1) {
    const last = row.at(-1)
    if (row.length % 2 === 1 && last) row.push(last)
    row = Array.from({ length: row.length / 2 }, (_, at) =>
      hash256(Buffer.concat(row.slice(at * 2, at * 2 + 2))),
    )
  }
  return row[0] ?? NO_HASH
}

function pushOfHeight(height: number): Buffer {
  if (height <= 16) return Buffer.of(height === 0 ? 0 : 0x50 + height)
  const digits = height.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex').reverse()
  const isNegative = (bytes.at(-1) ?? 0) >= 0x80
  const number = isNegative ? Buffer.concat([bytes, Buffer.of(0)]) : bytes
  return Buffer.concat([Buffer.of(number.length), number])
}
