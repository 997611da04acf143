import type { Clock, Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import { addRequest } from './count-rows.ts'
import { USERNAME_SHAPE } from './create-user.ts'
import {
  FAILURES_MAX,
  type Guess,
  type Guesser,
  readStanding,
  subjectOf,
  succeed,
  takeGuess,
  tooMany,
} from './guess.ts'
import { touchGuesses } from './guess-rows.ts'
import type { Taken } from './limits.ts'
import { checkPassword, authenticHash } from './password.ts'
import type { PasswordChecks, VerifyHash } from './password-checks.ts'
import type { AccessToken, Sessions } from './sessions.ts'
import { isRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { noteLogin, selectPasswordHash, selectUserOfName } from './sign-in-rows.ts'
import { consumeTotp } from './totp.ts'
import { type User, userFromRow } from './user.ts'

/** The window in which attempts are counted (decisions, section 11). */
const WINDOW_MS: Millis = 60_000
/** JSON can carry them; UTF-8 has no half pairs, and a text of the database no zero. */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}]/gu
const WRONG = 'The user name or the password is wrong.'
const LOCKED =
  'Too many failures under this user name. Wait the seconds in Retry-After, then try again.'

export interface LogInDeps {
  serviceKey: ServiceKey
  sessions: Sessions
  clock: Clock
  passwords: PasswordChecks
  /**
   * Attempts in a minute; 0 for no limit. `perUser`: under one name from an address at which it
   * signed in before, and from all others together.
   */
  rates: { perUser: number; perAddress: number }
}

/** A session; one of a recovery code may only enrol a new TOTP secret. */
export type LoggedIn = AccessToken & { mustEnrolTotp?: boolean; recoveryCodesLeft?: number }

/** The submitted credentials, and the peer's address as the limits normalize it. */
export interface LogInRequest {
  username: string
  password: Secret
  totpCode: string
  peer: string
}

/**
 * Signs a user in (section 5, decisions, 5). An unknown name costs the same work and has the same
 * answer as a wrong password; the code is checked only after a right password. A recovery code
 * instead of the one-time code begins a session that can only enrol a new one. Refuses with
 * RATE_LIMIT_EXCEEDED (too many sign-ins at once, too many attempts in a minute, or failures in a
 * row: see `takeGuess`), UNAUTHORIZED and INVALID_TOTP. Without the database, and so without
 * counters, every sign-in fails. `onCounted` receives the limit closest to exhaustion.
 */
export async function logIn(
  database: Database,
  deps: LogInDeps,
  request: LogInRequest,
  onCounted: (taken: Taken) => void = () => {},
): Promise<LoggedIn> {
  return deps.passwords.inTurn((verify) => logInWith(verify, database, deps, request, onCounted))
}

async function logInWith(
  verify: VerifyHash,
  database: Database,
  deps: LogInDeps,
  request: LogInRequest,
  onCounted: (taken: Taken) => void,
): Promise<LoggedIn> {
  const attempt = await database.asApi((tx) => beginAttempt(tx, deps, request))
  if (attempt.taken !== null) onCounted(attempt.taken)
  if ('refusal' in attempt) throw attempt.refusal
  const { user, keptHash, passwordHash, guesser } = attempt
  const isRight = await checkPassword(verify, passwordHash, request.password)
  if (!isRight || user === null || !maySignIn(user)) {
    await noteLock(database, deps, attempt)
    throw new Refusal('UNAUTHORIZED', {}, WRONG)
  }
  try {
    return await database.forOrg(user.orgId, (tx) =>
      beginSession(tx, deps, { user, keptHash, guesser, code: request.totpCode }),
    )
  } catch (error) {
    if (error instanceof Refusal) await noteLock(database, deps, attempt)
    throw error
  }
}

/**
 * Counts an unreadable attempt, which has no name, by its address as `logIn` does. Refuses with
 * RATE_LIMIT_EXCEEDED.
 */
export async function countUnreadable(
  database: Database,
  { serviceKey, rates }: Pick<LogInDeps, 'serviceKey' | 'rates'>,
  peer: string,
  onCounted: (taken: Taken) => void,
): Promise<void> {
  const subject = serviceKey.mac('count', ofAddress(peer))
  const taken = await database.asApi((tx) => countAttempt(tx, subject, rates.perAddress))
  if (taken === null) return
  onCounted(taken)
  if (taken.exceeded) throw tooMany(taken.resetMs)
}

/** Someone whose password was right. */
interface Proven {
  user: User
  /** The stored hash as read, to detect a later change. */
  keptHash: string
  guesser: Guesser
}

/** `taken` is the limit closest to exhaustion; null without limits. */
type Attempt = { taken: Taken | null } & (
  | { refusal: Refusal }
  | (Omit<Proven, 'user'> & { user: User | null; passwordHash: string; guess: Failures })
)

/** Failures in a row, as `takeGuess` counts them. */
type Failures = Extract<Guess, { allowed: true }>

/** All is counted before anything is looked at, so that it holds however many ask at once. */
async function beginAttempt(
  tx: Tx,
  { serviceKey, rates }: LogInDeps,
  { username, peer }: LogInRequest,
): Promise<Attempt> {
  // The database folds every name, also unknown ones: if unknown names were folded differently, the
  // counters would reveal which names exist.
  const { folded, user: row } = await selectUserOfName(tx, {
    name: username.replaceAll(NOT_IN_A_NAME, ''),
    isNone: !USERNAME_SHAPE.test(username),
  })
  const guesser: Guesser = { kind: 'name', who: folded, peer }
  const { isKnown, lockedMs } = await readStanding(tx, serviceKey, guesser)
  let taken: Taken | null = null
  for (const { what, limit } of [
    { what: ofAddress(peer), limit: rates.perAddress },
    // A locked address must not use up what a name has left for others.
    { what: ofName(folded, isKnown ? peer : ''), limit: lockedMs > 0 ? 0 : rates.perUser },
  ]) {
    const one = await countAttempt(tx, serviceKey.mac('count', what), limit)
    if (one?.exceeded === true) return { taken: one, refusal: tooMany(one.resetMs) }
    if (one !== null && one.remaining <= (taken?.remaining ?? Infinity)) taken = one
  }
  const guess = await takeGuess(tx, serviceKey, guesser)
  if (!guess.allowed) return { taken, refusal: tooMany(guess.retryAfterMs, LOCKED) }
  const user = row === null ? null : userFromRow(serviceKey, row)
  const keptHash = row?.password_hash ?? ''
  const passwordHash = authenticHash(serviceKey, { userId: user?.id ?? '', kept: keptHash })
  return { taken, user, keptHash, passwordHash, guesser, guess }
}

/** `peer` is "" for all unknown addresses together. */
function ofName(folded: string, peer: string): string[] {
  return ['log-in-name', folded, peer]
}

function ofAddress(peer: string): string[] {
  return ['log-in-address', peer]
}

/** Counts one attempt; null without a limit. */
async function countAttempt(tx: Tx, subject: Uint8Array, limit: number): Promise<Taken | null> {
  if (limit === 0) return null
  const { requests, window_start } = await addRequest(tx, { subject, windowMs: WINDOW_MS })
  const resetMs = window_start + WINDOW_MS - tx.clock.now()
  return { limit, remaining: Math.max(0, limit - requests), resetMs, exceeded: requests > limit }
}

/** The user of an API key has no password, and a row that was changed behind our back no rights. */
function maySignIn({ role, status, authentic }: User): boolean {
  return authentic && status === 'active' && role !== 'api'
}

async function beginSession(
  tx: Tx,
  { serviceKey, sessions, clock }: LogInDeps,
  { user: { orgId, id: userId }, keptHash, guesser, code }: Proven & { code: string },
): Promise<LoggedIn> {
  const recovery = isRecoveryCode(code)
    ? await useRecoveryCode(tx, serviceKey, { orgId, userId, code })
    : null
  if (recovery === null) await consumeTotp(tx, serviceKey, { orgId, userId, code, clock })
  // The user is locked now; the password may have been replaced while it was being compared.
  const row = await selectPasswordHash(tx, { orgId, userId })
  const user = row === null ? null : userFromRow(serviceKey, row)
  if (user === null || row?.password_hash !== keptHash || !maySignIn(user))
    throw new Refusal('UNAUTHORIZED', {}, WRONG)
  await succeed(tx, serviceKey, guesser)
  // The address is known for the person's codes as well.
  await succeed(tx, serviceKey, { kind: 'code', who: userId, peer: guesser.peer })
  const actor = `user:${userId}`
  const isRecovery = recovery !== null
  const details = isRecovery ? { recoveryCodesLeft: recovery.left } : {}
  await writeAudit(tx, { orgId, actor, action: 'session.begin', object: userId, details })
  await noteLogin(tx, { orgId, id: userId })
  const session = await sessions.begin(tx, user, { address: guesser.peer, isRecovery })
  return isRecovery ? { ...session, mustEnrolTotp: true, ...details } : session
}

/**
 * Writes to the audit log that a name was locked for an address, or slowed for unknown ones. An
 * unknown name costs a commit as well, because the response time would otherwise reveal it.
 */
async function noteLock(
  database: Database,
  { serviceKey }: Pick<LogInDeps, 'serviceKey'>,
  attempt: { user: User | null; guesser: Guesser; guess: Failures },
): Promise<void> {
  const { user, guesser, guess } = attempt
  const { failures, failuresOfAll } = guess
  const isLocked = failures >= FAILURES_MAX
  if (!isLocked && failuresOfAll !== FAILURES_MAX) return
  if (user === null) {
    const { subject } = subjectOf(serviceKey, guesser)
    return database.asApi((tx) => touchGuesses(tx, subject))
  }
  const { orgId, id: object } = user
  const action = isLocked ? 'user.lock' : 'user.slow'
  const details = { failures: isLocked ? failures : failuresOfAll, address: guesser.peer }
  await database.forOrg(orgId, (tx) =>
    writeAudit(tx, { orgId, actor: 'sign-in', action, object, details }),
  )
}
