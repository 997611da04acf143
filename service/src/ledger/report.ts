import type { ChainId, TokenId } from '@sluice/wire'
import { type Millis, fromIso } from '../base/clock.ts'

/** An organization's postings from a time on, optionally of one chain or token. */
export interface ReportFilter {
  orgId: string
  from: Millis
  chainId?: ChainId
  tokenId?: TokenId
}

/** Why the credited balance of a token changed, in base units; reversals count as negative. */
export interface Flows {
  deposits: bigint
  fundings: bigint
  withdrawals: bigint
  fees: bigint
  corrections: bigint
}

interface Token {
  chainId: ChainId
  tokenId: TokenId
}

/** `opening + deposits + fundings - withdrawals - fees + corrections = closing`. */
export interface TokenMonth extends Token, Flows {
  opening: bigint
  closing: bigint
}

/** One UTC day (YYYY-MM-DD) of a token with postings; `closing` is the balance at its end. */
export interface TokenDay extends Token, Flows {
  day: string
  depositCount: number
  withdrawalCount: number
  closing: bigint
}

/** A posting may be committed this long after the time that it carries. */
const BOOKING_MS_MAX = 60_000

/** The first and the last moment (exclusive) of a UTC month, YYYY-MM, and whether it has ended. */
export function monthOf(
  month: string,
  now: Millis,
): { from: Millis; to: Millis; isComplete: boolean } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  const to = fromIso(`${next}-01`)
  return { from: fromIso(`${month}-01`), to, isComplete: now >= to + BOOKING_MS_MAX }
}
