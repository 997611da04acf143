import { TOTP } from 'otpauth'
import type { Clock, Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { advanceTotpStep, lockTotpSecret } from './sign-in-rows.ts'

/** RFC 4226, section 4, R6: as long as SHA-1's output, 160 bits. */
export const TOTP_BYTES = 20
const ISSUER = 'Sluice'
const PERIOD_SECONDS = 30
/** The parameters of RFC 6238 that every authenticator app supports. */
const TERMS = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS }
/** Telephone clocks differ slightly: one step either side (decisions, section 5). */
const STEPS_ASIDE = 1
const CODE_SHAPE = /^[0-9]{6}$/

/** The text that an authenticator app reads from a QR code. It contains the secret. */
export function otpauthUri(params: { username: string; totpSecret: Secret }): Secret {
  const { username: label, totpSecret } = params
  const totp = new TOTP({ ...TERMS, issuer: ISSUER, label, secret: totpSecret.reveal() })
  return new Secret(totp.toString())
}

/** Seals a TOTP secret to its user: it cannot be opened in another user's row. */
export function sealTotpSecret(
  serviceKey: ServiceKey,
  params: { userId: string; totpSecret: Secret },
): Uint8Array {
  return serviceKey.seal('totp', params.userId, params.totpSecret.reveal())
}

/** The RFC 6238 step at a time. */
export function totpStepAt(at: Millis): number {
  return Math.floor(at / 1000 / PERIOD_SECONDS)
}

/** The code of a step, as an authenticator app shows it. */
export function totpCode(totpSecret: Secret, step: number): string {
  const totp = new TOTP({ ...TERMS, secret: totpSecret.reveal() })
  return totp.generate({ timestamp: step * PERIOD_SECONDS * 1000 })
}

/**
 * Uses up a user's code and returns its step. The last used step only grows, by compare-and-set, so
 * that exactly one of several concurrent uses of a code succeeds (RFC 6238, 5.2; engineering, 27).
 * Refuses with INVALID_TOTP; `details.reason` is CODE_ALREADY_USED if the code is right but it, or
 * a later one, was used before. The caller counts the guesses: see `guardGuesses`.
 */
export async function consumeTotp(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; userId: string; code: string; clock: Clock },
): Promise<number> {
  const { orgId, userId } = params
  const step = await checkTotp(tx, serviceKey, params)
  await useUpTotp(tx, { orgId, userId, step })
  return step
}

/**
 * The step of a user's unused code; does not use it up. The user is locked until the commit.
 * Refuses as `consumeTotp` does.
 */
export async function checkTotp(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; userId: string; code: string; clock: Clock },
): Promise<number> {
  const { orgId, userId, code, clock } = params
  const locked = await lockTotpSecret(tx, { orgId, userId })
  if (locked === null) throw new Refusal('INVALID_TOTP')
  const secret = new Secret(serviceKey.open('totp', userId, locked.secret))
  const step = findStep(secret, code, totpStepAt(clock.now()))
  if (step === null) throw new Refusal('INVALID_TOTP')
  if (step <= locked.lastStep) throw alreadyUsed()
  return step
}

/** Uses a step up. Refuses with INVALID_TOTP if it, or a later one, was used before. */
export async function useUpTotp(
  tx: Tx,
  { orgId, userId, step }: { orgId: string; userId: string; step: number },
): Promise<void> {
  const isFresh = await advanceTotpStep(tx, { orgId, userId, step })
  if (!isFresh) throw alreadyUsed()
}

function alreadyUsed(): Refusal {
  return new Refusal('INVALID_TOTP', { reason: 'CODE_ALREADY_USED' })
}

/** The latest step near `now` that has this code; null without one. */
export function findStep(secret: Secret, code: string, now: number): number | null {
  if (!CODE_SHAPE.test(code)) return null
  for (let step = now + STEPS_ASIDE; step >= now - STEPS_ASIDE; step -= 1)
    if (totpCode(secret, step) === code) return step
  return null
}
