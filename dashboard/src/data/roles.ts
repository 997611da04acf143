import { t } from '../text/text.ts'

/** The roles of people. Each has the permissions of those before it, and more. */
export const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const
/** The role of a person. */
export type Role = (typeof ROLES)[number]

/** The permissions in the order of roles, with the first role that has each. */
const LEAST_ROLE = {
  read: 'viewer',
  issueAddresses: 'operator',
  createWithdrawals: 'operator',
  sendEvents: 'operator',
  acknowledgeAlerts: 'operator',
  approveWithdrawals: 'approver',
  configure: 'admin',
  managePeople: 'admin',
  manageApiKeys: 'admin',
  rotateApiKey: 'admin',
} as const satisfies Record<string, Role>

/** The name of a permission. */
export type PermissionName = keyof typeof LEAST_ROLE

/** All permissions, those of the first role first. */
export const PERMISSIONS = Object.keys(LEAST_ROLE).filter(isPermission)

/** Whether a person with this role may approve withdrawals. */
export function mayApprove(role: string): boolean {
  return role === 'approver' || role === 'admin'
}

/** The name of a role; of one that this version does not know, as the service writes it. */
export function roleName(role: string): string {
  return isRole(role) ? t(`roles.${role}.name`) : role
}

/** The tasks of a role, in a sentence. */
export function roleDoes(role: string): string {
  return isRole(role) ? t(`roles.${role}.does`) : ''
}

/** The least role that has a permission, in words; the permission itself if it is unknown. */
export function leastRole(permission: string): string {
  return isPermission(permission) ? roleName(LEAST_ROLE[permission]) : permission
}

function isRole(role: string): role is Role {
  return ROLES.some((known) => known === role)
}

function isPermission(name: string): name is PermissionName {
  return Object.hasOwn(LEAST_ROLE, name)
}
