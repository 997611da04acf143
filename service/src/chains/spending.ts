import { parseTokenId } from '@sluice/wire'
import type { TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'

/**
 * What a transaction may use and pay, fixed before it is signed. `eip155-legacy` is for EVM chains
 * whose blocks have no base fee. All prices in base units of the native currency for one gas.
 */
export type Terms = FeeMarketTerms | LegacyTerms

/** EIP-1559. */
export interface FeeMarketTerms extends FeeMarketRate {
  gasLimit: bigint
}

/** EIP-155: one price, from before the fee market. */
export interface LegacyTerms extends LegacyRate {
  gasLimit: bigint
}

/** What gas costs at the moment, with headroom for the next blocks. */
export type FeeRate = FeeMarketRate | LegacyRate

export interface FeeMarketRate {
  family: 'eip155'
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export interface LegacyRate {
  family: 'eip155-legacy'
  gasPrice: bigint
}

/** Bounds on what one transaction may cost, whatever a node says (W16, W17, N11). */
export interface FeeCaps {
  /** Base units of the native currency for one transaction. */
  absolute: bigint
  /** For native sends to contracts. */
  gasLimit: bigint
  /** For sends of tokens. */
  tokenGasLimit: bigint
  /**
   * For native sends the fee is also at most so many percent of the amount; null: it is not (a
   * top-up of gas may cost a good part of what it brings).
   */
  relativePercent: number | null
}

/** What a sender gives to a transaction, so that no other can follow in its place. */
export interface Reservation {
  kind: 'nonce'
  nonce: number
}

/** Gas limits where the caller names none. */
export const GAS_LIMIT_DEFAULT = 100_000n
export const TOKEN_GAS_LIMIT_DEFAULT = 300_000n
export const RELATIVE_PERCENT_DEFAULT = 10

const AMOUNT = /^(0|[1-9][0-9]{0,77})$/

/** The most that a transaction under these terms can cost, in base units of the native currency. */
export function maxFeeOf(terms: Terms): bigint {
  return terms.gasLimit * priceOf(terms)
}

/** The most that one gas can cost under a rate or terms. */
export function priceOf(rate: FeeRate): bigint {
  return rate.family === 'eip155' ? rate.maxFeePerGas : rate.gasPrice
}

/**
 * The most that a transaction may cost, in base units of the native currency: the absolute cap,
 * and for native sends of more than nothing the relative one besides.
 */
export function feeCapOf(intent: { tokenId: TokenId; amount: bigint }, caps: FeeCaps): bigint {
  const { absolute, relativePercent } = caps
  const isNative = parseTokenId(intent.tokenId)?.assetNamespace === 'slip44'
  if (!isNative || intent.amount === 0n || relativePercent === null) return absolute
  const relative = (intent.amount * BigInt(Math.round(relativePercent * 100))) / 10_000n
  return relative < absolute ? relative : absolute
}

/** Terms as they are stored: every number as a decimal text. */
export function termsToJson(terms: Terms): Record<string, string> {
  const { family, ...numbers } = terms
  const texts = Object.entries(numbers).map(([key, value]) => [key, value.toString()])
  return { family, ...Object.fromEntries(texts) }
}

/** Reads stored terms back. What `termsToJson` did not write is a Bug. */
export function termsFromJson(stored: unknown): Terms {
  const json: Record<string, unknown> = { ...Object(stored) }
  const read = (key: string): bigint => {
    const text = json[key]
    assert(typeof text === 'string' && AMOUNT.test(text), 'stored terms are malformed', { key })
    return BigInt(text)
  }
  const { family } = json
  if (family === 'eip155-legacy') {
    return { family, gasLimit: read('gasLimit'), gasPrice: read('gasPrice') }
  }
  assert(family === 'eip155', 'stored terms are of no known family', { family })
  return {
    family,
    gasLimit: read('gasLimit'),
    maxFeePerGas: read('maxFeePerGas'),
    maxPriorityFeePerGas: read('maxPriorityFeePerGas'),
  }
}
