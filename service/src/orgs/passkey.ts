import type { Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { PasskeyRow } from './passkey-rows.ts'

/** The dashboard to which passkeys are bound. */
export interface PasskeySite {
  origin: string
  /** Its host name. */
  rpId: string
}

/** A passkey of a person, without its key. */
export interface Passkey {
  id: string
  name: string
  createdAt: Millis
  /** Null while it approved nothing. */
  lastUsedAt: Millis | null
}

const SAYS = {
  none: 'You have no passkey. Add one in the dashboard, or send a one-time code.',
  unknown: 'The passkey is not one of yours, or was removed. Use another one.',
  known: 'This authenticator already has one of your passkeys. Use another authenticator.',
  limit: 'You have ten passkeys. Remove one first.',
  expired: 'The request to add a passkey has expired. Begin again with a new one-time code.',
  used: 'The passkey approved this withdrawal before. Send a one-time code instead.',
  challenge: 'The passkey signed another request than this one. Begin again.',
  origin: 'The passkey was used on another site than the dashboard of this installation.',
  user_verification: 'The authenticator did not check a fingerprint, a face or a PIN.',
  counter: 'The counter of the passkey went back: it may be a copy. Remove the passkey.',
  signature: 'The signature does not belong to the passkey.',
  malformed: 'The answer of the authenticator cannot be read.',
} as const

/** Why a passkey is not accepted: `details.reason` of INVALID_PASSKEY. */
export type PasskeyFault = keyof typeof SAYS

/** The refusal of a passkey: INVALID_PASSKEY. */
export function passkeyRefusal(reason: PasskeyFault): Refusal {
  return new Refusal('INVALID_PASSKEY', { reason }, SAYS[reason])
}

/** The site of a public URL of the dashboard; null without a URL. */
export function passkeySiteOf(publicUrl: string): PasskeySite | null {
  if (publicUrl === '') return null
  const { origin, hostname: rpId } = new URL(publicUrl)
  return { origin, rpId }
}

/** Refuses with PASSKEYS_NOT_CONFIGURED if the installation has no public URL. */
export function requireSite(site: PasskeySite | null): PasskeySite {
  if (site === null) throw new Refusal('PASSKEYS_NOT_CONFIGURED')
  return site
}

/** The MAC over the owner, the key and the counter of a passkey. */
export function macOfPasskey(
  serviceKey: Pick<ServiceKey, 'mac'>,
  row: Omit<PasskeyRow, 'mac'>,
): Uint8Array {
  return serviceKey.mac('passkey', fieldsOf(row))
}

/** Whether the MAC of a stored passkey holds, and is the latest one. */
export function isAuthenticPasskey(
  serviceKey: Pick<ServiceKey, 'verify'>,
  row: PasskeyRow,
): boolean {
  return serviceKey.verify('passkey', fieldsOf(row), row.mac)
}

/** Reads a passkey as it is stored. */
export function passkeyFromRow(row: PasskeyRow): Passkey {
  return { id: row.id, name: row.name, createdAt: row.created_at, lastUsedAt: row.last_used_at }
}

/** Bytes as WebAuthn writes them in JSON. */
export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function fieldsOf(row: Omit<PasskeyRow, 'mac'>) {
  return [
    row.org_id,
    row.id,
    row.user_id,
    toBase64url(row.credential_id),
    toBase64url(row.public_key),
    row.counter,
  ]
}
