import type { ErrorCode } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import { addRequest, deleteCount } from './count-rows.ts'
import {
  type Subject,
  addGuess,
  clearGuesses,
  selectGuesses,
  takeGuessBack,
  unlockGuesses,
} from './guess-rows.ts'

/** Failures in a row that lock a name, or a user's codes, for one address (decisions, 13). */
export const FAILURES_MAX = 10
const LOCK_MS: Millis = 900_000
/** After that many failures from unknown addresses, they share this many guesses a minute. */
const SLOW_PER_MINUTE = 1
const MINUTE_MS: Millis = 60_000
/** How long an address stays known to a name after its last success. */
export const KNOWN_MS: Millis = 90 * 86_400_000
/** Refusals that count as a wrong guess. */
const WRONG: readonly ErrorCode[] = ['INVALID_TOTP', 'INVALID_PASSKEY', 'UNAUTHORIZED']
/** More failures than there can be: the row of all addresses together never locks. */
const NEVER = 2_147_483_647

type MacKey = Pick<ServiceKey, 'mac'>

/** The subject and the source of a guess; `peer` is an address as the limits normalize it. */
export interface Guesser {
  /** The password of a typed name in lower case, or the codes of a user's id. */
  kind: 'name' | 'code'
  who: string
  peer: string
}

/**
 * An allowed guess: failures in a row, this one included, from its address, and from all unknown
 * addresses together (0 from a known one); or the reason why it is not allowed.
 */
export type Guess =
  | { allowed: true; failures: number; failuresOfAll: number }
  | { allowed: false; retryAfterMs: Millis }

/**
 * Work that uses up a user's code (`consumeTotp`), with its guesses counted as `takeGuess` does,
 * however many ask at once (S04). The work opens its own transaction. Refuses with
 * RATE_LIMIT_EXCEEDED; sign-in itself is not touched.
 */
export async function guardGuesses<T>(
  database: Database,
  serviceKey: MacKey,
  { userId, peer }: { userId: string; peer: string },
  work: () => Promise<T>,
): Promise<T> {
  const guesser: Guesser = { kind: 'code', who: userId, peer }
  const subject = subjectOf(serviceKey, guesser)
  // A refusal rolls back its transaction, so the guess is counted before, in a separate one.
  const guess = await database.asApi((tx) => takeGuess(tx, serviceKey, guesser))
  if (!guess.allowed) throw tooMany(guess.retryAfterMs)
  try {
    const result = await work()
    await database.asApi((tx) => clearGuesses(tx, subject))
    return result
  } catch (error) {
    // A person who changes the own password can guess it as well.
    const isWrong = error instanceof Refusal && WRONG.includes(error.code)
    if (!isWrong) await database.asApi((tx) => undoGuess(tx, subject, guess))
    throw error
  }
}

/** Whether the address of a guess is known, and how long it is locked (0: not locked). */
export async function readStanding(
  tx: Tx,
  serviceKey: MacKey,
  guesser: Guesser,
): Promise<{ isKnown: boolean; lockedMs: Millis }> {
  const row = await selectGuesses(tx, subjectOf(serviceKey, guesser).subject)
  const now = tx.clock.now()
  const knownAt = row?.known_at ?? null
  const isKnown = knownAt !== null && now - knownAt < KNOWN_MS
  return { isKnown, lockedMs: Math.max(0, (row?.locked_until ?? 0) - now) }
}

/**
 * Counts one guess before it is made, or returns how long to wait. Ten failures in a row from one
 * address lock it for this name (or these codes) for 15 minutes. Ten from all unknown addresses
 * together slow these down to one guess a minute; a known address is not affected by others.
 */
export async function takeGuess(tx: Tx, serviceKey: MacKey, guesser: Guesser): Promise<Guess> {
  const pair = subjectOf(serviceKey, guesser)
  const { isKnown } = await readStanding(tx, serviceKey, guesser)
  const failures = await addGuess(tx, { ...pair, failuresMax: FAILURES_MAX, lockMs: LOCK_MS })
  if (failures === null) {
    const { lockedMs } = await readStanding(tx, serviceKey, guesser)
    return { allowed: false, retryAfterMs: lockedMs }
  }
  if (isKnown) return { allowed: true, failures, failuresOfAll: 0 }
  const all = { subject: pair.owner, owner: pair.owner, failuresMax: NEVER, lockMs: LOCK_MS }
  const failuresOfAll = (await addGuess(tx, all)) ?? NEVER
  const guess = { allowed: true, failures, failuresOfAll } as const
  if (failuresOfAll <= FAILURES_MAX) return guess
  const slowed = { subject: slowSubjectOf(serviceKey, guesser), windowMs: MINUTE_MS }
  const { requests, window_start } = await addRequest(tx, slowed)
  if (requests <= SLOW_PER_MINUTE) return guess
  await undoGuess(tx, pair, guess)
  return { allowed: false, retryAfterMs: window_start + MINUTE_MS - tx.clock.now() }
}

/** Resets the failures after a success; from now on the address is a known one. */
export async function succeed(tx: Tx, serviceKey: MacKey, guesser: Guesser): Promise<void> {
  await clearGuesses(tx, subjectOf(serviceKey, guesser))
}

/** Ends locks and slowdowns of a name, or of a user's codes, for every address. */
export async function unlock(
  tx: Tx,
  serviceKey: MacKey,
  { kind, who }: Omit<Guesser, 'peer'>,
): Promise<void> {
  await unlockGuesses(tx, subjectOf(serviceKey, { kind, who, peer: '' }).owner)
  await deleteCount(tx, slowSubjectOf(serviceKey, { kind, who }))
}

/** The counters of one address, and of all addresses. */
export function subjectOf(serviceKey: MacKey, { kind, who, peer }: Guesser): Subject {
  return {
    subject: serviceKey.mac('guess', [kind, who, peer]),
    owner: serviceKey.mac('guess', [kind, who]),
  }
}

function slowSubjectOf(serviceKey: MacKey, { kind, who }: Omit<Guesser, 'peer'>): Uint8Array {
  return serviceKey.mac('count', ['slow', kind, who])
}

async function undoGuess(
  tx: Tx,
  { subject, owner }: Subject,
  { failuresOfAll }: { failuresOfAll: number },
): Promise<void> {
  await takeGuessBack(tx, subject)
  if (failuresOfAll > 0) await takeGuessBack(tx, owner)
}

/** RATE_LIMIT_EXCEEDED; `details.retryAfterSeconds` becomes the header Retry-After. */
export function tooMany(retryAfterMs: Millis, says: string | null = null): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterSeconds }, says)
}
