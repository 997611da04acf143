import type { Account, ExportFormat } from '@sluice/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'

/** Filters of the list of accounts. */
export const ACCOUNT_FILTERS = ['userId', 'address', 'chainId'] as const
export type AccountFilters = Partial<Record<(typeof ACCOUNT_FILTERS)[number], string>>

const PAGE = 50
/** More than the chains of a service: every account of one end user. */
const ALL = 500

/** A page of the accounts of a filter. */
export function useAccounts(filters: AccountFilters, cursor?: string) {
  return useQuery({
    queryKey: ['accounts', 'list', filters, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.accounts.list({ ...filters, ...page }, { signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** Every account of a filter as CSV. */
export function exportAccounts(filters: AccountFilters) {
  return (format: ExportFormat) => client.accounts.export(format, filters)
}

/** The accounts of one end user, one for each chain at most. */
export function useAccountsOf(userId: string) {
  return useQuery({
    queryKey: ['accounts', 'user', userId],
    queryFn: async ({ signal }) =>
      (await client.accounts.list({ userId, limit: ALL }, { signal })).items,
  })
}

/** The accounts of an address. All end users of the XRP Ledger share one. */
export function useAccountsAt(address: string) {
  return useQuery({
    queryKey: ['accounts', 'address', address],
    queryFn: ({ signal }) => client.accounts.list({ address, limit: PAGE }, { signal }),
  })
}

/** The account of an end user on a chain; null without one. Not read while the id is empty. */
export function useAccountOn(chainId: string, userId: string) {
  return useQuery({
    queryKey: ['accounts', 'on', chainId, userId],
    queryFn: async ({ signal }) =>
      (await client.accounts.list({ chainId, userId, limit: 1 }, { signal })).items[0] ?? null,
    enabled: userId !== '',
  })
}

/** Issues the address of an end user on the chain of a token; an existing one is returned. */
export async function issueAddress(request: {
  chainId: string
  tokenId: string
  userId: string
}): Promise<Account> {
  const account = await client.payments.depositAddress(request)
  await queries.invalidateQueries({ queryKey: ['accounts'] })
  return account
}
