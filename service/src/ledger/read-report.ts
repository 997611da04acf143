import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { selectDays, selectStatement } from './report-rows.ts'
import type { ReportFilter, TokenDay, TokenMonth } from './report.ts'

const DAY_MS: Millis = 86_400_000

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
  return selectDays(tx, { ...filter, from: filter.from - (filter.from % DAY_MS) })
}
