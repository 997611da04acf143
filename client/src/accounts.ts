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
}

export function openAccounts(ask: Ask): Accounts {
  const list: Accounts['list'] = async (filter, options) => {
    const answer = await ask('getAccounts', { query: paged(filter) }, options)
    return toPage(answer.accounts, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
  }
}
