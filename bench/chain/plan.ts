import { createHash } from 'node:crypto'
import type { Hex } from '@sluice/simulator'

/**
 * How the synthetic chain of the benchmarks is cut (performance.md: 200 transactions, 450 logs, 15
 * deposits).
 */
export const CHAIN = {
  id: 'eip155:1',
  numericId: 1,
  /** The height before the first block of the chain; six hex digits, as all heights after it. */
  origin: 10_000_000,
  transactions: 200,
  logs: 450,
  nativeDeposits: 7,
  tokenDeposits: 8,
  /** Bodies that differ; every further block is one of them with its own hashes and deposits. */
  bodies: 40,
}

export const DEPOSITS_A_BLOCK = CHAIN.nativeDeposits + CHAIN.tokenDeposits

/** Contracts of the catalogue on this chain: USDT, USDC, DAI. */
export const TOKENS: readonly Hex[] = [
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0x6b175474e89094c44da98b954eedeac495271d0f',
]

/** The descriptions of the contracts. */
export const TOKEN_FACTS = [
  { symbol: 'USDT', decimals: 6 },
  { symbol: 'USDC', decimals: 6 },
  { symbol: 'DAI', decimals: 18 },
]

/** One deposit of the chain. */
export interface PlannedDeposit {
  height: number
  /** Its place among the deposits of its block. */
  slot: number
  /** Its transaction's place in the block. */
  position: number
  /** Null for the native coin. */
  token: Hex | null
  /** Number of the watched address that receives it. */
  recipient: number
  amount: bigint
  txnHash: Hex
}

/** A prime that scatters deposits over the watched addresses. */
export const STRIDE = 7_919
/** 40 digits of a sha256: the same text in SQL, `substr(encode(sha256(...), 'hex'), 1, 40)`. */
const ADDRESS_DIGITS = 40
const EVERY = 13

/** The watched address of a number, lower case. */
export function watchedAddress(index: number): Hex {
  return `0x${digest(`watched ${index}`).slice(0, ADDRESS_DIGITS)}`
}

/** An address that is not watched. */
export function strangerAddress(name: string): Hex {
  return `0x${digest(`stranger ${name}`).slice(0, ADDRESS_DIGITS)}`
}

/** Transactions 5, 18, 31, … of a block are its deposits. */
export function positionOf(slot: number): number {
  return 5 + slot * EVERY
}

/** Which of the addresses are paid: so many, from this number on. */
export interface Payees {
  watched: number
  offset: number
}

/**
 * The deposit of a block's slot; no two go to the same address while there are enough addresses.
 */
export function plannedDeposit(height: number, slot: number, payees: Payees): PlannedDeposit {
  const number = (height - CHAIN.origin - 1) * DEPOSITS_A_BLOCK + slot
  const isNative = slot < CHAIN.nativeDeposits
  const position = positionOf(slot)
  return {
    height,
    slot,
    position,
    token: isNative ? null : (TOKENS[slot % TOKENS.length] ?? null),
    recipient: ((number * STRIDE) % payees.watched) + payees.offset,
    amount: isNative ? 10n ** 16n + BigInt(number) : 1_000_000n + BigInt(number),
    txnHash: transactionHash(height, position),
  }
}

/**
 * 48 scattered digits, then 8 of the height and 8 of the place, so that the node can find it again.
 * The digits of `of` are a deposit's own height, or the number of the body that strangers share.
 */
export function transactionHash(height: number, position: number, of = height): Hex {
  const scattered = digest(`transaction ${of} ${position}`).slice(0, 48)
  return `0x${scattered}${tailOf(height)}${position.toString(16).padStart(8, '0')}`
}

/** The part of a transaction's hash that encodes its height, after HASH_SKIP characters. */
export function tailOf(height: number): string {
  return height.toString(16).padStart(8, '0')
}

export const HASH_SKIP = 50

/** The height and the place in a hash of ours. */
export function placeOf(hash: string): { height: number; position: number } {
  return {
    height: Number.parseInt(hash.slice(HASH_SKIP, HASH_SKIP + 8), 16),
    position: Number.parseInt(hash.slice(HASH_SKIP + 8), 16),
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
