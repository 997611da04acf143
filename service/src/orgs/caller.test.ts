import type { Permission } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { mayDo } from './caller.ts'
import { PERMISSIONS, ROLES } from './user.ts'
import type { Role } from './user.ts'

/** Decisions, section 5, line by line. */
const TABLE: readonly [Permission, string][] = [
  ['none', 'viewer operator approver admin api'],
  ['read', 'viewer operator approver admin api'],
  ['issueAddresses', 'operator approver admin api'],
  ['createWithdrawals', 'operator approver admin api'],
  ['approveWithdrawals', 'approver admin'],
  ['configure', 'admin api'],
  ['sendEvents', 'operator approver admin api'],
  ['acknowledgeAlerts', 'operator approver admin api'],
  ['rotateApiKey', 'admin'],
  ['managePeople', 'admin'],
  ['manageApiKeys', 'admin'],
]

describe('permissions', () => {
  test('the table has all permissions', () => {
    expect(TABLE.map(([permission]) => permission).sort()).toEqual(Object.keys(PERMISSIONS).sort())
  })

  test.each(TABLE)('permission %s belongs to %s', (permission, roles) => {
    const able = ROLES.filter((role) => mayDo(callerOf(role), permission))
    expect(able.join(' ')).toBe(roles)
  })

  test('a session of a recovery code has no permission', () => {
    const permissions = TABLE.map(([permission]) => permission)
    const recovering = { ...callerOf('admin'), isRecovery: true }
    expect(permissions.filter((one) => mayDo(recovering, one))).toEqual(['none'])
  })

  test('the setting removes configure from API keys only', () => {
    const setting = { apiKeyMayConfigure: false }
    expect(ROLES.filter((role) => mayDo(callerOf(role), 'configure', setting))).toEqual(['admin'])
    expect(mayDo(callerOf('api'), 'issueAddresses', setting)).toBe(true)
  })
})

function callerOf(role: Role) {
  const credential = role === 'api' ? ('apiKey' as const) : ('bearer' as const)
  return { orgId: 'o', userId: 'u', role, credential, credentialId: 'c' }
}
