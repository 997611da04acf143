import type { Permission } from '@sluice/wire'
import { PERMISSIONS } from './user.ts'
import type { Role } from './user.ts'

/** An access token that is expired, ended or none of ours: INVALID_TOKEN as a 401 (section 5). */
export class BadSession extends Error {
  override readonly name = 'BadSession'
}

/** Who sent a request, once the credential was found good. */
export interface Caller {
  orgId: string
  userId: string
  role: Role
  credential: 'apiKey' | 'bearer'
  /** The row that it rests on: of the API key, or of the session. */
  credentialId: string
}

/**
 * Whether a caller may do something (decisions, section 5). `apiKeyMayConfigure` is the setting
 * SLUICE_API_KEY_MAY_CONFIGURE; it takes configuring away from API keys and from nobody else.
 */
export function mayDo(
  caller: Caller,
  permission: Permission,
  { apiKeyMayConfigure = true }: { apiKeyMayConfigure?: boolean } = {},
): boolean {
  if (permission === 'configure' && caller.role === 'api' && !apiKeyMayConfigure) return false
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(caller.role)
}
