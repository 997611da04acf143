import type { Client, ExportFormat } from '@sluice/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { allOf } from './local-list.ts'

/** Filters of the list. */
export const PEOPLE_FILTERS = ['q', 'role', 'status'] as const
export type PeopleFilter = Partial<Record<(typeof PEOPLE_FILTERS)[number], string>>
/** The statuses of people. */
export const PERSON_STATUSES = ['active', 'invited', 'disabled'] as const
type Query = NonNullable<Parameters<Client['users']['list']>[0]>

const PAGE = 50

/** The query of all people. */
export const PEOPLE = queryOptions({
  queryKey: ['people', 'all'],
  queryFn: ({ signal }) => allOf(client.users.all({}, { signal })),
})

/** Everybody in the organization, the newest first. */
export function usePeople() {
  return useQuery(PEOPLE)
}

/** A page of the people of a filter, the newest first. */
export function usePeoplePage(filter: PeopleFilter, cursor: string | undefined) {
  return useQuery({
    queryKey: ['people', 'list', filter, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.users.list({ ...toQuery(filter), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** One person. */
export function usePerson(id: string) {
  return useQuery({
    queryKey: ['people', id],
    queryFn: ({ signal }) => client.users.get(id, { signal }),
  })
}

/** Everybody of a filter as CSV. */
export function exportPeople(filter: PeopleFilter) {
  return (format: ExportFormat) => client.users.export(format, toQuery(filter))
}

/** The service refuses a value that it does not know. */
function toQuery(filter: PeopleFilter): Query {
  return filter as Query
}

/** Reads the people again after a change. */
export function refreshPeople(): void {
  void queries.invalidateQueries({ queryKey: ['people'] })
}
