import type { Client, ExportFormat } from '@sluice/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { allOf } from './local-list.ts'

/** Filters of the list. */
export const KEY_FILTERS = ['q', 'status', 'scope'] as const
export type KeyFilter = Partial<Record<(typeof KEY_FILTERS)[number], string>>
type Query = NonNullable<Parameters<Client['apiKeys']['list']>[0]>

/** The scopes of API keys. */
export const SCOPES = ['read', 'deposits', 'withdrawals', 'configure'] as const
/** A part of the interface that an API key may use. */
export type Scope = (typeof SCOPES)[number]
/** The states of API keys. */
export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const
/** How long the old key stays valid after a rotation, in seconds. */
export const OVERLAPS = [0, 3_600, 21_600, 86_400] as const

const PAGE = 50

const KEYS = queryOptions({
  queryKey: ['apiKeys', 'all'],
  queryFn: ({ signal }) => allOf(client.apiKeys.all({}, { signal })),
})

/** A page of the API keys of a filter, the newest first. */
export function useApiKeysPage(filter: KeyFilter, cursor: string | undefined) {
  return useQuery({
    queryKey: ['apiKeys', 'list', filter, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.apiKeys.list({ ...toQuery(filter), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** One API key; null if the id is unknown. */
export function useApiKey(id: string) {
  return useQuery({ ...KEYS, select: (keys) => keys.find((key) => key.id === id) ?? null })
}

/** Every API key of a filter as CSV. */
export function exportApiKeys(filter: KeyFilter) {
  return (format: ExportFormat) => client.apiKeys.export(format, toQuery(filter))
}

/** The service refuses a value that it does not know. */
function toQuery(filter: KeyFilter): Query {
  return filter as Query
}

/** Reads the API keys again after a change. */
export function refreshApiKeys(): void {
  void queries.invalidateQueries({ queryKey: ['apiKeys'] })
}
