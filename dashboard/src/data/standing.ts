import type { User } from '@sluice/client'
import { contains } from './local-list.ts'
import { mayApprove } from './roles.ts'

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
