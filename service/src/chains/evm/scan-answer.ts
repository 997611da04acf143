import { createScanner } from '@sluice/json-scan'
import type { Scan } from '@sluice/json-scan'
import { ZERO_HASH, parseHeader } from './rpc.ts'
import type { RpcHeader } from './rpc.ts'

/** A block and its transactions, as positions in the bytes of the node's answer. */
export interface ScannedBlock {
  header: RpcHeader
  transactions: Scan<keyof typeof TRANSACTION>
}

/** The logs of a block, as positions in the bytes of the node's answer. */
export type ScannedLogs = Scan<keyof typeof LOG>

const HEADER_FIELDS = [
  'number',
  'hash',
  'parentHash',
  'timestamp',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
]
const TRANSACTION = {
  blockHash: 'own-hash',
  transactionIndex: 'rank',
  hash: 'hash',
  from: 'address',
  to: 'address-or-null',
  value: 'quantity',
  gas: 'quantity',
  nonce: 'quantity',
  gasPrice: 'quantity-or-null',
  input: 'input',
} as const
const LOG = {
  blockHash: 'own-hash',
  logIndex: 'rank',
  transactionHash: 'unchecked-hash',
  address: 'address',
  topics: 'topics',
  data: 'data',
  removed: 'false-or-null',
} as const

const BLOCKS = createScanner({
  parent: { fields: HEADER_FIELDS, list: 'transactions' },
  row: TRANSACTION,
})
const LOGS = createScanner({ row: LOG })

/**
 * Reads the answer to a request for a block with its transactions: the block that `parseBlock`
 * reads, without checking inputs. Null if a parser must read it. Throws the Outage of `parseBlock`
 * if a field of the header is malformed.
 */
export function scanBlock(bytes: Buffer, id: number): ScannedBlock | null {
  const transactions = BLOCKS.scan(bytes, { id })
  return transactions && { header: parseHeader(transactions.parent), transactions }
}

/**
 * Reads the answer to a request for all logs of a block, whose indices must have no gap. Null if a
 * parser must read it. Digits of transaction hashes are not checked: the caller compares them with
 * the block's.
 */
export function scanLogs(bytes: Buffer, id: number, blockHash: string): ScannedLogs | null {
  return LOGS.scan(bytes, { id, ownHashes: [blockHash, ZERO_HASH] })
}
