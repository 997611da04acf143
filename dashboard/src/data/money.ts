import type { ExportFormat } from '@sluice/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { dayRange } from './days.ts'
import { type ReportFilter, statsQuery } from './reports.ts'

/** A chain and a token that balances are limited to. */
interface TokenFilter {
  chainId?: string
  tokenId?: string
}

/** Filters of the ledger, as in the address of its page. */
export const LEDGER_FILTERS = [
  'chainId',
  'tokenId',
  'account',
  'referenceId',
  'from',
  'to',
] as const
export type LedgerFilters = Partial<Record<(typeof LEDGER_FILTERS)[number], string>>
type LedgerQuery = NonNullable<Parameters<typeof client.ledgerEntries.list>[0]>

const PAGE_SIZE = 50
/** Enough for the newest warning of each chain. */
const WARNINGS_MAX = 100

/** The balances of the organization, by token and account. */
export function usePortfolio(filter: TokenFilter = {}) {
  return useQuery({
    queryKey: ['portfolio', filter],
    queryFn: ({ signal }) => client.portfolio.list(filter, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** A page of the entries of the ledger, newest first. */
export function useLedger(filters: LedgerFilters, cursor: string | undefined) {
  return useQuery({
    queryKey: ['ledgerEntries', filters, cursor ?? ''],
    queryFn: ({ signal }) =>
      client.ledgerEntries.list(
        { ...toQuery(filters), limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

/** Every entry of a filter as CSV. */
export function exportLedger(filters: LedgerFilters) {
  return (format: ExportFormat) => client.ledgerEntries.export(format, toQuery(filters))
}

/** An unknown account is refused by the service. */
function toQuery({ from, to, ...rest }: LedgerFilters): LedgerQuery {
  return { ...rest, ...dayRange({ from, to }) } as LedgerQuery
}

/** The statement of a month. */
export function useStatement(filter: ReportFilter) {
  return useQuery({
    queryKey: ['stats', 'statement', filter],
    queryFn: ({ signal }) => client.reports.statement({ ...filter }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Sums by UTC day from one day to another, both included. */
export function useStats(filter: TokenFilter & { from: string; to: string }) {
  return useQuery({
    queryKey: ['stats', 'days', filter],
    queryFn: ({ signal }) => client.reports.stats(statsQuery(filter), { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The query of the wallets that pay network fees, with their balances on the chain now. */
export const GAS_WALLETS = queryOptions({
  queryKey: ['gasStation', 'wallets'],
  queryFn: ({ signal }) => client.gasStation.list({ signal }),
})

/** The newest warnings of low gas wallets. */
export function useGasWarnings() {
  return useQuery({
    queryKey: ['gasStation', 'warnings'],
    queryFn: async ({ signal }) =>
      (await client.events.list({ type: 'gas.low', limit: WARNINGS_MAX }, { signal })).items,
  })
}
