import { hash } from '@node-rs/argon2'
import type { Dice } from '../base/dice.ts'
import { Secret } from '../base/secret.ts'
import { draw } from '../keys/draw.ts'

/** 144 bits, 24 characters: long enough that nobody need change it, short enough to type once. */
const PASSWORD_BYTES = 18
const SALT_BYTES = 16
/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1

/** A one-time password of 24 url-safe characters. */
export function newPassword(dice: Dice): Secret {
  return new Secret(Buffer.from(draw(dice, PASSWORD_BYTES)).toString('base64url'))
}

/** The password as it is stored: argon2id with a salt of its own, in the PHC string format. */
export async function hashPassword(dice: Dice, password: Secret): Promise<string> {
  return hash(password.reveal(), {
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
    parallelism: LANES,
    salt: draw(dice, SALT_BYTES),
  })
}
