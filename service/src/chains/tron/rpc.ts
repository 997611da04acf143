import { Outage } from '../../base/fault.ts'

/**
 * The JSON of a TRON node (java-tron's HTTP interface). Nodes omit zero and false, answer `{}` for
 * missing data, and numbers are read as texts. The parsers resolve all of that: afterwards a field
 * is present or zero.
 */
export interface RpcHeader {
  height: number
  /** 32 bytes in hex: the height in the first eight, the end of the header's hash in the others. */
  id: string
  parentId: string
  /** Milliseconds since 1970. */
  time: number
  transactionsRoot: string
  witness: string
  version: number
}

export interface RpcBlock extends RpcHeader {
  transactions: readonly RpcTransaction[]
}

export interface RpcTransaction {
  id: string
  /** The bytes that were hashed and signed. */
  raw: Uint8Array
  signatures: readonly Uint8Array[]
  /** The result of each of its contracts; there is only one. */
  results: readonly RpcResult[]
  /** 21 bytes in hex; null if the type of contract has no sender. */
  owner: string | null
}

interface RpcResult {
  /** `SUCCESS`; `DEFAULT` if the node omits it. */
  contractRet: string
  fee: bigint
}

/** The info about the execution of a transaction. */
export interface RpcOutcome {
  id: string
  height: number
  time: number
  /** sun, the whole fee of its sender. */
  fee: bigint
  /** The result of a contract's execution; "" if none ran. */
  receiptResult: string
  hasFailed: boolean
  logs: readonly RpcLog[]
  internals: readonly RpcInternal[]
}

export interface RpcLog {
  /** 20 bytes in hex. */
  address: string
  topics: readonly string[]
  data: string
}

/** An inner transaction of a contract, mostly a transfer. */
export interface RpcInternal {
  /** 21 bytes in hex; "" if empty, and any text if the amount is zero. */
  from: string
  to: string
  /** sun, without TRC-10 assets. Negative if the contract requested it. */
  value: bigint
  note: string
  rejected: boolean
}

const FAILED = 'FAILED'
const HASH = /^[0-9a-f]{64}$/
const HEX = /^([0-9a-f]{2})*$/
const ADDRESS41 = /^41[0-9a-f]{40}$/
const ADDRESS20 = /^[0-9a-f]{40}$/
const INTEGER = /^-?(0|[1-9][0-9]{0,18})$/
const HEIGHT_MAX = 2 ** 48
const WORDS_MAX = 200
/** The end of the year 9999: later times have no common text form. */
const TIME_MAX = 253_402_300_799_999

/** A block; null for `{}`. */
export function parseBlock(value: unknown): RpcBlock | null {
  const header = parseHeader(value)
  if (header === null) return null
  const { transactions } = recordOf(value, 'block')
  return { ...header, transactions: listOf(transactions, 'transactions').map(parseTransaction) }
}

/** A block's header; null for `{}`. */
export function parseHeader(value: unknown): RpcHeader | null {
  const block = recordOf(value, 'block')
  if (Object.keys(block).length === 0) return null
  const header = recordOf(block.block_header, 'block_header')
  const raw = recordOf(header.raw_data, 'block_header.raw_data')
  const time = wholeOf(raw.timestamp, 'timestamp')
  const height = wholeOf(raw.number, 'number')
  demand(time <= TIME_MAX && height <= HEIGHT_MAX, 'a block of no time or height')
  return {
    height,
    id: hashOf(block.blockID, 'blockID'),
    parentId: hashOf(raw.parentHash, 'parentHash'),
    time,
    transactionsRoot: hashOf(raw.txTrieRoot, 'txTrieRoot'),
    witness: hexOf(raw.witness_address, 'witness_address'),
    version: wholeOf(raw.version, 'version'),
  }
}

/** The block of a list by `getblockbylimitnext`; null for `{}`. */
export function parseOnlyBlock(value: unknown): RpcBlock | null {
  const { block } = recordOf(value, 'block list')
  const blocks = listOf(block, 'block list')
  demand(blocks.length <= 1, 'more blocks than one')
  return blocks.length === 0 ? null : parseBlock(blocks[0])
}

/** The infos of the transactions of a block, in order. */
export function parseOutcomes(value: unknown): RpcOutcome[] {
  demand(Array.isArray(value), 'transaction outcomes')
  return listOf(value, 'transaction outcomes').map(parseOutcome)
}

/** The info of one transaction; null for `{}`, which means that no block has it. */
export function parseOutcomeOrNone(value: unknown): RpcOutcome | null {
  const info = recordOf(value, 'transaction info')
  return Object.keys(info).length === 0 ? null : parseOutcome(info)
}

/** A transaction, unconfirmed or in a block; null for `{}`. */
export function parseTransactionOrNone(value: unknown): RpcTransaction | null {
  const transaction = recordOf(value, 'transaction')
  return Object.keys(transaction).length === 0 ? null : parseTransaction(transaction)
}

function parseTransaction(value: unknown): RpcTransaction {
  const transaction = recordOf(value, 'transaction')
  const raw = hexOf(transaction.raw_data_hex, 'raw_data_hex')
  return {
    id: hashOf(transaction.txID, 'txID'),
    raw: bytesOfHex(raw),
    signatures: listOf(transaction.signature, 'signature').map((one) =>
      bytesOfHex(hexOf(one, 'signature')),
    ),
    results: listOf(transaction.ret, 'ret').map(parseResult),
    owner: ownerOf(transaction.raw_data),
  }
}

function parseResult(value: unknown): RpcResult {
  const { contractRet, fee } = recordOf(value, 'ret')
  return { contractRet: textOf(contractRet, 'contractRet') || 'DEFAULT', fee: intOf(fee, 'fee') }
}

/** Some types of contract name the sender differently; none of ours is among them. */
function ownerOf(rawData: unknown): string | null {
  const list = fieldOf(rawData, 'contract')
  const contract: unknown = Array.isArray(list) ? list[0] : null
  const owner = fieldOf(fieldOf(fieldOf(contract, 'parameter'), 'value'), 'owner_address')
  return typeof owner === 'string' && ADDRESS41.test(owner) ? owner : null
}

/** A stranger's contract may have any form: empty if it is not an object. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The info of one transaction. */
export function parseOutcome(value: unknown): RpcOutcome {
  const info = recordOf(value, 'transaction info')
  const receipt = recordOf(info.receipt ?? {}, 'receipt')
  const result = textOf(info.result, 'result')
  // The protocol's enumeration spells its default value, which nodes omit, with one C.
  demand(['', 'SUCESS', 'SUCCESS', FAILED].includes(result), 'a result of no known kind')
  return {
    id: hashOf(info.id, 'id'),
    height: wholeOf(info.blockNumber, 'blockNumber'),
    time: wholeOf(info.blockTimeStamp, 'blockTimeStamp'),
    fee: amountOf(info.fee, 'fee'),
    receiptResult: textOf(receipt.result, 'receipt.result'),
    hasFailed: result === FAILED,
    logs: listOf(info.log, 'log').map(parseLog),
    internals: listOf(info.internal_transactions, 'internal_transactions').map(parseInternal),
  }
}

function parseLog(value: unknown): RpcLog {
  const { address, topics, data } = recordOf(value, 'log')
  const account = hexOf(address, 'log.address')
  // Some nodes prepend the byte 41.
  const short = ADDRESS41.test(account) ? account.slice(2) : account
  demand(ADDRESS20.test(short), 'log.address')
  return {
    address: short,
    topics: listOf(topics, 'log.topics').map((topic) => hashOf(topic, 'log.topic')),
    data: hexOf(data ?? '', 'log.data'),
  }
}

function parseInternal(value: unknown): RpcInternal {
  const internal = recordOf(value, 'internal transaction')
  const moved = listOf(internal.callValueInfo, 'callValueInfo').map((one) => {
    const { callValue, tokenId, tokenName } = recordOf(one, 'callValueInfo')
    const isCoins = (tokenId ?? '') === '' && (tokenName ?? '') === ''
    return isCoins ? intOf(callValue, 'callValue') : 0n
  })
  return {
    from: textOf(internal.caller_address, 'caller_address'),
    to: textOf(internal.transferTo_address, 'transferTo_address'),
    value: moved.reduce((sum, one) => sum + one, 0n),
    note: Buffer.from(hexOf(internal.note ?? '', 'note'), 'hex').toString('latin1'),
    rejected: internal.rejected === true,
  }
}

/** An object of JSON. */
export function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(what)
  return { ...value }
}

/** A list of JSON, which nodes omit if it is empty. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw malformed(what)
  return value
}

/** An integer of 64 bits from its text; zero if omitted. */
function intOf(value: unknown, what: string): bigint {
  if (value === undefined || value === null) return 0n
  if (typeof value !== 'string' || !INTEGER.test(value)) throw malformed(what)
  return BigInt(value)
}

/** The same for a value that cannot be negative. */
export function amountOf(value: unknown, what: string): bigint {
  const amount = intOf(value, what)
  demand(amount >= 0n, what)
  return amount
}

/** The same for a value that fits a number. */
function wholeOf(value: unknown, what: string): number {
  const whole = Number(amountOf(value, what))
  demand(Number.isSafeInteger(whole), what)
  return whole
}

/** 32 bytes in hex. */
function hashOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw malformed(what)
  return value
}

/** Whole bytes in hex. */
export function hexOf(value: unknown, what: string): string {
  const hex = typeof value === 'string' ? value.toLowerCase() : null
  if (hex === null || !HEX.test(hex)) throw malformed(what)
  return hex
}

/** A text; "" if omitted. */
export function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw malformed(what)
  return value
}

/** A node's message: in some places hex of a text, in others the text. */
export function wordsOf(value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  const isHex = text !== '' && HEX.test(text)
  const words = isHex ? Buffer.from(text, 'hex').toString('utf8') : text
  return words.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, WORDS_MAX)
}

/** An answer that differs from the documentation or contradicts another answer. */
class MalformedAnswer extends Outage {}

/** The Outage for a malformed answer; `what` names the part. */
export function malformed(what: string): MalformedAnswer {
  return new MalformedAnswer('node answer', `malformed or inconsistent: ${what}`)
}

/** Throws an Outage unless the condition holds. */
export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw malformed(what)
}

function bytesOfHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}
