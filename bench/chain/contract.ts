import { word } from '@sluice/simulator'
import { TOKEN_FACTS } from './plan.ts'

const BALANCE_OF = '0x70a08231'
const DECIMALS = '0x313ce567'
const SYMBOL = '0x95d89b41'

/** The holder of a balance query; null for another query. */
export function decodeBalanceOf(data: string): string | null {
  return data.startsWith(BALANCE_OF) ? `0x${data.slice(-40)}` : null
}

/** A number or a token's description as a contract returns it; null without one. */
export function encodeAnswer(answer: bigint): string
export function encodeAnswer(asked: { token: number; data: string }): string | null
export function encodeAnswer(given: bigint | { token: number; data: string }): string | null {
  if (typeof given === 'bigint') return `0x${word(given)}`
  const facts = TOKEN_FACTS[given.token]
  if (facts === undefined) return null
  if (given.data.startsWith(DECIMALS)) return `0x${word(facts.decimals)}`
  if (!given.data.startsWith(SYMBOL)) return null
  const text = Buffer.from(facts.symbol).toString('hex').padEnd(64, '0')
  return `0x${word(32)}${word(facts.symbol.length)}${text}`
}
