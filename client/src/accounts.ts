import type { Download, ExportFormat, ExportOptions, ExportStream } from './download.ts'
import type { Account } from './generated.ts'
import type { CallOptions, Filter } from './operation.ts'
import { eachOf, type Page, type PageOptions, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** The deposit accounts of the organization's users. */
export interface Accounts {
  /** A page of the accounts, newest first. */
  list(filter?: Filter<'getAccounts'> & PageOptions, options?: CallOptions): Promise<Page<Account>>
  /** Every account, newest first, page after page. */
  all(
    filter?: Filter<'getAccounts'>,
    options?: CallOptions,
  ): AsyncGenerator<Account, void, undefined>
  /** All matching accounts as CSV or JSON Lines, as the service writes them. */
  export(
    format: ExportFormat,
    filter?: Filter<'getAccounts'>,
    options?: ExportOptions,
  ): Promise<ExportStream>
}

export function openAccounts(ask: Ask, download: Download): Accounts {
  const list: Accounts['list'] = async (filter, options) => {
    const answer = await ask('getAccounts', { query: paged(filter) }, options)
    return toPage(answer.accounts, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getAccounts', format, { query: { ...filter } }, options),
  }
}
