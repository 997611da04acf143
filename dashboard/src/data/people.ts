import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { allOf, pageOf, toCsv } from './local-list.ts'
import { matching, type PeopleFilter, STANDINGS, standingOf } from './standing.ts'
import { t } from '../text/text.ts'

/** The query of all people. */
export const PEOPLE = queryOptions({
  queryKey: ['people', 'all'],
  queryFn: ({ signal }) => allOf(client.users.all({ signal })),
})

/** Everybody in the organization, the newest first. */
export function usePeople() {
  return useQuery(PEOPLE)
}

/** A page of the people who match a filter. */
export function usePeoplePage(filter: PeopleFilter, cursor: string | undefined) {
  return useQuery({
    ...PEOPLE,
    select: (people) => pageOf(matching(people, filter), cursor),
  })
}

/** One person. */
export function usePerson(id: string) {
  return useQuery({
    queryKey: ['people', id],
    queryFn: ({ signal }) => client.users.get(id, { signal }),
  })
}

/** The people who match a filter, as CSV. */
export async function exportPeople(filter: PeopleFilter): Promise<ReadableStream<Uint8Array>> {
  const people = matching(await queries.fetchQuery({ ...PEOPLE, staleTime: 0 }), filter)
  const header = ['id', 'username', 'role', 'status', 'lastLoginAt', 'createdAt']
  const rows = people.map((person) => [
    person.id,
    person.username,
    person.role,
    standingOf(person, Date.now()),
    person.lastLoginAt ?? '',
    person.createdAt,
  ])
  return toCsv([header, ...rows]).stream()
}

/** Reads the people again after a change. */
export function refreshPeople(): void {
  void queries.invalidateQueries({ queryKey: ['people'] })
}

/** The texts of the states, for filters. */
export function standingTexts(): readonly (readonly [value: string, text: string])[] {
  return STANDINGS.map((standing) => [standing, t(`people.standing.${standing}`)])
}
