import type { ApiKey } from '@sluice/client'
import { contains } from './local-list.ts'

/** The filters of the list. */
export interface KeyFilter {
  q?: string
  status?: string
  scope?: string
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
