import { toDecimal } from '@sluice/client'
import { LANGUAGE } from '../text/text.ts'

/** The part of a token that an amount needs. */
export interface Unit {
  symbol: string
  decimals: number
}

const GROUP = new Intl.NumberFormat(LANGUAGE, { useGrouping: true, maximumFractionDigits: 0 })
/** Tokens of cents show at least two digits after the point. */
const CENTS = 2

/**
 * Base units as a grouped decimal number: `1250000000` of 6 decimals is `1,250.00`. All digits are
 * kept; zeros at the end are left out beyond cents, which tokens with 2 to 8 decimals keep.
 */
export function formatUnits(baseUnits: string, decimals: number): string {
  const decimal = toDecimal(baseUnits, decimals)
  const sign = decimal.startsWith('-') ? '-' : ''
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.')
  const shown = decimals >= CENTS && decimals <= 8 ? fraction.padEnd(CENTS, '0') : fraction
  return `${sign}${GROUP.format(BigInt(whole))}${shown === '' ? '' : `.${shown}`}`
}

/** An amount with its symbol: `1,250.00 USDT`. */
export function formatAmount(baseUnits: string, { symbol, decimals }: Unit): string {
  return `${formatUnits(baseUnits, decimals)} ${symbol}`
}

/** Groups of digits of base units: `1,250,000,000`. */
export function formatBaseUnits(baseUnits: string): string {
  return GROUP.format(BigInt(baseUnits))
}

/** A count with groups of digits: `1,515`. */
export function formatCount(count: number): string {
  return GROUP.format(count)
}

/** The sum of amounts of one token. */
export function sumOf(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n).toString()
}

/**
 * A whole number that is proportional to an amount, for lengths in charts only: `part` of `whole`
 * in thousandths. 0 without a whole.
 */
export function thousandths(part: string, whole: string): number {
  const total = BigInt(whole)
  return total === 0n ? 0 : Number((BigInt(part) * 1000n) / total)
}
