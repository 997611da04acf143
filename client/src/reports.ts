import type { DayStats } from './generated.ts'
import type { Answer, CallOptions, Query } from './operation.ts'
import type { Download, ExportFormat, ExportOptions, ExportStream } from './download.ts'
import type { Ask } from './transport.ts'

export interface Reports {
  /** The statement of a UTC month: each line adds up to the base unit. */
  statement(query: Query<'getStatement'>, options?: CallOptions): Promise<Answer<'getStatement'>>
  /** The statement as a file: CSV with a header line, or JSON Lines. */
  exportStatement(
    format: ExportFormat,
    query: Query<'getStatement'>,
    options?: ExportOptions,
  ): Promise<ExportStream>
  /** Sums by UTC day, chain and token, oldest day first. */
  stats(filter?: Query<'getStats'>, options?: CallOptions): Promise<DayStats[]>
  /** The same as a file: CSV with a header line, or JSON Lines. */
  exportStats(
    format: ExportFormat,
    filter?: Query<'getStats'>,
    options?: ExportOptions,
  ): Promise<ExportStream>
}

export function openReports(ask: Ask, download: Download): Reports {
  return {
    statement: (query, options) => ask('getStatement', { query: { ...query } }, options),
    exportStatement: (format, query, options) =>
      download('getStatement', format, { query: { ...query } }, options),
    stats: async (query, options) =>
      (await ask('getStats', { query: { ...query } }, options)).stats,
    exportStats: (format, query, options) =>
      download('getStats', format, { query: { ...query } }, options),
  }
}
