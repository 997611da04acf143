import { Outage } from '../../base/fault.ts'
import type { Address } from '../port.ts'
import { brandEvmAddress, ZERO_ADDRESS } from './address.ts'

/**
 * The JSON of an Ethereum node. Hashes and data are 0x and lower-case digits, quantities are exact.
 * A form that is not documented is an Outage of the node, never a crash or a guess.
 */
export interface RpcHeader {
  height: number
  hash: string
  parentHash: string
  /** Seconds since 1970. */
  timestamp: number
  transactionsRoot: string
  receiptsRoot: string
  /** Null unless the node returns 256 bytes. */
  logsBloom: string | null
}

export interface RpcBlock extends RpcHeader {
  transactions: readonly RpcTransaction[]
}

export interface RpcTransaction {
  hash: string
  from: Address
  /** Null if the transaction creates a contract. */
  to: Address | null
  value: bigint
  gas: bigint
  /** Null if the node omits it; the price paid if the transaction is included. */
  gasPrice: bigint | null
  nonce: bigint
  /** Whether the transaction carries no data. */
  isBare: boolean
}

export interface RpcReceipt {
  transactionHash: string
  blockHash: string
  /** EIP-2718 transaction type; 0 for older transactions. */
  type: number
  /** Null if the receipt has no status: before Byzantium it has a state root instead. */
  succeeded: boolean | null
  postState: string | null
  cumulativeGasUsed: bigint
  gasUsed: bigint
  /** Null from old nodes, which return it with the transaction only. */
  effectiveGasPrice: bigint | null
  /** The fee of a rollup for writing the transaction to its parent chain. */
  l1Fee: bigint
  logsBloom: string | null
  logs: readonly RpcLog[]
}

export interface RpcLog {
  address: Address
  topics: readonly string[]
  data: string
  transactionHash: string
  /** Counted over the whole block. */
  logIndex: number
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/
const HASH = /^0x[0-9a-fA-F]{64}$/
const BLOOM = /^0x[0-9a-fA-F]{512}$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const BYTES = /^0x[0-9a-fA-F]*$/
export const ZERO_HASH = `0x${'0'.repeat(64)}`
const TYPE_MAX = 0x7f
/** The end of the year 9999, in seconds: later times have no common text form. */
const TIMESTAMP_MAX = 253_402_300_799

/** A block's header, as `eth_getBlockByNumber` and `eth_getBlockByHash` answer it. */
export function parseHeader(value: unknown): RpcHeader {
  const block = parseRecord(value, 'block')
  const timestamp = parseCount(block.timestamp, 'block.timestamp')
  demand(timestamp <= TIMESTAMP_MAX, 'block.timestamp')
  return {
    height: parseCount(block.number, 'block.number'),
    hash: parseHash(block.hash, 'block.hash'),
    parentHash: parseHash(block.parentHash, 'block.parentHash'),
    timestamp,
    transactionsRoot: parseHash(block.transactionsRoot, 'block.transactionsRoot'),
    receiptsRoot: parseHash(block.receiptsRoot, 'block.receiptsRoot'),
    logsBloom: bloomOrNull(block.logsBloom),
  }
}

/** A block with its whole transactions. */
export function parseBlock(value: unknown): RpcBlock {
  const header = parseHeader(value)
  const { transactions } = parseRecord(value, 'block')
  return {
    ...header,
    transactions: parseList(transactions, 'block.transactions').map((transaction, index) =>
      parseTransaction(transaction, index, header),
    ),
  }
}

/** The transaction at an index of a block. */
export function parseTransaction(value: unknown, index: number, header: RpcHeader): RpcTransaction {
  const transaction = parseRecord(value, 'transaction')
  demand(parseHash(transaction.blockHash, 'transaction.blockHash') === header.hash, 'blockHash')
  demand(parseCount(transaction.transactionIndex, 'transactionIndex') === index, 'index')
  return {
    hash: parseHash(transaction.hash, 'transaction.hash'),
    from: parseHexAddress(transaction.from, 'transaction.from'),
    to: isMissing(transaction.to) ? null : parseHexAddress(transaction.to, 'transaction.to'),
    value: parseQuantity(transaction.value, 'transaction.value'),
    gas: parseQuantity(transaction.gas, 'transaction.gas'),
    gasPrice: quantityOrNull(transaction.gasPrice, 'transaction.gasPrice'),
    nonce: parseQuantity(transaction.nonce, 'transaction.nonce'),
    isBare: isEmptyInput(transaction.input ?? transaction.data),
  }
}

/** Polygon's state-sync transaction, made by the chain itself: it has no sender and buys no gas. */
export function isSystemTransaction({ from, to, gas }: RpcTransaction): boolean {
  return from === ZERO_ADDRESS && to === ZERO_ADDRESS && gas === 0n
}

/** All receipts of a block, in order. */
export function parseReceipts(value: unknown): RpcReceipt[] {
  return parseList(value, 'receipts').map(parseReceipt)
}

/** One receipt with its logs, which must be of the same block and transaction. */
export function parseReceipt(value: unknown): RpcReceipt {
  const receipt = parseRecord(value, 'receipt')
  const transactionHash = parseHash(receipt.transactionHash, 'receipt.transactionHash')
  const blockHash = parseHash(receipt.blockHash, 'receipt.blockHash')
  const type = isMissing(receipt.type) ? 0 : parseCount(receipt.type, 'receipt.type')
  demand(type <= TYPE_MAX, 'receipt.type')
  const postState = postStateOrNull(receipt.root)
  const logs = parseLogs(receipt.logs, blockHash)
  demand(
    logs.every((log) => log.transactionHash === transactionHash),
    'a log of another transaction',
  )
  return {
    transactionHash,
    blockHash,
    type,
    succeeded: postState === null ? parseStatus(receipt.status) : null,
    postState,
    cumulativeGasUsed: parseQuantity(receipt.cumulativeGasUsed, 'receipt.cumulativeGasUsed'),
    gasUsed: parseQuantity(receipt.gasUsed, 'receipt.gasUsed'),
    effectiveGasPrice: quantityOrNull(receipt.effectiveGasPrice, 'receipt.effectiveGasPrice'),
    l1Fee: quantityOrNull(receipt.l1Fee, 'receipt.l1Fee') ?? 0n,
    logsBloom: bloomOrNull(receipt.logsBloom),
    logs,
  }
}

/**
 * Logs of one block. Some nodes write a hash of zeros into logs of system transactions (BSC): the
 * receipt or the query names the block then. Any other hash is a log of another block.
 */
export function parseLogs(value: unknown, blockHash: string): RpcLog[] {
  return parseList(value, 'logs').map((entry) => {
    const log = parseRecord(entry, 'log')
    const stated = parseHash(log.blockHash, 'log.blockHash')
    demand(stated === blockHash || stated === ZERO_HASH, 'a log of another block')
    demand(isMissing(log.removed) || log.removed === false, 'a log that was removed')
    const topics = parseList(log.topics, 'log.topics').map((topic) => parseHash(topic, 'topic'))
    demand(topics.length <= 4, 'more than four topics')
    return {
      address: parseHexAddress(log.address, 'log.address'),
      topics,
      data: parseBytes(log.data, 'log.data'),
      transactionHash: parseHash(log.transactionHash, 'log.transactionHash'),
      logIndex: parseCount(log.logIndex, 'log.logIndex'),
    }
  })
}

/** An object, not null and not a list. */
export function parseRecord(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw malformed(what)
  return value
}

/** A list of any values. */
export function parseList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(what)
  return value
}

/** A quantity: 0x and 1 to 64 digits, exact up to 2^256-1. */
export function parseQuantity(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw malformed(what)
  return BigInt(value)
}

/** A quantity; null if it is missing. */
export function quantityOrNull(value: unknown, what: string): bigint | null {
  return isMissing(value) ? null : parseQuantity(value, what)
}

/** A quantity that is a count, so it fits a number exactly. */
export function parseCount(value: unknown, what: string): number {
  const count = Number(parseQuantity(value, what))
  if (!Number.isSafeInteger(count)) throw malformed(what)
  return count
}

/** 32 bytes. */
export function parseHash(value: unknown, what: string): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw malformed(what)
  return value.toLowerCase()
}

/** 20 bytes. */
export function parseHexAddress(value: unknown, what: string): Address {
  if (typeof value !== 'string' || !ADDRESS.test(value)) throw malformed(what)
  return brandEvmAddress(value.toLowerCase())
}

/** Whole bytes, any number of them. */
export function parseBytes(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !BYTES.test(value)) {
    throw malformed(what)
  }
  return value.toLowerCase()
}

/** Nodes omit missing fields or return null. */
export function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** An answer that differs from the documentation or contradicts another answer. */
export class MalformedAnswer extends Outage {}

/** The Outage for a malformed answer; `what` names the part. */
export function malformed(what: string): MalformedAnswer {
  return new MalformedAnswer('node answer', `malformed or inconsistent: ${what}`)
}

/** Throws an Outage unless the condition holds. */
export function demand(condition: boolean, what: string): void {
  if (!condition) throw malformed(what)
}

/** Inputs may be long, and only their presence matters: the digits are not read. */
function isEmptyInput(value: unknown): boolean {
  const isBytes = typeof value === 'string' && value.startsWith('0x') && value.length % 2 === 0
  demand(isBytes, 'transaction.input')
  return value === '0x'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseStatus(value: unknown): boolean {
  const status = parseQuantity(value, 'receipt.status')
  demand(status <= 1n, 'receipt.status')
  return status === 1n
}

/** Receipts from before Byzantium have a root; a client that adds a status made it up. */
function postStateOrNull(root: unknown): string | null {
  return isMissing(root) || root === '0x' ? null : parseHash(root, 'receipt.root')
}

function bloomOrNull(value: unknown): string | null {
  return typeof value === 'string' && BLOOM.test(value) ? value.toLowerCase() : null
}
