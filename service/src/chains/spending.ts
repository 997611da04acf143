import type { Millis } from '../base/clock.ts'
import { parseTokenId } from '@sluice/wire'
import type { TokenId } from '@sluice/wire'
import { smaller } from '../base/amount.ts'
import { assert } from '../base/assert.ts'

/**
 * Limits of a transaction, fixed before it is signed. `eip155-legacy` is for EVM chains whose
 * blocks have no base fee. Prices are in base units of the native currency for one gas.
 */
export type Terms = GasTerms | CoinTerms | LedgerTerms | TronTerms

/** Terms of EVM chains. */
export type GasTerms = FeeMarketTerms | LegacyTerms

/** EIP-1559. */
export interface FeeMarketTerms extends FeeMarketRate {
  gasLimit: bigint
}

/** EIP-155: one gas price, before the fee market. */
export interface LegacyTerms extends LegacyRate {
  gasLimit: bigint
}

/** Terms of Bitcoin; the fee follows from the outputs that are selected. */
export interface CoinTerms extends CoinRate {
  /** Upper bound of the fee, in base units. */
  maxFee: bigint
}

/** Terms of the XRP Ledger. */
export interface LedgerTerms {
  family: 'xrpl'
  /** Drops that the transaction burns. */
  fee: bigint
  /** The last ledger that can include it. */
  lastLedger: bigint
}

/** Current cost of a transaction, in drops, and the ledger that it was read at. */
export interface LedgerRate {
  family: 'xrpl'
  fee: bigint
  /** The same without headroom. */
  asked: bigint
  ledger: bigint
}

/** Current cost of a transaction, with headroom for the next blocks. */
export type FeeRate = GasRate | CoinRate | LedgerRate | TronRate

export type GasRate = FeeMarketRate | LegacyRate

export interface CoinRate {
  family: 'bip122'
  /** Base units for 1,000 virtual bytes (BIP-141). */
  perKvb: bigint
}

/** Terms of TRON, in sun. */
export interface TronTerms {
  family: 'tron'
  /** Upper bound of the cost: bandwidth, activation, memo, and energy that is not delegated. */
  fee: bigint
  /** Upper bound of the cost of energy, as signed; zero if no contract is called. */
  feeLimit: bigint
  /** Units of energy delegated for it: they count towards the limit, and are free. */
  lent: bigint
  /** The id of the solid block that it references, as a number, and that block's time. */
  reference: bigint
  since: bigint
  /** The time of the head when it was built, and the last block time that can include it. */
  headTime: bigint
  expiration: bigint
}

/** Price of a unit of energy on TRON, in sun, and the block that a new transaction references. */
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

/** Upper bounds of one transaction, independent of nodes (W16, W17, N11). */
export interface FeeCaps {
  /** Base units of the native currency. */
  absolute: bigint
  /** For native transfers to contracts. */
  gasLimit: bigint
  /** For token transfers. */
  tokenGasLimit: bigint
  /**
   * Upper bound of the fee of a native transfer, in percent of its amount; null for none (the fee
   * of a top-up may be a large part of its amount).
   */
  relativePercent: number | null
}

/** Default gas limits. */
export const GAS_LIMIT_DEFAULT = 100_000n
export const TOKEN_GAS_LIMIT_DEFAULT = 300_000n
export const RELATIVE_PERCENT_DEFAULT = 10

/**
 * How long a transaction of TRON can be included after it was built: long enough to broadcast it
 * many times, short enough to replace a payment that no node took. The chain allows a day.
 */
export const TRON_WINDOW_MS = 600_000

const SLOT_MS = 3_000n

const AMOUNT = /^(0|[1-9][0-9]{0,77})$/

type Family = Terms['family']
type Of<T, F extends Family> = Extract<T, { family: F }>

/** Narrows terms or a rate to these families. Another family is a Bug. */
function only<F extends Family>(...families: readonly F[]) {
  const fits = <T extends Terms | FeeRate>(value: T): value is Of<T, F> =>
    families.some((family) => family === value.family)
  return <T extends Terms | FeeRate>(value: T): Of<T, F> => {
    assert(fits(value), 'terms or a rate of another family of chains', { value })
    return value
  }
}

/** Terms or a rate of an EVM chain. Another family is a Bug. */
export const gasTermsOf = only('eip155', 'eip155-legacy')
/** Terms or a rate of Bitcoin. Another family is a Bug. */
export const coinTermsOf = only('bip122')
/** Terms or a rate of the XRP Ledger. Another family is a Bug. */
export const ledgerTermsOf = only('xrpl')
/** Terms or a rate of TRON. Another family is a Bug. */
export const tronTermsOf = only('tron')

/** Upper bound of the cost of a transaction, in base units of the native currency. */
export function maxFeeOf(terms: Terms): bigint {
  if (terms.family === 'xrpl' || terms.family === 'tron') return terms.fee
  return terms.family === 'bip122' ? terms.maxFee : terms.gasLimit * priceOf(terms)
}

/** Units of energy delegated for a transaction; 0 on chains without energy. */
export function lentOf(terms: Terms): bigint {
  return terms.family === 'tron' ? terms.lent : 0n
}

/** Upper bound of the fee that signed bytes may state, in base units. */
export function signedFeeOf(terms: Terms): bigint {
  return terms.family === 'tron' ? terms.feeLimit : maxFeeOf(terms)
}

/**
 * Whether no later block can include a transaction, so that one not found up to here never will be.
 * `final`: the highest final block of ours. Null if transactions do not expire.
 */
export function hasExpired(
  terms: Terms,
  { height, final }: { height: number; final: number | null },
): boolean | null {
  if (terms.family === 'xrpl') return BigInt(height) > terms.lastLedger
  if (terms.family !== 'tron') return null
  // Blocks are at least 3 s apart, so the time of this height is past the expiration.
  const last = heightOf(terms) + (terms.expiration - terms.since) / SLOT_MS
  return final !== null && BigInt(final) > last
}

/** The rate of terms; null if their transactions expire, since none replaces another then. */
export function rateOfTerms(terms: Terms): GasRate | CoinRate | null {
  return terms.family === 'xrpl' || terms.family === 'tron' ? null : terms
}

/** Whether a transaction can be included for a limited time only. */
export function expires(terms: Terms): boolean {
  return rateOfTerms(terms) === null
}

/**
 * Whether a transaction has not expired yet for the node that returned the rate. False if
 * transactions do not expire.
 */
export function isBehind(rate: FeeRate, terms: Terms): boolean {
  if (terms.family === 'xrpl') return ledgerTermsOf(rate).ledger <= terms.lastLedger
  return terms.family === 'tron' && tronTermsOf(rate).since <= terms.expiration
}

/**
 * The last block time that can include a transaction, if only that prevents including its successor
 * as well; null if a nonce or inputs do.
 */
export function windowEndOf(terms: Terms): Millis | null {
  return terms.family === 'tron' ? Number(terms.expiration) : null
}

/** Height of the block that a transaction references; null if it references none. */
export function restsOn(terms: Terms): bigint | null {
  return terms.family === 'tron' ? heightOf(terms) : null
}

/** The first eight bytes of a block's id are its height. */
function heightOf({ reference }: TronTerms): bigint {
  return reference >> 192n
}

/** Terms at a rate of Bitcoin. Another family is a Bug. */
export function coinTermsAt(rate: FeeRate, maxFee: bigint): CoinTerms {
  return { ...coinTermsOf(rate), maxFee }
}

/**
 * The rate, or the highest below it that the cap of the terms allows for a transaction that costs
 * `fee` under them. Rates other than Bitcoin's are a Bug.
 */
export function rateWithin(
  rate: FeeRate,
  { terms, fee }: { terms: CoinTerms; fee: bigint },
): CoinRate {
  const { family, perKvb } = coinTermsOf(rate)
  const highest = (terms.perKvb * terms.maxFee) / fee
  return { family, perKvb: smaller(perKvb, highest) }
}

/**
 * Upper bound of the price of one gas, of 1,000 bytes (Bitcoin), energy or a transaction (XRPL).
 */
export function priceOf(rate: FeeRate): bigint {
  if (rate.family === 'xrpl') return rate.fee
  if (rate.family === 'tron') return rate.energyPrice
  if (rate.family === 'bip122') return rate.perKvb
  return rate.family === 'eip155' ? rate.maxFeePerGas : rate.gasPrice
}

/**
 * Upper bound of the fee, in base units of the native currency: the absolute cap and, for native
 * transfers above zero, the relative one.
 */
export function feeCapOf(intent: { tokenId: TokenId; amount: bigint }, caps: FeeCaps): bigint {
  const { absolute, relativePercent } = caps
  const isNative = parseTokenId(intent.tokenId)?.assetNamespace === 'slip44'
  if (!isNative || intent.amount === 0n || relativePercent === null) return absolute
  const relative = (intent.amount * BigInt(Math.round(relativePercent * 100))) / 10_000n
  return smaller(relative, absolute)
}

/** Terms as stored: every number as decimal text. */
export function termsToJson(terms: Terms): Record<string, string> {
  const { family, ...numbers } = terms
  const texts = Object.entries(numbers).map(([key, value]) => [key, value.toString()])
  return { family, ...Object.fromEntries(texts) }
}

/** Parses stored terms. Anything that `termsToJson` did not write is a Bug. */
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
    // Terms stored before energy was delegated do not have it.
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
