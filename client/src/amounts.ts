/** A token of 255 decimals is the most that contracts can say; real ones have 0 to 36. */
const DECIMALS_MAX = 255
/** Longer than any amount of any token: 2^256 has 78 digits. */
const LENGTH_MAX = 400
const WHOLE = /^-?[0-9]+$/
const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/

/**
 * Base units as a decimal number in text: `toDecimal('1500000', 6)` is `'1.5'`. Exact, without
 * exponent and without zeros at its end. Throws a RangeError where `baseUnits` is no whole number
 * or `decimals` is not one of 0 to 255, a TypeError for a number: those have forgotten digits
 * before they come here.
 */
export function toDecimal(baseUnits: string | bigint, decimals: number): string {
  checkDecimals(decimals)
  const text = textOf(baseUnits, 'baseUnits')
  if (!WHOLE.test(text)) throw new RangeError(`${shown(text)} is no whole number of base units`)
  const units = BigInt(text)
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * Converts a decimal number in text to base units: `toBaseUnits('1.5', 6)` is `'1500000'`. Never
 * rounds: throws a RangeError if the token has too few decimals for the number, and for any text
 * but digits with at most one point among them (no exponent, no comma, no space); a TypeError for
 * a number.
 */
export function toBaseUnits(decimal: string, decimals: number): string {
  checkDecimals(decimals)
  if (typeof decimal !== 'string')
    throw new TypeError(`amount must be a string, not a ${typeof decimal}`)
  const [match, sign = '', whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? []
  if (match === undefined || decimal.length > LENGTH_MAX)
    throw new RangeError(`${shown(decimal)} is not a decimal number`)
  const exact = fraction.replace(/0+$/, '')
  if (exact.length > decimals)
    throw new RangeError(`${shown(decimal)} has more than ${decimals} decimals`)
  return BigInt(`${sign}${whole}${exact.padEnd(decimals, '0')}`).toString()
}

function checkDecimals(decimals: number): void {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX) return
  throw new RangeError(`decimals must be a whole number from 0 to ${DECIMALS_MAX}, not ${decimals}`)
}

function textOf(value: string | bigint, name: string): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'string')
    throw new TypeError(`${name} must be a string or a bigint, not a ${typeof value}`)
  if (value.length > LENGTH_MAX) throw new RangeError(`${name} has too many digits`)
  return value
}

function shown(text: string): string {
  return JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text)
}
