import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { type ReportFilter, statsQuery } from './reports.ts'

/** A chain and a token that balances are limited to. */
interface TokenFilter {
  chainId?: string
  tokenId?: string
}

/** The filters of the ledger. */
export type LedgerFilter = Omit<
  NonNullable<Parameters<typeof client.ledgerEntries.list>[0]>,
  'limit' | 'cursor'
>

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
export function useLedger(filter: LedgerFilter, cursor: string | undefined) {
  return useQuery({
    queryKey: ['ledgerEntries', filter, cursor],
    queryFn: ({ signal }) =>
      client.ledgerEntries.list(
        { ...filter, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
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

/** The wallets that pay network fees, with what they hold on the chain now. */
export function useGasStation() {
  return useQuery({
    queryKey: ['gasStation', 'wallets'],
    queryFn: ({ signal }) => client.gasStation.list({ signal }),
  })
}

/** The newest warnings of low gas wallets. */
export function useGasWarnings() {
  return useQuery({
    queryKey: ['gasStation', 'warnings'],
    queryFn: async ({ signal }) =>
      (await client.events.list({ type: 'gas.low', limit: WARNINGS_MAX }, { signal })).items,
  })
}
