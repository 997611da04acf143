import type { Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import { addGuess, clearGuesses, selectLock, takeGuessBack } from './guess-rows.ts'

/** Failures in a row that lock a name or a user's codes; for how long (decisions, section 5). */
export const FAILURES_MAX = 10
const LOCK_MS: Millis = 900_000

/** A guess that was allowed: how many there were in a row; or why it was not. */
export type Guess = { allowed: true; failures: number } | { allowed: false; retryAfterMs: Millis }

/**
 * Work that uses up a user's code (`consumeTotp`), with its guesses counted: after ten wrong codes
 * in a row none is looked at for 15 minutes, whoever asks and however many ask at once (S04). The
 * work opens its own transaction. Refuses with RATE_LIMIT_EXCEEDED; sign-in itself is not touched.
 */
export async function guardGuesses<T>(
  database: Database,
  serviceKey: ServiceKey,
  { userId }: { userId: string },
  work: () => Promise<T>,
): Promise<T> {
  const subject = serviceKey.mac('guess', ['code', userId])
  // A refusal undoes its transaction, so the guess is counted in one of its own, before it is made.
  const guess = await database.asApi((tx) => takeGuess(tx, subject))
  if (!guess.allowed) throw tooMany(guess.retryAfterMs)
  try {
    const result = await work()
    await database.asApi((tx) => clearGuesses(tx, subject))
    return result
  } catch (error) {
    const isWrong = error instanceof Refusal && error.code === 'INVALID_TOTP'
    if (!isWrong) await database.asApi((tx) => takeGuessBack(tx, subject))
    throw error
  }
}

/** Counts one guess before it is made, or says how long none is allowed. */
export async function takeGuess(tx: Tx, subject: Uint8Array): Promise<Guess> {
  const given = { subject, failuresMax: FAILURES_MAX, lockMs: LOCK_MS }
  const failures = await addGuess(tx, given)
  if (failures !== null) return { allowed: true, failures }
  const lockedUntil = await selectLock(tx, subject)
  return { allowed: false, retryAfterMs: Math.max(0, (lockedUntil ?? 0) - tx.clock.now()) }
}

/** RATE_LIMIT_EXCEEDED; `details.retryAfterSeconds` becomes the header Retry-After. */
export function tooMany(retryAfterMs: Millis, says: string | null = null): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterSeconds }, says)
}
