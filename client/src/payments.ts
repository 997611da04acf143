import type { Download, ExportFormat, ExportOptions, ExportStream } from './download.ts'
import type { Account, Deposit, PaymentTrace, SingleDeposit } from './generated.ts'
import type { CallOptions, Filter, Query } from './operation.ts'
import { eachOf, type Page, type PageOptions, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** Deposit addresses, and what was paid to them. */
export interface Payments {
  /** The deposit account of a user on a chain; created by the first call. */
  depositAddress(query: Query<'getDepositAddress'>, options?: CallOptions): Promise<Account>
  /** One deposit, by its id, with its notification and its sweep. */
  deposit(id: string, options?: CallOptions): Promise<SingleDeposit>
  /** A page of the deposits, newest first. */
  list(filter?: Filter<'getPayments'> & PageOptions, options?: CallOptions): Promise<Page<Deposit>>
  /** Every deposit, newest first, page after page. */
  all(
    filter?: Filter<'getPayments'>,
    options?: CallOptions,
  ): AsyncGenerator<Deposit, void, undefined>
  /** All matching deposits as CSV or JSON Lines, as the service writes them. */
  export(
    format: ExportFormat,
    filter?: Filter<'getPayments'>,
    options?: ExportOptions,
  ): Promise<ExportStream>
  /** A page of the deposits of one user, newest first. */
  listOfUser(
    userId: string,
    filter?: Filter<'getUserDeposits'> & PageOptions,
    options?: CallOptions,
  ): Promise<Page<Deposit>>
  /** Every deposit of one user, newest first, page after page. */
  allOfUser(
    userId: string,
    filter?: Filter<'getUserDeposits'>,
    options?: CallOptions,
  ): AsyncGenerator<Deposit, void, undefined>
  /** Why the payments of a transaction are credited, or are not, step by step. */
  trace(query: Query<'getPaymentsTrace'>, options?: CallOptions): Promise<PaymentTrace>
}

export function openPayments(ask: Ask, download: Download): Payments {
  const list: Payments['list'] = async (filter, options) => {
    const answer = await ask('getPayments', { query: paged(filter) }, options)
    return toPage(answer.payments, answer.nextCursor)
  }
  const listOfUser: Payments['listOfUser'] = async (userId, filter, options) => {
    const input = { path: { userId }, query: paged(filter) }
    const answer = await ask('getUserDeposits', input, options)
    return toPage(answer.deposits, answer.nextCursor)
  }
  return {
    depositAddress: async (query, options) =>
      (await ask('getDepositAddress', { query }, options)).address,
    deposit: async (id, options) => (await ask('getDeposit', { path: { id } }, options)).deposit,
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getPayments', format, { query: { ...filter } }, options),
    listOfUser,
    allOfUser: (userId, filter, options) =>
      eachOf((part) => listOfUser(userId, { ...filter, ...part }, options)),
    trace: async (query, options) => (await ask('getPaymentsTrace', { query }, options)).trace,
  }
}
