import { receiptsRoot } from '../../src/chains/evm/receipts-root.ts'
import { parseReceipts } from '../../src/chains/evm/rpc.ts'
import { EMPTY_ROOT } from '../../src/chains/evm/trie.ts'

/** JSON of an Ethereum node, as it comes over the wire. */
export type Json = Record<string, unknown>

/** keccak of Transfer(address,address,uint256). */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** keccak of LogTransfer, with three addresses and five numbers, by which Polygon logs its coin. */
const COIN_MOVED = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4'

export const hex = (value: number | bigint) => `0x${value.toString(16)}`
/** A hash made of one number. */
export const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
/** An address made of one number. */
export const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
/** A number or address as a word of 32 bytes. */
export const word = (value: bigint | string) =>
  `0x${(typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')}`

/** A transaction of a user, to complete with what a test is about. */
export interface SampleTransaction {
  hash?: string
  /** Fields of the transaction's JSON. */
  transaction?: Json
  /** Fields of its receipt's JSON, but for logs. */
  receipt?: Json
  logs?: readonly Json[]
}

export interface SampleBlock {
  block: Json & { hash: string; transactions: Json[] }
  receipts: Json[]
}

/** An ERC-20 Transfer as a log carries it. */
export function transferLog(token: string, from: string, to: string, amount: bigint): Json {
  return { address: token, topics: [TRANSFER, word(from), word(to)], data: word(amount) }
}

/** Address of Polygon's logs of native transfers. */
export const COIN_LOGS = addressOf(0x1010)

/** A system transaction: without sender and gas. */
export const SYSTEM: Json = { from: addressOf(0), to: addressOf(0), gas: '0x0', type: '0x7f' }

/** Polygon's own log of a move of its coin: how much, and what both held before and after. */
export function coinLog(from: string, to: string, amount: bigint): Json {
  const [payer, payee] = [amount + 1_000n, 3n]
  return coinLogOf([from, to], [amount, payer, payee, payer - amount, payee + amount])
}

/** The same with arbitrary numbers. */
export function coinLogOf([from, to]: readonly [string, string], numbers: readonly bigint[]): Json {
  const topics = [COIN_MOVED, word(COIN_LOGS), word(from), word(to)]
  const data = `0x${numbers.map((one) => word(one).slice(2)).join('')}`
  return { address: COIN_LOGS, topics, data }
}

/** A consistent block of these transactions, with indices, hashes and a true receipts root. */
export function sampleBlock(samples: readonly SampleTransaction[], header: Json = {}): SampleBlock {
  const height = Number(header['number'] ?? 7)
  const hash = hashOf(0xb10c000 + height)
  const hashes = samples.map((sample, at) => sample.hash ?? hashOf(0x7a0000 + height * 256 + at))
  let logIndex = 0
  const receipts = samples.map((sample, at) => {
    const logs = (sample.logs ?? []).map((log) => ({
      blockHash: hash,
      transactionHash: hashes[at],
      transactionIndex: hex(at),
      logIndex: hex(logIndex++),
      removed: false,
      ...log,
    }))
    return sampleReceipt({ hash, at, transactionHash: hashes[at], logs }, sample.receipt)
  })
  const transactions = samples.map((sample, at) => ({
    hash: hashes[at],
    blockHash: hash,
    transactionIndex: hex(at),
    from: addressOf(0xf0),
    to: addressOf(0x70),
    value: '0x0',
    gas: '0x5208',
    nonce: hex(at),
    input: '0x',
    type: '0x2',
    ...sample.transaction,
  }))
  const isEmpty = samples.length === 0
  return {
    block: {
      hash,
      number: hex(height),
      parentHash: hashOf(0xb10c000 + height - 1),
      timestamp: hex(1_700_000_000 + height * 12),
      transactionsRoot: isEmpty ? EMPTY_ROOT : hashOf(0x7007),
      receiptsRoot: receiptsRoot(parseReceipts(receipts)),
      transactions,
      ...header,
    },
    receipts,
  }
}

function sampleReceipt(place: Json, more: Json = {}): Json {
  const at = Number(place['at'])
  return {
    transactionHash: place['transactionHash'],
    blockHash: place['hash'],
    transactionIndex: hex(at),
    status: '0x1',
    type: '0x2',
    cumulativeGasUsed: hex(21_000 * (at + 1)),
    gasUsed: '0x5208',
    effectiveGasPrice: '0x2',
    logs: place['logs'],
    ...more,
  }
}
