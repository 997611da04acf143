import { PREFIX, hexOf, sha512Half } from './hash.ts'
import { demand, parseBytes, parseDrops, parseHash, parseUint32 } from './read.ts'
import type { Json } from './read.ts'

/** The header of a ledger, whose hash is the ledger's. */
export interface LedgerHeader {
  height: number
  hash: string
  parentHash: string
  /** Of the tree of its transactions. */
  transactionRoot: string
  /** Seconds since the year 2000, the ledger's own epoch. */
  closeTime: number
}

/** Bytes of a header: index, coins, three hashes, two times, resolution and flags. */
const HEADER_BYTES = 118
const PARENT_AT = 12
const TRANSACTIONS_AT = 44
const CLOSE_TIME_AT = 112

/**
 * Reads a ledger's header, as bytes (`ledger_data`) or by fields, and hashes it. An Outage unless
 * the hash is the one that the node names.
 */
export function parseHeader(ledger: Json, claimedHash: unknown): LedgerHeader {
  demand(ledger['closed'] !== false && ledger['closed'] !== 'false', 'a ledger that is not closed')
  const bytes =
    ledger['ledger_data'] === undefined
      ? headerBytes(ledger)
      : parseBytes(ledger['ledger_data'], 'ledger.ledger_data')
  demand(bytes.length === HEADER_BYTES, 'a header of another length')
  const hash = hexOf(sha512Half(PREFIX.ledger, bytes))
  demand(hash === parseHash(claimedHash, 'ledger_hash'), 'a header of another hash')
  return {
    height: bytes.readUInt32BE(0),
    hash,
    parentHash: hexOf(bytes.subarray(PARENT_AT, PARENT_AT + 32)),
    transactionRoot: hexOf(bytes.subarray(TRANSACTIONS_AT, TRANSACTIONS_AT + 32)),
    closeTime: bytes.readUInt32BE(CLOSE_TIME_AT),
  }
}

/** Old servers write `seqNum` and `totalCoins`, and omit zeros. */
function headerBytes(ledger: Json): Buffer {
  const field = (name: string, old = name) => ledger[name] ?? ledger[old]
  const coins = Buffer.alloc(8)
  coins.writeBigUInt64BE(parseDrops(field('total_coins', 'totalCoins'), 'ledger.total_coins'))
  return Buffer.concat([
    uint32(parseUint32(field('ledger_index', 'seqNum'), 'ledger.ledger_index')),
    coins,
    hashOf(ledger['parent_hash'], 'ledger.parent_hash'),
    hashOf(ledger['transaction_hash'], 'ledger.transaction_hash'),
    hashOf(ledger['account_hash'], 'ledger.account_hash'),
    uint32(parseUint32(ledger['parent_close_time'] ?? 0, 'ledger.parent_close_time')),
    uint32(parseUint32(ledger['close_time'], 'ledger.close_time')),
    Buffer.from([
      parseUint32(ledger['close_time_resolution'], 'ledger.close_time_resolution') & 255,
      parseUint32(ledger['close_flags'] ?? 0, 'ledger.close_flags') & 255,
    ]),
  ])
}

function hashOf(value: unknown, what: string): Buffer {
  return Buffer.from(parseHash(value, what), 'hex')
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
