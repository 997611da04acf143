import type { Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { type PeoplePage, type PersonRow, pageQuery, selectPerson } from './people-rows.ts'
import { type User, userFromRow } from './user.ts'

/** A user of an organization, without the user of its API key. */
export interface Person extends User {
  /** Whether the user has a password and a TOTP secret. */
  isEnrolled: boolean
  lastLoginAt: Millis | null
  /** The end of the invitation, which may be in the past; null without an open one. */
  invitedUntil: Millis | null
}

/** A page of the people of an organization who match a filter, newest first. */
export async function listPeople(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  page: PeoplePage,
): Promise<Person[]> {
  const rows = await tx.many(pageQuery(page))
  return rows.map((row) => personFromRow(serviceKey, row))
}

/** A person of an organization. Refuses with NOT_FOUND. */
export async function readPerson(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<Person> {
  const row = isId(id) ? await selectPerson(tx, { orgId, id }) : null
  if (row === null) return refusePerson(id)
  return personFromRow(serviceKey, row)
}

/** Refuses with NOT_FOUND. */
export function refusePerson(id: string): never {
  const says = 'No user of your organization has this id.'
  throw new Refusal('NOT_FOUND', { id: id.slice(0, 100) }, says)
}

function personFromRow(serviceKey: Pick<ServiceKey, 'verify'>, row: PersonRow): Person {
  return {
    ...userFromRow(serviceKey, row),
    isEnrolled: row.is_enrolled,
    lastLoginAt: row.last_login_at,
    invitedUntil: row.invited_until,
  }
}
