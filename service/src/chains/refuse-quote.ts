import type { Intent, Quote, QuoteRefusal } from './port.ts'

/** A payment that cannot be quoted. */
export type Refused = Extract<Quote, { ok: false }>

/** Refuses to quote a payment, with the numbers that say why, in base units. */
export function refuseQuote(
  code: QuoteRefusal,
  message: string,
  numbers: Readonly<Record<string, bigint>>,
): Refused {
  const details = Object.entries(numbers).map(([key, value]) => [key, value.toString()])
  return { ok: false, code, message, details: Object.fromEntries(details) }
}

/** Refuses a payment of more than its sender has of it. */
export function tooLittle({ amount: required }: Intent, available: bigint): Refused {
  const says = 'the sender holds too little'
  return refuseQuote('INSUFFICIENT_BALANCE', says, { available, required })
}
