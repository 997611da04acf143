import { base32 } from '@scure/base'
import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  insertRecoveryCodes,
} from './recovery-code-rows.ts'
import { lockTotpSecret } from './sign-in-rows.ts'

const CODES = 10
/** 80 bits: 16 characters of base32, in groups of four. */
const CODE_BYTES = 10
const CODE_SHAPE = /^[A-Z2-7]{4}(?:-?[A-Z2-7]{4}){3}$/i

/** Whether a text has the shape of a recovery code, and not of a one-time code. */
export function isRecoveryCode(text: string): boolean {
  return CODE_SHAPE.test(text)
}

/** Replaces the recovery codes of a locked user with ten new ones, to be shown once. */
export async function renewRecoveryCodes(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  { orgId, userId, random }: { orgId: string; userId: string; random: Random },
): Promise<Secret[]> {
  const bytes = draw(random, CODES * CODE_BYTES)
  const texts = Array.from({ length: CODES }, (_, at) =>
    base32.encode(bytes.slice(at * CODE_BYTES, (at + 1) * CODE_BYTES)),
  )
  await deleteRecoveryCodes(tx, { orgId, userId })
  const hashes = texts.map((text) => hashOf(serviceKey, userId, text))
  await insertRecoveryCodes(tx, { orgId, userId, hashes })
  return texts.map((text) => new Secret(text.replaceAll(/(.{4})(?=.)/g, '$1-')))
}

/** Uses a recovery code up and locks the user. Refuses with INVALID_TOTP. */
export async function useRecoveryCode(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  { orgId, userId, code }: { orgId: string; userId: string; code: string },
): Promise<{ left: number }> {
  const locked = await lockTotpSecret(tx, { orgId, userId })
  const hash = hashOf(serviceKey, userId, code.replaceAll('-', '').toUpperCase())
  const isRight = locked !== null && (await deleteRecoveryCode(tx, { orgId, userId, hash }))
  if (!isRight) throw new Refusal('INVALID_TOTP')
  return { left: await countRecoveryCodes(tx, { orgId, userId }) }
}

/** Keyed, so that a reader of the database cannot try codes and a writer cannot add one. */
function hashOf(serviceKey: Pick<ServiceKey, 'mac'>, userId: string, text: string): Uint8Array {
  return serviceKey.mac('recovery-code', [userId, text])
}
