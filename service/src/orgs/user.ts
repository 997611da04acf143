import type { Permission } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { UserRow } from './user-rows.ts'

export const ROLES = ['viewer', 'operator', 'approver', 'admin', 'api'] as const
/** `api` is the one user of an organization whose credential is the API key; it cannot log in. */
export type Role = (typeof ROLES)[number]
/** The role of a person. */
export type HumanRole = Exclude<Role, 'api'>

/**
 * An invited user has not set a password yet; a disabled one has no permissions, and the records
 * remain.
 */
export type UserStatus = 'invited' | 'active' | 'disabled'

/** The permissions of each role (decisions, section 5). A setting may deny API keys `configure`. */
export const PERMISSIONS = {
  none: ROLES,
  read: ROLES,
  issueAddresses: ['operator', 'approver', 'admin', 'api'],
  createWithdrawals: ['operator', 'approver', 'admin', 'api'],
  approveWithdrawals: ['approver', 'admin'],
  configure: ['admin', 'api'],
  // Resending an event to the same receiver changes no state and moves no money.
  sendEvents: ['operator', 'approver', 'admin', 'api'],
  acknowledgeAlerts: ['operator', 'approver', 'admin', 'api'],
  rotateApiKey: ['admin'],
  managePeople: ['admin'],
  manageApiKeys: ['admin'],
} as const satisfies Record<Permission, readonly Role[]>

/** A person of an organization; its customers are end users. */
export interface User {
  orgId: string
  id: string
  username: string
  role: Role
  status: UserStatus
  /** Whether the MAC of the service key over the fields below holds, and is the latest one. */
  authentic: boolean
  /** Differs for each change of role or status; null as created. */
  version: string | null
  createdAt: Millis
  updatedAt: Millis
}

/** The fields of a user that decide what it may do, under the MAC of the service key. */
export type AuthenticatedFields = Pick<User, 'id' | 'orgId' | 'role' | 'status' | 'version'>

/** The MAC over the fields that are protected from changes in the database (engineering, 7). */
export function macOfUser(
  serviceKey: Pick<ServiceKey, 'mac'>,
  user: AuthenticatedFields,
): Uint8Array {
  return serviceKey.mac('user', fieldsOf(user))
}

/** Reads a stored user, and whether it is authentic. */
export function userFromRow(serviceKey: Pick<ServiceKey, 'verify'>, row: UserRow): User {
  const { org_id: orgId, id, role, status, version } = row
  const fields = fieldsOf({ id, orgId, role, status, version })
  return {
    orgId,
    id,
    username: row.username,
    role,
    status,
    version,
    authentic: serviceKey.verify('user', fields, row.mac),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function fieldsOf({ id, orgId, role, status, version }: AuthenticatedFields) {
  return [id, orgId, role, status, ...(version === null ? [] : [version])]
}
