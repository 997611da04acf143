import { base32 } from '@scure/base'
import { TOTP } from 'otpauth'
import type { Dice } from '../base/dice.ts'
import { Secret } from '../base/secret.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'

/** RFC 4226, section 4, R6: as long as SHA-1's output, 160 bits. */
const TOTP_BYTES = 20
const ISSUER = 'Sluice'
/** RFC 6238 as every authenticator app knows it. */
const TERMS = { algorithm: 'SHA1', digits: 6, period: 30 }

/** A new TOTP secret, in base32. */
export function newTotpSecret(dice: Dice): Secret {
  return new Secret(base32.encode(draw(dice, TOTP_BYTES)))
}

/** The text that an authenticator app reads from a QR code. It contains the secret. */
export function otpauthUri(given: { username: string; totpSecret: Secret }): Secret {
  const { username: label, totpSecret } = given
  const totp = new TOTP({ ...TERMS, issuer: ISSUER, label, secret: totpSecret.reveal() })
  return new Secret(totp.toString())
}

/** Seals a TOTP secret to its user: in another user's row it does not open. */
export function sealTotpSecret(
  serviceKey: ServiceKey,
  given: { userId: string; totpSecret: Secret },
): Uint8Array {
  return serviceKey.seal('totp', given.userId, given.totpSecret.reveal())
}
