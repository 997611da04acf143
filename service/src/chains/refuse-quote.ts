import type { Intent, Quote, QuoteRefusal } from './port.ts'

/** A payment that cannot be quoted. */
export type Refused = Extract<Quote, { ok: false }>

/** A refused quote with its amounts, in base units. */
export function refuseQuote(
  code: QuoteRefusal,
  message: string,
  numbers: Readonly<Record<string, bigint>>,
): Refused {
  const details = Object.entries(numbers).map(([key, value]) => [key, value.toString()])
  return { ok: false, code, message, details: Object.fromEntries(details) }
}

/** A refused quote because the sender holds less than the amount. */
export function tooLittle({ amount: required }: Intent, available: bigint): Refused {
  const says = 'the sender holds too little'
  return refuseQuote('INSUFFICIENT_BALANCE', says, { available, required })
}
