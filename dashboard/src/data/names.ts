import type { User } from '@sluice/client'
import { useQuery } from '@tanstack/react-query'
import { PEOPLE } from './people.ts'

const RARELY_MS = 5 * 60_000

/**
 * The names of people by their ids; undefined until they are known. A user without a name is an
 * API key.
 */
export function useNames(): ReadonlyMap<string, string> | undefined {
  return useQuery({ ...PEOPLE, staleTime: RARELY_MS, select: namesOf }).data
}

function namesOf(people: readonly User[]): ReadonlyMap<string, string> {
  return new Map(people.map(({ id, username }) => [id, username]))
}
