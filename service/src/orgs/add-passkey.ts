import type { PasskeyCreation, PasskeyCredential } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import type { Caller } from './caller.ts'
import {
  macOfPasskey,
  type Passkey,
  passkeyFromRow,
  passkeyRefusal,
  type PasskeySite,
  toBase64url,
} from './passkey.ts'
import { insertPasskey, type PasskeyRow, selectPasskeys } from './passkey-rows.ts'
import { lockTotpSecret } from './sign-in-rows.ts'
import { totpStepAt } from './totp.ts'
import { selectUsersById } from './user-rows.ts'
import { ALGORITHMS, verifyCredential } from './webauthn.ts'

const PASSKEYS_MAX = 10
const SITE_NAME = 'Sluice'
/** How long the browser waits for the person. */
export const PROMPT_MS_MAX: Millis = 300_000
/** How long after its one-time code a passkey can be stored. */
const ADDING_MS_MAX: Millis = 600_000

/**
 * The options with which a browser creates a passkey, after the caller's one-time code was used up
 * in this transaction. Stores nothing: the challenge is derived from the session, the last used
 * code and the present passkeys, so that it works once and ends with the next code. Refuses with
 * INVALID_PASSKEY (ten passkeys already).
 */
export async function offerPasskey(
  tx: Tx,
  serviceKey: ServiceKey,
  { caller, site }: { caller: Caller; site: PasskeySite },
): Promise<PasskeyCreation> {
  const { orgId, userId } = caller
  const { challenge, passkeys } = await readAdding(tx, serviceKey, caller)
  const [user] = await selectUsersById(tx, { orgId, ids: [userId] })
  const name = user?.username ?? ''
  return {
    challenge: toBase64url(challenge),
    rp: { id: site.rpId, name: SITE_NAME },
    user: { id: toBase64url(Buffer.from(userId)), name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: PROMPT_MS_MAX,
    excludeCredentials: passkeys.map(describePasskey),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
  }
}

/**
 * Stores the passkey that a browser created with the options. Refuses with INVALID_PASSKEY: other
 * options, too late, another site, without a check of the user, or a credential that is known.
 */
export async function addPasskey(
  tx: Tx,
  serviceKey: ServiceKey,
  adding: { caller: Caller; site: PasskeySite; name: string; credential: PasskeyCredential },
): Promise<Passkey> {
  const { caller, site, name, credential } = adding
  const { orgId, userId } = caller
  const { challenge, isExpired } = await readAdding(tx, serviceKey, caller)
  const { credentialId, publicKey, counter } = await verifyCredential(credential, {
    site,
    challenge,
  })
  if (isExpired) throw passkeyRefusal('expired')
  const fields = {
    org_id: orgId,
    id: tx.ids.next(),
    user_id: userId,
    credential_id: credentialId,
    public_key: publicKey,
    counter,
    name,
    created_at: tx.clock.now(),
    last_used_at: null,
  }
  const row = await insertPasskey(tx, { ...fields, mac: macOfPasskey(serviceKey, fields) })
  if (row === null) throw passkeyRefusal('known')
  const actor = `user:${userId}`
  const details = { passkeyId: row.id, name }
  await writeAudit(tx, { orgId, actor, action: 'user.add-passkey', object: userId, details })
  return passkeyFromRow(row)
}

/** A passkey in the options of a browser. */
export function describePasskey(row: Pick<PasskeyRow, 'credential_id'>) {
  return { type: 'public-key', id: toBase64url(row.credential_id) } as const
}

/** Locks the user, so that no code is used up and no passkey added at the same time. */
async function readAdding(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, userId, credentialId: sessionId }: Caller,
): Promise<{ challenge: Uint8Array; passkeys: PasskeyRow[]; isExpired: boolean }> {
  const locked = await lockTotpSecret(tx, { orgId, userId })
  if (locked === null) throw passkeyRefusal('expired')
  const passkeys = await selectPasskeys(tx, { orgId, userId })
  if (passkeys.length >= PASSKEYS_MAX) throw passkeyRefusal('limit')
  const { lastStep } = locked
  const fields = [orgId, userId, sessionId, lastStep, ...passkeys.map(({ id }) => id)]
  return {
    challenge: serviceKey.mac('add-passkey', fields),
    passkeys,
    isExpired: lastStep < totpStepAt(tx.clock.now() - ADDING_MS_MAX),
  }
}
