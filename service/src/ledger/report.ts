import type { ChainId, TokenId } from '@sluice/wire'
import { type Millis, fromIso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { selectDays, selectStatement } from './report-rows.ts'

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

/** One UTC day (YYYY-MM-DD) of a token that had postings, with its balance at the end of the day. */
export interface TokenDay extends Token, Flows {
  day: string
  depositCount: number
  withdrawalCount: number
  closing: bigint
}

/** A posting may be committed this long after the time that it carries. */
const BOOKING_MS_MAX = 60_000

/** The first and the last moment (exclusive) of a UTC month, YYYY-MM, and whether it is over. */
export function monthOf(
  month: string,
  now: Millis,
): { from: Millis; to: Millis; isComplete: boolean } {
  const from = fromIso(`${month}-01`)
  const next = new Date(from)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const to = next.getTime()
  return { from, to, isComplete: now >= to + BOOKING_MS_MAX }
}

/**
 * The credited balance of each token at the beginning and end of a time, and its changes between
 * them, by chain and token.
 */
export function readStatement(
  tx: Tx,
  filter: ReportFilter & { to: Millis },
): Promise<TokenMonth[]> {
  return selectStatement(tx, filter)
}

/** The changes of each token by UTC day, oldest first. Both ends are extended to whole days. */
export function readDays(tx: Tx, filter: ReportFilter & { to: Millis }): Promise<TokenDay[]> {
  return selectDays(tx, { ...filter, from: startOfDay(filter.from) })
}

function startOfDay(at: Millis): Millis {
  const day = new Date(at)
  return day.setUTCHours(0, 0, 0, 0)
}
