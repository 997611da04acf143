import { assert } from './assert.ts'
import { Refusal } from './fault.ts'

/** An integer count of base units, 0 or more. Money is never a JS number. */
export type Amount = bigint & { readonly brand: 'Amount' }

export const AMOUNT_MAX = 2n ** 256n - 1n
const AMOUNT_SHAPE = /^[1-9][0-9]{0,77}$/

/**
 * Parses an amount as a caller writes it: decimal digits, above zero, at most 2^256-1 base units.
 * Refuses with INVALID_AMOUNT.
 */
export function parseAmount(text: string): Amount {
  if (!AMOUNT_SHAPE.test(text))
    throw new Refusal('INVALID_AMOUNT', { provided: text.slice(0, 100) })
  const value = BigInt(text)
  if (value > AMOUNT_MAX) throw new Refusal('INVALID_AMOUNT', { provided: text })
  return value as Amount
}

/** Brands a count of base units that our own code or a verified chain produced. */
export function toAmount(value: bigint): Amount {
  assert(value >= 0n && value <= AMOUNT_MAX, 'an amount outside 0 to 2^256-1', { value })
  return value as Amount
}

/** Adds up amounts; the sum may pass 2^256-1, so it is a plain bigint. */
export function sum(values: Iterable<bigint>): bigint {
  let total = 0n
  for (const value of values) total += value
  return total
}

/** The larger of two counts. */
export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** The smaller of two counts. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
