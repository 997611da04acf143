import type { Download, ExportFormat, ExportOptions, ExportStream } from './download.ts'
import type { LedgerEntry, Sweep, UnattributedPayment } from './generated.ts'
import type { Body, CallOptions, Filter } from './operation.ts'
import { eachOf, type Page, type PageOptions, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** A list that is only read. */
export interface ReadList<Item, Filtered> {
  /** A page, newest first. */
  list(filter?: Filtered & PageOptions, options?: CallOptions): Promise<Page<Item>>
  /** Every record, newest first, page after page. */
  all(filter?: Filtered, options?: CallOptions): AsyncGenerator<Item, void, undefined>
  /** All matching records as CSV or JSON Lines, as the service writes them. */
  export(format: ExportFormat, filter?: Filtered, options?: ExportOptions): Promise<ExportStream>
}

/** Transfers from deposit addresses to the settlement addresses. */
export type Sweeps = ReadList<Sweep, Filter<'getSweeps'>>

/** Postings of the ledger. */
export type LedgerEntries = ReadList<LedgerEntry, Filter<'getLedgerEntries'>>

/** Payments without a known destination tag. */
export interface Unattributed extends ReadList<UnattributedPayment, Filter<'getUnattributed'>> {
  /**
   * Proposes an end user, or confirms the proposal of another person. Needs an access token and a
   * fresh one-time code. Never repeated.
   */
  assign(
    id: string,
    assignment: Body<'postUnattributedAssign'>,
    options?: CallOptions,
  ): Promise<UnattributedPayment>
}

export function openSweeps(ask: Ask, download: Download): Sweeps {
  const list: Sweeps['list'] = async (filter, options) => {
    const answer = await ask('getSweeps', { query: paged(filter) }, options)
    return toPage(answer.sweeps, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getSweeps', format, { query: { ...filter } }, options),
  }
}

export function openLedgerEntries(ask: Ask, download: Download): LedgerEntries {
  const list: LedgerEntries['list'] = async (filter, options) => {
    const answer = await ask('getLedgerEntries', { query: paged(filter) }, options)
    return toPage(answer.ledgerEntries, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getLedgerEntries', format, { query: { ...filter } }, options),
  }
}

export function openUnattributed(ask: Ask, download: Download): Unattributed {
  const list: Unattributed['list'] = async (filter, options) => {
    const answer = await ask('getUnattributed', { query: paged(filter) }, options)
    return toPage(answer.unattributed, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getUnattributed', format, { query: { ...filter } }, options),
    assign: async (id, body, options) =>
      (await ask('postUnattributedAssign', { path: { id }, body }, options)).unattributed,
  }
}
