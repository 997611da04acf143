/** Characters with which spreadsheets begin a formula, and the plain negative number they allow. */
const FORMULA = /^[=+\-@\t\r]/
const NEGATIVE_NUMBER = /^-[0-9]+(?:\.[0-9]+)?$/

/** One record of a CSV file (RFC 4180), with its line end. */
export function csvRecord(cells: readonly unknown[]): string {
  return `${cells.map((cell) => quoted(neutralised(textOf(cell)))).join(',')}\r\n`
}

/**
 * Base units as a decimal number without trailing zeros: `1500000` with 6 decimals is `1.5`. Text
 * that is no integer stays as it is.
 */
export function decimalOf(units: string, decimals: number): string {
  const [, sign = '', digits] = /^(-?)([0-9]+)$/.exec(units) ?? []
  if (digits === undefined) return units
  const padded = digits.padStart(decimals + 1, '0')
  const whole = padded.slice(0, padded.length - decimals)
  const fraction = padded.slice(padded.length - decimals).replace(/0+$/, '')
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`)
}

/** An empty cell for null; lists are separated by spaces, other objects are JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A cell that begins like a formula gets an apostrophe, so that a spreadsheet shows its text. */
function neutralised(text: string): string {
  return FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
