import { createHash } from 'node:crypto'
import { base32 } from '@scure/base'
import type { Millis } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import {
  type InvitationRow,
  insertInvitation,
  selectInvitation,
  selectInvitationOfHash,
  selectOpenInvitation,
  updateInvitation,
} from './invitation-rows.ts'
import { TOTP_BYTES } from './totp.ts'
import type { HumanRole, User } from './user.ts'

/** How long an invitation can be accepted. */
const INVITATION_TTL_MS: Millis = 72 * 3_600_000
/** 256 bits, 43 url-safe characters after the prefix. */
const TOKEN_BYTES = 32
const TOKEN_PREFIX = 'sli_'
const TOKEN_SHAPE = /^sli_[A-Za-z0-9_-]{43}$/

/** A new invitation. The token is shown once: only its hash is stored. */
export interface NewInvitation {
  token: Secret
  expiresAt: Millis
}

/** An invitation whose MAC matches and that has neither ended nor expired. */
export interface OpenInvitation {
  orgId: string
  id: string
  userId: string
  role: HumanRole
  expiresAt: Millis
  /** The TOTP secret to enrol, in base32. */
  totpSecret: Secret
}

type Fields = Pick<
  InvitationRow,
  'org_id' | 'id' | 'user_id' | 'hash' | 'role' | 'expires_at' | 'ended_at'
>

/** Issues an invitation to a locked user and ends the previous one. */
export async function issueInvitation(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  params: { user: User; role: HumanRole; actor: string; random: Random },
): Promise<NewInvitation> {
  const { user, role, actor, random } = params
  const { orgId, id: userId } = user
  await endInvitation(tx, serviceKey, { orgId, userId, cause: 'replaced' })
  const text = TOKEN_PREFIX + Buffer.from(draw(random, TOKEN_BYTES)).toString('base64url')
  const hash = hashOf(text)
  const id = tx.ids.next()
  const expiresAt = tx.clock.now() + INVITATION_TTL_MS
  const row = { org_id: orgId, id, user_id: userId, hash, role }
  const mac = macOfInvitation(serviceKey, { ...row, expires_at: expiresAt, ended_at: null })
  await insertInvitation(tx, { orgId, id, userId, hash, role, actor, expiresAt, mac })
  return { token: new Secret(text), expiresAt }
}

/** Ends the open invitation of a locked user. Returns whether there was one. */
export async function endInvitation(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  { orgId, userId, cause }: { orgId: string; userId: string; cause: string },
): Promise<boolean> {
  const row = await selectOpenInvitation(tx, { orgId, userId })
  if (row === null) return false
  const endedAt = tx.clock.now()
  const mac = macOfInvitation(serviceKey, { ...row, ended_at: endedAt })
  await updateInvitation(tx, { orgId, id: row.id, role: row.role, endedAt, cause, mac })
  return true
}

/** Gives the open invitation of a locked user the user's new role. A tampered one stays invalid. */
export async function changeInvitedRole(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac' | 'verify'>,
  { orgId, userId, role }: { orgId: string; userId: string; role: HumanRole },
): Promise<void> {
  const row = await selectOpenInvitation(tx, { orgId, userId })
  if (row === null || !isAuthentic(serviceKey, row)) return
  const mac = macOfInvitation(serviceKey, { ...row, role })
  await updateInvitation(tx, { orgId, id: row.id, role, endedAt: null, cause: '', mac })
}

/** The place of an invitation by its token; needs no organization (`database.asApi`). */
export async function findInvitation(
  tx: Tx,
  token: string,
): Promise<{ orgId: string; id: string }> {
  const found = TOKEN_SHAPE.test(token) ? await selectInvitationOfHash(tx, hashOf(token)) : null
  return found === null ? refuseInvitation() : { orgId: found.org_id, id: found.id }
}

/**
 * Reads an open invitation. Refuses with INVALID_INVITATION if it ended, expired or does not match
 * its MAC.
 */
export async function readInvitation(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac' | 'verify'>,
  { orgId, id, token }: { orgId: string; id: string; token: string },
): Promise<OpenInvitation> {
  const row = await selectInvitation(tx, { orgId, id })
  if (row === null || !Buffer.from(row.hash).equals(hashOf(token))) return refuseInvitation()
  if (row.ended_at !== null || row.expires_at <= tx.clock.now()) return refuseInvitation()
  if (!isAuthentic(serviceKey, row)) return refuseInvitation()
  const { user_id: userId, role, expires_at: expiresAt } = row
  // Derived, so that no secret of a user who is not enrolled is stored.
  const bytes = serviceKey.mac('invitation-totp', [orgId, userId, id]).slice(0, TOTP_BYTES)
  return { orgId, id, userId, role, expiresAt, totpSecret: new Secret(base32.encode(bytes)) }
}

/** Refuses with INVALID_INVITATION: the reason would help a person who guesses tokens. */
export function refuseInvitation(): never {
  throw new Refusal('INVALID_INVITATION')
}

function macOfInvitation(serviceKey: Pick<ServiceKey, 'mac'>, fields: Fields): Uint8Array {
  return serviceKey.mac('invitation', fieldsOf(fields))
}

function isAuthentic(serviceKey: Pick<ServiceKey, 'verify'>, row: InvitationRow): boolean {
  return serviceKey.verify('invitation', fieldsOf(row), row.mac)
}

function fieldsOf({ org_id, id, user_id, hash, role, expires_at, ended_at }: Fields) {
  return [org_id, id, user_id, Buffer.from(hash).toString('base64'), role, expires_at, ended_at]
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
