import type { ChainId } from '@sluice/wire'
import type { Address } from '../port.ts'
import { addressOfScript } from './address.ts'
import { MONEY_MAX } from './raw-transaction.ts'
import { demand, malformed } from './read-bytes.ts'

/**
 * The JSON of a Bitcoin node. A form that is not documented is an Outage of the node, never a crash
 * or a guess.
 */
export interface RpcChain {
  height: number
  hash: string
  isPruned: boolean
  isDownloading: boolean
}

export interface RpcHeader {
  hash: string
  height: number
  previousHash: string
}

/** The origin of one input; "" for outputs without an address. */
export interface Prevout {
  txid: string
  vout: number
  address: Address | ''
  /** Satoshi. */
  value: bigint
}

const HASH = /^[0-9a-f]{64}$/
/** Core's format of amounts: no exponent, at most eight decimal places. */
const COINS = /^(0|[1-9][0-9]{0,7})(?:\.([0-9]{1,8}))?$/
const DECIMALS = 8
const NO_HASH = '0'.repeat(64)

/** `getblockchaininfo`. */
export function parseChain(value: unknown): RpcChain {
  const chain = parseRecord(value, 'chain')
  const { pruned, initialblockdownload } = chain
  demand(typeof pruned === 'boolean', 'chain.pruned')
  demand(typeof initialblockdownload === 'boolean', 'chain.initialblockdownload')
  return {
    height: parseCount(chain.blocks, 'chain.blocks'),
    hash: parseHash(chain.bestblockhash, 'chain.bestblockhash'),
    isPruned: pruned === true,
    isDownloading: initialblockdownload === true,
  }
}

/** `getblockheader` as JSON. The first block has none before it. */
export function parseHeader(value: unknown): RpcHeader {
  const header = parseRecord(value, 'header')
  const previous = header.previousblockhash ?? NO_HASH
  return {
    hash: parseHash(header.hash, 'header.hash'),
    height: parseCount(header.height, 'header.height'),
    previousHash: parseHash(previous, 'header.previousblockhash'),
  }
}

/**
 * The prevouts of a transaction in a block from `getrawtransaction` 2, numbers as texts; null if
 * the node returns none.
 */
export function parsePrevouts(value: unknown, chainId: ChainId): Prevout[] | null {
  const inputs = parseList(parseRecord(value, 'transaction').vin, 'transaction.vin')
  const prevouts: Prevout[] = []
  for (const entry of inputs) {
    const input = parseRecord(entry, 'input')
    if (input.prevout === undefined) return null
    const prevout = parseRecord(input.prevout, 'input.prevout')
    const { hex } = parseRecord(prevout.scriptPubKey, 'prevout.scriptPubKey')
    const script = parseHexBytes(hex, 'prevout.scriptPubKey.hex')
    prevouts.push({
      txid: parseHash(input.txid, 'input.txid'),
      vout: parseExactCount(input.vout, 'input.vout'),
      address: addressOfScript(script, chainId) ?? '',
      value: parseCoins(prevout.value, 'prevout.value'),
    })
  }
  return prevouts
}

/** A decimal text in satoshi, without floating point. */
export function parseCoins(value: unknown, what: string): bigint {
  const match = typeof value === 'string' ? COINS.exec(value) : null
  if (match === null) throw malformed(what)
  const [, whole = '', fraction = ''] = match
  const satoshi = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  demand(satoshi <= MONEY_MAX, what)
  return satoshi
}

/** An object, not null and not a list. */
export function parseRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(what)
  return { ...value }
}

/** A list of any values. */
export function parseList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(what)
  return value
}

/** A whole number from 0 on. */
function parseCount(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed(what)
  return value
}

/** 32 bytes in their text form. */
export function parseHash(value: unknown, what: string): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw malformed(what)
  return value
}

/** Whole bytes in hex. */
export function parseHexBytes(value: unknown, what: string): Buffer {
  if (typeof value !== 'string') throw malformed(what)
  const bytes = Buffer.from(value, 'hex')
  // Reading ends at the first character that is not a digit.
  demand(bytes.length * 2 === value.length, what)
  return bytes
}

/** A whole number from its text. */
function parseExactCount(value: unknown, what: string): number {
  if (typeof value !== 'string' || !/^(0|[1-9][0-9]{0,9})$/.test(value)) throw malformed(what)
  return Number(value)
}
