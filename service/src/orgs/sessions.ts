import type { Clock, Millis } from '../base/clock.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import { readAccessToken, signAccessToken } from './access-token.ts'
import type { Caller } from './caller.ts'
import { holdSession, insertSession, selectSession, type SessionRow } from './sign-in-rows.ts'
import { type Role, type User, userFromRow } from './user.ts'

/** The result of a sign-in. */
export interface AccessToken {
  accessToken: string
  /** In seconds. */
  expiresIn: number
}

/** How a user signed in. */
export interface SignedIn {
  /** The address of the client, as the limits normalize it. */
  address: string
  /** With a recovery code. */
  isRecovery?: boolean
}

/** The signed-in users. */
export interface Sessions {
  /** Begins a session of a user whose password and code were right. */
  begin(tx: Tx, user: User, signedIn: SignedIn): Promise<AccessToken>
  /**
   * Returns the user of an access token; null if it is not ours or expired, or if its session ended
   * or its user changed since.
   */
  read(accessToken: string): Promise<Caller | null>
}

/** Opens the sessions. The key of their tokens is derived from the service key. */
export function openSessions(params: {
  database: Database
  serviceKey: ServiceKey
  clock: Clock
  ttlSeconds: number
}): Sessions {
  const { database, serviceKey, clock, ttlSeconds } = params
  const keys = serviceKey.keyPair('access-token')
  return {
    begin: async (tx, { orgId, id: userId, role }, { address, isRecovery = false }) => {
      const at = clock.now()
      const sessionId = tx.ids.next()
      const expiresAt = at + ttlSeconds * 1000
      await insertSession(tx, {
        orgId,
        id: sessionId,
        userId,
        createdAt: at,
        expiresAt,
        address,
      })
      const claims = { userId, orgId, role, sessionId, isRecovery }
      const accessToken = await signAccessToken(keys, claims, { at, ttlSeconds })
      return { accessToken, expiresIn: ttlSeconds }
    },
    read: async (accessToken) => {
      const at = clock.now()
      const claims = await readAccessToken(keys, accessToken, { at, ttlSeconds })
      if (claims === null) return null
      const { orgId, userId, sessionId: id, role, isRecovery = false } = claims
      // Sessions are not cached, so that an ended session is refused at once.
      const row = await database.forOrg(orgId, (tx) => selectSession(tx, { orgId, id, userId }))
      const session = { orgId, userId, role, credential: 'bearer', credentialId: id } as const
      const caller: Caller = isRecovery ? { ...session, isRecovery } : session
      return stands(serviceKey, row, { role, at }) ? caller : null
    },
  }
}

/** Whether a session is open; a change of it waits until the commit. */
export async function keepsSession(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  { orgId, userId, role, credentialId: id }: Caller,
): Promise<boolean> {
  const row = await holdSession(tx, { orgId, id, userId })
  return stands(serviceKey, row, { role, at: tx.clock.now() })
}

function stands(
  serviceKey: Pick<ServiceKey, 'verify'>,
  row: SessionRow | null,
  { role, at }: { role: Role; at: Millis },
): boolean {
  if (row === null || row.ended_at !== null || row.expires_at <= at) return false
  const user = userFromRow(serviceKey, row)
  return user.authentic && user.status === 'active' && user.role === role
}
