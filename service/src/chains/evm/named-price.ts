import { larger } from '../../base/amount.ts'
import { refusalsIn } from '../named-rate.ts'
import type { FeeRate, GasRate, Terms } from '../spending.ts'
import { gasTermsOf, priceOf } from '../spending.ts'

/** Refusals for the price, in the words of all clients, and similar ones for other reasons. */
const ABOUT_PRICE = /price|fee|\btip/i
const ABOUT_BALANCE = /insufficient (?:funds|balance)|balance (?:is )?too low/i
/** Words before a number that the node requires; other numbers repeat the transaction's offer. */
const ASKED = /need|requir|\bmin|least|must|should|expect|want|floor|base ?fee|below|than|[<>]/i
/** Words that distinguish a tip from a whole price; the last one before a number counts. */
const SUBJECT = /(tip|priority)|(?:base ?fee|fee ?cap|max ?fee)/gi
/** A decimal number with its unit, or a hexadecimal one; not the digits of an address or a hash. */
const NUMBER = /\b0x[0-9a-f]{1,16}\b|\b[0-9][0-9_,]*(?:\.[0-9]+)?(?:\s?[gkm]?wei\b)?/gi
const UNITS: Readonly<Record<string, number>> = { wei: 0, kwei: 3, mwei: 6, gwei: 9 }
const IDENTIFIER = /0x[0-9a-f]{17,}/gi

/** A price in a refusal, wei per gas. */
interface Named {
  price: bigint
  isTip: boolean
}

/**
 * The smallest rate that a node named when it refused a transaction under these terms (bor: "gas
 * tip cap 1, minimum needed 2"; geth: "tip needed 2, tip permitted 1", "maxFeePerGas: 1, baseFee:
 * 2"). Null if a node accepted the transaction, or none named a price above the one offered.
 */
export function rateNamed(previous: Terms, answer: string): FeeRate | null {
  const offered = gasTermsOf(previous)
  const rates = refusalsIn(answer).flatMap((said) => rateIn(offered, said) ?? [])
  const [first, ...others] = rates
  if (first === undefined) return null
  return others.reduce((least, rate) => (priceOf(rate) < priceOf(least) ? rate : least), first)
}

function rateIn(offered: GasRate, said: string): GasRate | null {
  if (!ABOUT_PRICE.test(said) || ABOUT_BALANCE.test(said)) return null
  const asked = pricesAskedIn(said)
  if (offered.family === 'eip155-legacy') {
    const gasPrice = largestAbove(asked, offered.gasPrice)
    return gasPrice === null ? null : { family: 'eip155-legacy', gasPrice }
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = offered
  const isOther = ({ price }: Named) => price !== maxFeePerGas
  const tips = asked.filter((one) => one.isTip && isOther(one))
  const tip = largestAbove(tips, maxPriorityFeePerGas)
  const whole = largestAbove(
    asked.filter(({ isTip }) => !isTip),
    maxFeePerGas,
  )
  if (whole === null && tip === null) return null
  const least = tip ?? maxPriorityFeePerGas
  return { family: 'eip155', maxFeePerGas: larger(whole ?? 0n, least), maxPriorityFeePerGas: least }
}

function largestAbove(named: readonly Named[], offered: bigint): bigint | null {
  const prices = named.map(({ price }) => price).filter((price) => price > offered)
  return prices.length === 0 ? null : prices.reduce(larger)
}

function pricesAskedIn(said: string): Named[] {
  const text = said.replaceAll(IDENTIFIER, ' ')
  let from = 0
  return [...text.matchAll(NUMBER)].flatMap((match) => {
    const words = text.slice(from, match.index)
    from = match.index + match[0].length
    if (!ASKED.test(words)) return []
    const subject = [...text.slice(0, match.index).matchAll(SUBJECT)].at(-1)
    const isTip = subject === undefined || subject[1] !== undefined
    return [{ price: priceIn(match[0]), isTip }]
  })
}

function priceIn(text: string): bigint {
  if (text.startsWith('0x')) return BigInt(text)
  const digits = /^[0-9_,.]+/.exec(text)?.[0].replaceAll(/[_,]/g, '') ?? '0'
  const unit = text.slice(text.search(/[a-z]/i)).toLowerCase()
  const decimals = UNITS[unit] ?? 0
  const [whole = '0', fraction = ''] = digits.split('.')
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
