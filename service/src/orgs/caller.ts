import type { Permission } from '@sluice/wire'
import { PERMISSIONS } from './user.ts'
import type { Role } from './user.ts'

/** An access token that is expired, ended or not ours: INVALID_TOKEN as a 401 (section 5). */
export class BadSession extends Error {
  override readonly name = 'BadSession'
}

/** The authenticated sender of a request. */
export interface Caller {
  orgId: string
  userId: string
  role: Role
  credential: 'apiKey' | 'bearer'
  /** The id of the API key or of the session. */
  credentialId: string
  /** Signed in with a recovery code: may only enrol a new TOTP secret and end sessions. */
  isRecovery?: boolean
}

/** Whether the caller signed in with a recovery code. */
export function isRecovering({ isRecovery = false }: Pick<Caller, 'isRecovery'>): boolean {
  return isRecovery
}

/**
 * Returns whether a caller has a permission (decisions, section 5). `apiKeyMayConfigure` is the
 * setting SLUICE_API_KEY_MAY_CONFIGURE; it removes `configure` from API keys only.
 */
export function mayDo(
  caller: Caller,
  permission: Permission,
  { apiKeyMayConfigure = true }: { apiKeyMayConfigure?: boolean } = {},
): boolean {
  if (isRecovering(caller)) return permission === 'none'
  if (permission === 'configure' && caller.role === 'api' && !apiKeyMayConfigure) return false
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(caller.role)
}
