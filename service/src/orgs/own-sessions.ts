import { Refusal } from '../base/fault.ts'
import type { Millis } from '../base/clock.ts'
import { isId } from '../base/id.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import type { Caller } from './caller.ts'
import { type OwnSessionRow, closeSession, selectOwnSessions } from './sign-in-rows.ts'

/** An open session of a user. */
export interface OwnSession {
  id: string
  createdAt: Millis
  expiresAt: Millis
  /** The address of the client at sign-in; of IPv6 the /64. */
  address: string
}

/** A page of the open sessions of a user, newest first. */
export async function listSessions(
  tx: Tx,
  page: Parameters<typeof selectOwnSessions>[1],
): Promise<OwnSession[]> {
  return (await selectOwnSessions(tx, page)).map(sessionFromRow)
}

/**
 * Ends an open session of the caller; its access token is refused from the commit on. Refuses with
 * NOT_FOUND.
 */
export async function endSession(tx: Tx, { orgId, userId }: Caller, id: string): Promise<void> {
  const action = 'session.end'
  const isEnded = isId(id) && (await closeSession(tx, { orgId, userId, id, cause: action }))
  if (!isEnded) {
    const says = 'No open session of yours has this id.'
    throw new Refusal('NOT_FOUND', { id: id.slice(0, 100) }, says)
  }
  const details = { sessionId: id }
  await writeAudit(tx, { orgId, actor: `user:${userId}`, action, object: userId, details })
}

function sessionFromRow(row: OwnSessionRow): OwnSession {
  const { id, created_at: createdAt, expires_at: expiresAt, address } = row
  return { id, createdAt, expiresAt, address }
}
