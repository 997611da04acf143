import type { Clock, Millis } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import { lockPerson } from './find-user.ts'
import {
  type OpenInvitation,
  endInvitation,
  findInvitation,
  readInvitation,
  refuseInvitation,
} from './invitation.ts'
import type { Organization } from './organization.ts'
import { authenticateHash, hashPassword } from './password.ts'
import type { PasswordChecks } from './password-checks.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import type { AccessToken, Sessions } from './sessions.ts'
import { noteLogin } from './sign-in-rows.ts'
import { findStep, otpauthUri, sealTotpSecret, totpStepAt } from './totp.ts'
import { updatePassword, updateStanding, updateTotpSecret } from './user-rows.ts'
import { type HumanRole, type User, macOfUser } from './user.ts'

export interface InvitationDeps {
  database: Database
  serviceKey: ServiceKey
  clock: Clock
  /** The address of the client, as the limits normalize it. */
  peer: string
}

/** Everything that an invited person needs to enrol. */
export interface InvitationOffer {
  username: string
  role: HumanRole
  organization: Pick<Organization, 'id' | 'name'>
  expiresAt: Millis
  /** In base32. */
  totpSecret: Secret
  otpauthUrl: Secret
}

/** The result of an accepted invitation: the person is signed in. */
export interface Accepted extends AccessToken {
  recoveryCodes: Secret[]
}

/**
 * Reads an invitation by its token, and changes nothing. A token has 256 random bits, so wrong ones
 * lock nothing. Refuses with INVALID_INVITATION.
 */
export async function offerInvitation(
  deps: InvitationDeps,
  token: Secret,
): Promise<InvitationOffer> {
  return withInvitation(deps, token, async (_tx, { user, organization, invitation }) => {
    const { username } = user
    const { role, expiresAt, totpSecret } = invitation
    const { id, name } = organization
    const otpauthUrl = otpauthUri({ username, totpSecret })
    return { username, role, organization: { id, name }, expiresAt, totpSecret, otpauthUrl }
  })
}

/**
 * Accepts an invitation: sets the password and the offered TOTP secret, creates ten recovery codes,
 * activates the user and begins a session, in one commit. The code is used up. Refuses as
 * `offerInvitation` does, and with INVALID_TOTP if the code is not of the offered secret.
 */
export async function acceptInvitation(
  deps: InvitationDeps & { passwords: PasswordChecks; sessions: Sessions; random: Random },
  params: { token: Secret; password: Secret; totpCode: string },
): Promise<Accepted> {
  const { serviceKey, sessions, random, clock, peer, passwords } = deps
  const { token, password, totpCode } = params
  // An invalid token must not cost a hash.
  await offerInvitation(deps, token)
  const hash = await passwords.inTurn(() => hashPassword(random, password))
  return withInvitation(deps, token, async (tx, { user, invitation: { totpSecret } }) => {
    const step = findStep(totpSecret, totpCode, totpStepAt(clock.now()))
    if (step === null) throw new Refusal('INVALID_TOTP', { field: 'totpCode' })
    const credentials = { hash, totpSecret, step, random }
    const { active, recoveryCodes } = await enrolUser(tx, serviceKey, { user, ...credentials })
    await noteLogin(tx, active)
    const session = await sessions.begin(tx, active, { address: peer })
    return { ...session, recoveryCodes }
  })
}

/**
 * Gives a locked user a password and a TOTP secret, whose codes are used up to the step, and ten
 * recovery codes; ends the invitation and activates the user.
 */
export async function enrolUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { user: User; hash: string; totpSecret: Secret; step: number; random: Random },
): Promise<{ active: User; recoveryCodes: Secret[] }> {
  const { user, hash, totpSecret, step, random } = params
  const { orgId, id } = user
  await endInvitation(tx, serviceKey, { orgId, userId: id, cause: 'accepted' })
  const active: User = { ...user, status: 'active', version: tx.ids.next() }
  await updateStanding(tx, { ...active, mac: macOfUser(serviceKey, active) })
  const passwordHash = authenticateHash(serviceKey, { userId: id, hash })
  await updatePassword(tx, { orgId, id, passwordHash })
  const sealed = sealTotpSecret(serviceKey, { userId: id, totpSecret })
  await updateTotpSecret(tx, { orgId, id, sealed, step })
  const recoveryCodes = await renewRecoveryCodes(tx, serviceKey, { orgId, userId: id, random })
  const actor = `user:${id}`
  await writeAudit(tx, { orgId, actor, action: 'user.accept-invitation', object: id })
  return { active, recoveryCodes }
}

interface Invitee {
  user: User
  organization: Organization
  invitation: OpenInvitation
}

/** Does work with an open invitation whose organization and user are locked. */
async function withInvitation<T>(
  { database, serviceKey }: InvitationDeps,
  token: Secret,
  work: (tx: Tx, invitee: Invitee) => Promise<T>,
): Promise<T> {
  const text = token.reveal()
  const { orgId, id } = await database.asApi((tx) => findInvitation(tx, text))
  return database.forOrg(orgId, async (tx) => {
    const { userId } = await readInvitation(tx, serviceKey, { orgId, id, token: text })
    const { user, organization } = await lockPerson(tx, serviceKey, userId)
    // Read again: it may have ended while the lock was awaited.
    const invitation = await readInvitation(tx, serviceKey, { orgId, id, token: text })
    const isInvited = user.status !== 'disabled' && user.role === invitation.role
    if (!user.authentic || !isInvited || user.id !== invitation.userId) return refuseInvitation()
    return work(tx, { user, organization, invitation })
  })
}
