import type { DayStats } from './generated.ts'
import type { Answer, CallOptions, Query } from './operation.ts'
import type { Ask } from './transport.ts'

export interface Reports {
  /** The statement of a UTC month: each line adds up to the base unit. */
  statement(query: Query<'getStatement'>, options?: CallOptions): Promise<Answer<'getStatement'>>
  /** Sums by UTC day, chain and token, oldest day first. */
  stats(filter?: Query<'getStats'>, options?: CallOptions): Promise<DayStats[]>
}

export function openReports(ask: Ask): Reports {
  return {
    statement: (query, options) => ask('getStatement', { query: { ...query } }, options),
    stats: async (query, options) =>
      (await ask('getStats', { query: { ...query } }, options)).stats,
  }
}
