import { hash } from '@node-rs/argon2'
import type { Random } from '../base/random.ts'
import type { Secret } from '../base/secret.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { VerifyHash } from './password-checks.ts'

const SALT_BYTES = 16
const TAG_BYTES = 32
/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1

/** The password's hash: argon2id with a random salt, in the PHC string format. */
export async function hashPassword(random: Random, password: Secret): Promise<string> {
  return hash(password.reveal(), {
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
    parallelism: LANES,
    salt: draw(random, SALT_BYTES),
  })
}

/**
 * The stored form of a password: the hash, and the service key's MAC over it and its owner, so that
 * a hash that another database user writes is not accepted.
 */
export function authenticateHash(
  serviceKey: Pick<ServiceKey, 'mac'>,
  { userId, hash: text }: { userId: string; hash: string },
): string {
  return `${text} ${Buffer.from(serviceKey.mac('password', [userId, text])).toString('base64')}`
}

/** The stored hash; "" if its MAC does not match. */
export function authenticHash(
  serviceKey: Pick<ServiceKey, 'verify'>,
  { userId, kept }: { userId: string; kept: string },
): string {
  const [text = '', mac = ''] = kept.split(' ')
  const isAuthentic = serviceKey.verify('password', [userId, text], Buffer.from(mac, 'base64'))
  return isAuthentic ? text : ''
}

/**
 * Whether a password is the stored one. Without a stored password the result is false after the
 * same work, so that the response time does not reveal which users exist (S05).
 */
export async function checkPassword(
  verify: VerifyHash,
  stored: string,
  password: Secret,
): Promise<boolean> {
  const isRight = await verify(stored === '' ? NOBODYS : stored, password)
  return isRight && stored !== ''
}

/** A hash in the same terms that no known password has: its tag was never computed. */
const NOBODYS = [
  '$argon2id$v=19',
  `m=${MEMORY_KIB},t=${PASSES},p=${LANES}`,
  Buffer.alloc(SALT_BYTES, 1).toString('base64').replaceAll('=', ''),
  Buffer.alloc(TAG_BYTES, 2).toString('base64').replaceAll('=', ''),
].join('$')
