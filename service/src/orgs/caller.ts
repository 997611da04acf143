import { PERMISSION_NAMES, type Permission, SCOPE_OF, type Scope } from '@sluice/wire'
import { Refusal } from '../base/fault.ts'
import { type IpAddress, isWithin } from './network.ts'
import { PERMISSIONS } from './user.ts'
import type { Role } from './user.ts'

/** An access token that is expired, ended or not ours: INVALID_TOKEN as a 401 (section 5). */
export class BadSession extends Error {
  override readonly name = 'BadSession'
}

/** The limits of an API key. */
export interface KeyLimits {
  scopes: readonly Scope[]
  /** In CIDR notation; empty: from everywhere. */
  networks: readonly string[]
}

interface Sender {
  orgId: string
  userId: string
  role: Role
  /** The id of the API key or of the session. */
  credentialId: string
  /** Signed in with a recovery code: may only enrol a new TOTP secret and end sessions. */
  isRecovery?: boolean
}

/** Whether the caller signed in with a recovery code. */
export function isRecovering({ isRecovery = false }: Pick<Caller, 'isRecovery'>): boolean {
  return isRecovery
}

/** A person with a session. */
export interface PersonCaller extends Sender {
  credential: 'bearer'
}

/** The owner of an API key. */
export interface KeyOwner extends Sender {
  credential: 'apiKey'
  limits: KeyLimits
}

/** What an API key is used for, and from where. */
export interface KeyUse {
  permission: Permission
  /** Null if it is unknown. */
  address: IpAddress | null
}

/** A server that uses an API key for one operation. */
export interface KeyCaller extends KeyOwner {
  use: KeyUse
}

/** The authenticated sender of a request. */
export type Caller = PersonCaller | KeyCaller

/**
 * Returns whether a caller has a permission (decisions, section 5). `apiKeyMayConfigure` is the
 * setting SLUICE_API_KEY_MAY_CONFIGURE; it removes `configure` from API keys only.
 */
export function mayDo(
  caller: Pick<Caller, 'role' | 'isRecovery'>,
  permission: Permission,
  { apiKeyMayConfigure = true }: { apiKeyMayConfigure?: boolean } = {},
): boolean {
  if (isRecovering(caller)) return permission === 'none'
  if (permission === 'configure' && caller.role === 'api' && !apiKeyMayConfigure) return false
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(caller.role)
}

/** Every permission that a caller has: those of the role, and for an API key of its scopes. */
export function permissionsOf(
  caller: Caller,
  settings: { apiKeyMayConfigure: boolean },
): Permission[] {
  return PERMISSION_NAMES.filter((permission) => {
    if (permission === 'none' || !mayDo(caller, permission, settings)) return false
    const scope = SCOPE_OF[permission]
    if (caller.credential === 'bearer') return true
    return scope !== null && caller.limits.scopes.includes(scope)
  })
}

/**
 * Refuses an API key that does not have the scope of a permission, or that is used from an address
 * outside its networks, with FORBIDDEN; `details` has the scope or the address.
 */
export function requireUse({ scopes, networks }: KeyLimits, { permission, address }: KeyUse): void {
  if (networks.length > 0 && !isWithin(networks, address))
    throw new Refusal(
      'FORBIDDEN',
      { required: 'allowedCidrs', address: address?.toString() ?? null },
      'This API key may not be used from this address. An admin can change its `allowedCidrs`.',
    )
  const scope = SCOPE_OF[permission]
  if (scope !== null && scopes.includes(scope)) return
  throw new Refusal(
    'FORBIDDEN',
    { required: permission, scope },
    `This API key does not have the scope \`${scope}\`. An admin can change its \`scopes\`.`,
  )
}
