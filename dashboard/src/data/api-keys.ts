import type { ApiKey } from '@sluice/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { allOf, contains, pageOf, toCsv } from './local-list.ts'

/** The scopes of API keys. */
export const SCOPES = ['read', 'deposits', 'withdrawals', 'configure'] as const
/** A part of the interface that an API key may use. */
export type Scope = (typeof SCOPES)[number]
/** The states of API keys. */
export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const
/** How long the old key stays valid after a rotation, in seconds. */
export const OVERLAPS = [0, 3_600, 21_600, 86_400] as const

/** The filters of the list. */
export interface KeyFilter {
  q?: string
  status?: string
  scope?: string
}

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
  const rows = keys.map((key) => [
    ...[key.id, key.name, key.lastFour, key.status],
    ...[key.scopes.join(' '), key.allowedCidrs.join(' ')],
    ...times.map((time) => key[time] ?? ''),
  ])
  return toCsv([[...header, ...times], ...rows]).stream()
}

/** The keys that match a filter. */
export function matchingKeys(
  keys: readonly ApiKey[],
  { q, status, scope }: KeyFilter,
): readonly ApiKey[] {
  return keys.filter(
    (key) =>
      contains(q, [key.name, key.lastFour, key.id]) &&
      (status === undefined || key.status === status) &&
      (scope === undefined || key.scopes.some((one) => one === scope)),
  )
}

/** Networks as they are typed: one in a line, or separated by commas or spaces. */
export function networksIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((network) => network !== '')
}

/** Reads the API keys again after a change. */
export function refreshApiKeys(): void {
  void queries.invalidateQueries({ queryKey: ['apiKeys'] })
}
