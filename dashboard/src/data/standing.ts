import type { User } from '@sluice/client'
import { mayApprove } from './roles.ts'

/** The state of a person: active, or why the person cannot sign in. */
export type Standing =
  | 'active'
  | 'invited'
  | 'expired'
  | 'withdrawn'
  | 'reset'
  | 'disabled'
  | 'tampered'

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
