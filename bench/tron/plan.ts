import { base58Of } from '@sluice/simulator'
import { createHash } from 'node:crypto'

/** How the synthetic chain of TRON is cut: as much as a busy block of the main network has. */
export const TRON = {
  id: 'tron:shasta',
  /** The height before the first block of the chain. */
  origin: 40_000_000,
  /** Half of them of coins, half of a token. */
  transactions: 200,
  deposits: 8,
  /** Blocks that make one below them solid. */
  solidLag: 18,
  slotMs: 3_000,
  /** As the catalogue has it. */
  contract: 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs',
  decimals: 6,
  symbol: 'USDT',
} as const

/** A prime that scatters deposits over the watched addresses. */
const STRIDE = 7_919
const EVERY = Math.floor(TRON.transactions / TRON.deposits)

/** The watched address of a number, as 21 bytes in hex. */
export function watchedHex(index: number): string {
  return `41${digest(`watched ${index}`)}`
}

/** The same as people write it. */
export function watchedAddress(index: number): string {
  return base58Of(watchedHex(index))
}

/** An address that is not watched, as 21 bytes in hex. */
export function strangerHex(name: string): string {
  return `41${digest(`stranger ${name}`)}`
}

/** Which watched address a transaction of a block pays; null for those among strangers. */
export function payeeOf(height: number, position: number, watched: number): number | null {
  if (position % EVERY !== 0 || position / EVERY >= TRON.deposits) return null
  const number = (height - TRON.origin - 1) * TRON.deposits + position / EVERY
  return (number * STRIDE) % watched
}

/** Base units that a transaction moves. */
export function amountOf(height: number, position: number): bigint {
  return 1_000_000n + BigInt((height - TRON.origin) * TRON.transactions + position)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}
