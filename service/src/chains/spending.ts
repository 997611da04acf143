import type { Millis } from '../base/clock.ts'
import { parseTokenId } from '@sluice/wire'
import type { TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'

/**
 * What a transaction may use and pay, fixed before it is signed. `eip155-legacy` is for EVM chains
 * whose blocks have no base fee. All prices in base units of the native currency for one gas.
 */
export type Terms = GasTerms | CoinTerms | LedgerTerms | TronTerms

/** Terms of chains that sell gas. */
export type GasTerms = FeeMarketTerms | LegacyTerms

/** EIP-1559. */
export interface FeeMarketTerms extends FeeMarketRate {
  gasLimit: bigint
}

/** EIP-155: one price, from before the fee market. */
export interface LegacyTerms extends LegacyRate {
  gasLimit: bigint
}

/** Terms of chains that sell room in a block: the fee follows from the coins that are chosen. */
export interface CoinTerms extends CoinRate {
  /** The most that the transaction may pay, in base units. */
  maxFee: bigint
}

/** Terms of the XRP Ledger: what the transaction burns, and the last ledger that can have it. */
export interface LedgerTerms {
  family: 'xrpl'
  /** Drops. */
  fee: bigint
  lastLedger: bigint
}

/** What a transaction burns now, in drops, and the ledger that says so. */
export interface LedgerRate {
  family: 'xrpl'
  fee: bigint
  /** The same without headroom. */
  asked: bigint
  ledger: bigint
}

/** What a transaction costs at the moment, with headroom for the next blocks. */
export type FeeRate = GasRate | CoinRate | LedgerRate | TronRate

export type GasRate = FeeMarketRate | LegacyRate

export interface CoinRate {
  family: 'bip122'
  /** Base units for a thousand virtual bytes (BIP-141). */
  perKvb: bigint
}

/** Terms of TRON, in sun. */
export interface TronTerms {
  family: 'tron'
  /**
   * The most that the transaction can cost: bandwidth, activation, memo, and all of the limit but
   * what was lent.
   */
  fee: bigint
  /** What its energy may cost, as the signed bytes say; zero where no contract runs. */
  feeLimit: bigint
  /** Units of energy that were lent for it: they count towards the limit, and cost nothing. */
  lent: bigint
  /** The id of the solid block that it names, as a number, and that block's time. */
  reference: bigint
  since: bigint
  /** The time of the head when it was made, and the last moment in which a block can have it. */
  headTime: bigint
  expiration: bigint
}

/** What TRON asks for a unit of energy, in sun, and what a transaction of this moment can name. */
export interface TronRate extends Pick<TronTerms, 'reference' | 'since' | 'headTime'> {
  family: 'tron'
  energyPrice: bigint
}

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

/** Gas limits where the caller names none. */
export const GAS_LIMIT_DEFAULT = 100_000n
export const TOKEN_GAS_LIMIT_DEFAULT = 300_000n
export const RELATIVE_PERCENT_DEFAULT = 10

/**
 * How long a transaction of TRON can be included after it was made: time enough to hand it over
 * many times, and short enough that a payment which nobody took is made anew soon. The chain takes
 * up to a day.
 */
export const TRON_WINDOW_MS = 600_000

const SLOT_MS = 3_000n

const AMOUNT = /^(0|[1-9][0-9]{0,77})$/

/** The most that a transaction under these terms can cost, in base units of the native currency. */
export function maxFeeOf(terms: Terms): bigint {
  if (terms.family === 'xrpl' || terms.family === 'tron') return terms.fee
  return terms.family === 'bip122' ? terms.maxFee : terms.gasLimit * priceOf(terms)
}

/** Units of energy that were lent for a transaction; none where a chain knows no energy. */
export function lentOf(terms: Terms): bigint {
  return terms.family === 'tron' ? terms.lent : 0n
}

/** The most that signed bytes under these terms may say they cost, in base units. */
export function signedFeeOf(terms: Terms): bigint {
  return terms.family === 'tron' ? terms.feeLimit : maxFeeOf(terms)
}

/**
 * Whether a transaction under these terms can be in no block that is still to be read: one that was
 * not found up to here is lost for ever. `final` is the highest block of ours that no fork can
 * replace. Null where transactions do not expire.
 */
export function hasExpired(
  terms: Terms,
  { height, final }: { height: number; final: number | null },
): boolean | null {
  if (terms.family === 'xrpl') return BigInt(height) > terms.lastLedger
  if (terms.family !== 'tron') return null
  // Blocks are three seconds apart, or more: so high, their time is past the end for certain.
  const last = heightOf(terms) + (terms.expiration - terms.since) / SLOT_MS
  return final !== null && BigInt(final) > last
}

/** Whether a transaction under these terms is lost for ever after a while. */
export function expires({ family }: Terms): boolean {
  return family === 'xrpl' || family === 'tron'
}

/**
 * Whether the node that named a rate has not come as far as a transaction under these terms may be
 * included: for it that one has not expired. Never where transactions do not expire.
 */
export function isBehind(rate: FeeRate, terms: Terms): boolean {
  if (terms.family === 'xrpl') return ledgerRateOf(rate).ledger <= terms.lastLedger
  return terms.family === 'tron' && tronRateOf(rate).since <= terms.expiration
}

/**
 * The last moment, in the time of blocks, at which a transaction under these terms can be included,
 * where that alone keeps it from being included beside its successor; null where a number or coins
 * do.
 */
export function windowEndOf(terms: Terms): Millis | null {
  return terms.family === 'tron' ? Number(terms.expiration) : null
}

/** The height of a block that a transaction under these terms names; null where it names none. */
export function restsOn(terms: Terms): bigint | null {
  return terms.family === 'tron' ? heightOf(terms) : null
}

/** The first eight bytes of a block's id are its height. */
function heightOf({ reference }: TronTerms): bigint {
  return reference >> 192n
}

/** Terms of a chain that sells gas. Others are a Bug. */
export function gasTermsOf(terms: Terms): GasTerms {
  const isGas = terms.family === 'eip155' || terms.family === 'eip155-legacy'
  assert(isGas, 'terms of another family of chains', { terms })
  return terms
}

/** Terms of the XRP Ledger. Others are a Bug. */
export function ledgerTermsOf(terms: Terms): LedgerTerms {
  assert(terms.family === 'xrpl', 'terms of another family of chains', { terms })
  return terms
}

/** Terms of TRON. Others are a Bug. */
export function tronTermsOf(terms: Terms): TronTerms {
  assert(terms.family === 'tron', 'terms of another family of chains', { terms })
  return terms
}

/** The rate of TRON. Others are a Bug. */
export function tronRateOf(rate: FeeRate): TronRate {
  assert(rate.family === 'tron', 'a rate of another family of chains', { rate })
  return rate
}

/** The rate of the XRP Ledger. Others are a Bug. */
export function ledgerRateOf(rate: FeeRate): LedgerRate {
  assert(rate.family === 'xrpl', 'a rate of another family of chains', { rate })
  return rate
}

/** The rate of a chain that sells gas. Others are a Bug. */
export function gasRateOf(rate: FeeRate): GasRate {
  const isGas = rate.family === 'eip155' || rate.family === 'eip155-legacy'
  assert(isGas, 'a rate of another family of chains', { rate })
  return rate
}

/** Terms of a chain that sells room. Others are a Bug. */
export function coinTermsOf(terms: Terms): CoinTerms {
  assert(terms.family === 'bip122', 'terms of another family of chains', { terms })
  return terms
}

/** Terms at a rate of a chain that sells room. Others are a Bug. */
export function coinTermsAt(rate: FeeRate, maxFee: bigint): CoinTerms {
  assert(rate.family === 'bip122', 'a rate of another family of chains', { rate })
  return { ...rate, maxFee }
}

/**
 * The rate, or the dearest below it that the cap of the terms allows: what costs `fee` under them
 * may be dearer by as much as the cap is above that. Others than who sells room are a Bug.
 */
export function rateWithin(rate: FeeRate, given: { terms: CoinTerms; fee: bigint }): CoinRate {
  const { family, perKvb, maxFee } = given.terms
  const { perKvb: wished } = coinTermsAt(rate, maxFee)
  const dearest = (perKvb * maxFee) / given.fee
  return { family, perKvb: wished < dearest ? wished : dearest }
}

/** The most that one gas can cost under a rate or terms; for who sells room, a thousand bytes. */
export function priceOf(rate: FeeRate): bigint {
  if (rate.family === 'xrpl') return rate.fee
  if (rate.family === 'tron') return rate.energyPrice
  if (rate.family === 'bip122') return rate.perKvb
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
  if (family === 'bip122') return { family, perKvb: read('perKvb'), maxFee: read('maxFee') }
  if (family === 'xrpl') return { family, fee: read('fee'), lastLedger: read('lastLedger') }
  if (family === 'tron') {
    const [fee, feeLimit] = [read('fee'), read('feeLimit')]
    // Terms of before energy was lent say nothing of it.
    const lent = 'lent' in json ? read('lent') : 0n
    const [reference, since] = [read('reference'), read('since')]
    const [headTime, expiration] = [read('headTime'), read('expiration')]
    return { family, fee, feeLimit, lent, reference, since, headTime, expiration }
  }
  assert(family === 'eip155', 'stored terms are of no known family', { family })
  return {
    family,
    gasLimit: read('gasLimit'),
    maxFeePerGas: read('maxFeePerGas'),
    maxPriorityFeePerGas: read('maxPriorityFeePerGas'),
  }
}
