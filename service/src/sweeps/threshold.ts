import type { TokenEntry } from '../catalogue/tokens.ts'

/** Of a token whose minimum nobody set, so many whole units. */
const WHOLE_UNITS = 10n
/** Of any other, so many times the minimum. */
const MINIMA = 10n

/**
 * From how much on a token is swept by itself, in base units: what the operator says, else ten
 * times the smallest deposit, else ten whole units. We know no prices: what lies below is moved
 * when it has lain long, or when a withdrawal needs it.
 */
export function sweepThreshold(
  token: Pick<TokenEntry, 'decimals' | 'minimumAmount' | 'sweepAmount'> | null,
): bigint {
  if (token === null) return 1n
  if (token.sweepAmount !== undefined) return token.sweepAmount
  if (token.minimumAmount > 1n) return MINIMA * token.minimumAmount
  return WHOLE_UNITS * 10n ** BigInt(token.decimals)
}
