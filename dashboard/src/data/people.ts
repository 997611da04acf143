import type { User } from '@sluice/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { allOf, contains, pageOf, toCsv } from './local-list.ts'
import { mayApprove } from './roles.ts'
import { t } from '../text/text.ts'

const PEOPLE = queryOptions({
  queryKey: ['people', 'all'],
  queryFn: ({ signal }) => allOf(client.users.all({ signal })),
})

/** The state of a person, as the list shows it. */
export const STANDINGS = [
  'active',
  'invited',
  'expired',
  'withdrawn',
  'reset',
  'disabled',
  'tampered',
] as const
/** The state of a person: active, or why the person cannot sign in. */
export type Standing = (typeof STANDINGS)[number]

/** The filters of the list. */
export interface PeopleFilter {
  q?: string
  role?: string
  standing?: string
}

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

/** The people who match a filter. */
export function matching(
  people: readonly User[],
  { q, role, standing }: PeopleFilter,
): readonly User[] {
  const now = Date.now()
  return people.filter(
    (person) =>
      contains(q, [person.username, person.id]) &&
      (role === undefined || person.role === role) &&
      (standing === undefined || standingOf(person, now) === standing),
  )
}

/** The state of a person. Only an active one can sign in and approve. */
export function standingOf(person: User, now: number): Standing {
  const { status, tampered, enrolled, invitationExpiresAt } = person
  if (tampered) return 'tampered'
  if (status === 'disabled') return 'disabled'
  if (enrolled) return 'active'
  const isOpen = invitationExpiresAt !== null && Date.parse(invitationExpiresAt) > now
  if (status === 'active') return 'reset'
  if (isOpen) return 'invited'
  return invitationExpiresAt === null ? 'withdrawn' : 'expired'
}

/** How many people can approve withdrawals now. */
export function countSigners(people: readonly User[]): number {
  return people.filter(
    (person) => mayApprove(person.role) && person.status === 'active' && !person.tampered,
  ).length
}

/** Whether the organization would have no admin who can sign in without this person. */
export function isLastAdmin(person: User, people: readonly User[]): boolean {
  const isAdmin = (one: User) =>
    one.role === 'admin' && one.status === 'active' && one.enrolled && !one.tampered
  return isAdmin(person) && !people.some((other) => other.id !== person.id && isAdmin(other))
}

/** Reads the people again after a change. */
export function refreshPeople(): void {
  void queries.invalidateQueries({ queryKey: ['people'] })
}

/** The texts of the states, for filters. */
export function standingTexts(): readonly (readonly [value: string, text: string])[] {
  return STANDINGS.map((standing) => [standing, t(`people.standing.${standing}`)])
}
