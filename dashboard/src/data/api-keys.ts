import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { type KeyFilter, matchingKeys } from './key-terms.ts'
import { allOf, pageOf, toCsv } from './local-list.ts'

/** The scopes of API keys. */
export const SCOPES = ['read', 'deposits', 'withdrawals', 'configure'] as const
/** A part of the interface that an API key may use. */
export type Scope = (typeof SCOPES)[number]
/** The states of API keys. */
export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const
/** How long the old key stays valid after a rotation, in seconds. */
export const OVERLAPS = [0, 3_600, 21_600, 86_400] as const

const KEYS = queryOptions({
  queryKey: ['apiKeys', 'all'],
  queryFn: ({ signal }) => allOf(client.apiKeys.all({ signal })),
})

/** A page of the API keys that match a filter, the newest first. */
export function useApiKeysPage(filter: KeyFilter, cursor: string | undefined) {
  return useQuery({ ...KEYS, select: (keys) => pageOf(matchingKeys(keys, filter), cursor) })
}

/** One API key; null if the id is unknown. */
export function useApiKey(id: string) {
  return useQuery({ ...KEYS, select: (keys) => keys.find((key) => key.id === id) ?? null })
}

/** The API keys that match a filter, as CSV. */
export async function exportApiKeys(filter: KeyFilter): Promise<ReadableStream<Uint8Array>> {
  const keys = matchingKeys(await queries.fetchQuery({ ...KEYS, staleTime: 0 }), filter)
  const header = ['id', 'name', 'lastFour', 'status', 'scopes', 'allowedCidrs']
  const times = ['createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'] as const
  const rows = keys.map((key) => {
    const { id, name, lastFour, status, scopes, allowedCidrs } = key
    const terms = [scopes.join(' '), allowedCidrs.join(' ')]
    return [id, name, lastFour, status, ...terms, ...times.map((time) => key[time] ?? '')]
  })
  return toCsv([[...header, ...times], ...rows]).stream()
}

/** Reads the API keys again after a change. */
export function refreshApiKeys(): void {
  void queries.invalidateQueries({ queryKey: ['apiKeys'] })
}
