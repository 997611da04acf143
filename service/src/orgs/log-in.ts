import type { Clock, Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../journal/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import { addRequest } from './count-rows.ts'
import { USERNAME_SHAPE } from './create-user.ts'
import { FAILURES_MAX, takeGuess, tooMany } from './guess.ts'
import { clearGuesses, touchGuesses } from './guess-rows.ts'
import type { Taken } from './limits.ts'
import { checkPassword, genuineHash } from './password.ts'
import type { AccessToken, Sessions } from './sessions.ts'
import { selectPasswordHash, selectUserOfName } from './sign-in-rows.ts'
import { consumeTotp } from './totp.ts'
import { type User, userFromRow } from './user.ts'

/** The window in which attempts are counted (decisions, section 11). */
const WINDOW_MS: Millis = 60_000
/** JSON can carry them; UTF-8 has no half pairs, and a text of the database no zero. */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}]/gu
const WRONG = 'The user name or the password is wrong.'
const LOCKED = 'There were too many failures. Wait the seconds in Retry-After, then try again.'

export interface LogInMeans {
  serviceKey: ServiceKey
  sessions: Sessions
  clock: Clock
  /** Attempts in a minute; 0 for no limit. */
  rates: { perUser: number; perAddress: number }
}

/** What was sent, and the peer it came from, as limits know it. */
export interface LogInRequest {
  username: string
  password: Secret
  totpCode: string
  peer: string
}

/**
 * Signs a person in (section 5, decisions, 5). A name that nobody has costs the same work as a
 * wrong password and has the same answer; the code is looked at only after a right password.
 * Refuses with RATE_LIMIT_EXCEEDED (too many attempts in a minute, or ten failures in a row),
 * UNAUTHORIZED and INVALID_TOTP. Without its counters, that is without the database, it signs
 * nobody in. `onCounted` hears of the limit that is nearest, whatever comes of the attempt.
 */
export async function logIn(
  database: Database,
  means: LogInMeans,
  given: LogInRequest,
  onCounted: (taken: Taken) => void = () => {},
): Promise<AccessToken> {
  const attempt = await database.asApi((tx) => beginAttempt(tx, means, given))
  if (attempt.taken !== null) onCounted(attempt.taken)
  if ('refusal' in attempt) throw attempt.refusal
  const { user, keptHash, passwordHash, subject } = attempt
  const isRight = await checkPassword(passwordHash, given.password)
  if (!isRight || user === null || !maySignIn(user)) {
    await noteLock(database, attempt)
    throw new Refusal('UNAUTHORIZED', {}, WRONG)
  }
  try {
    return await database.forOrg(user.orgId, (tx) =>
      beginSession(tx, means, { user, keptHash, subject, code: given.totpCode }),
    )
  } catch (error) {
    if (error instanceof Refusal) await noteLock(database, attempt)
    throw error
  }
}

/**
 * Counts an attempt that could not be read, which names nobody, by the address it came from, as
 * `logIn` counts those that can. Refuses with RATE_LIMIT_EXCEEDED.
 */
export async function countUnreadable(
  database: Database,
  { serviceKey, rates }: Pick<LogInMeans, 'serviceKey' | 'rates'>,
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
  /** As it was found, to be compared with what stands later. */
  keptHash: string
  subject: Uint8Array
}

/** `taken` is the limit that is nearest; null where there is none. */
type Attempt = { taken: Taken | null } & (
  | { refusal: Refusal }
  | (Omit<Proven, 'user'> & { user: User | null; passwordHash: string; failures: number })
)

/** All is counted before anything is looked at, so that it holds however many ask at once. */
async function beginAttempt(
  tx: Tx,
  { serviceKey, rates }: LogInMeans,
  { username, peer }: LogInRequest,
): Promise<Attempt> {
  // The database folds every name, also one that nobody has or can have: were they counted by
  // another fold than those that it finds, the counters would tell which is which.
  const { folded, user: row } = await selectUserOfName(tx, {
    name: username.replaceAll(NOT_IN_A_NAME, ''),
    isNone: !USERNAME_SHAPE.test(username),
  })
  let taken: Taken | null = null
  for (const { what, limit } of [
    { what: ofAddress(peer), limit: rates.perAddress },
    { what: ['log-in-name', folded], limit: rates.perUser },
  ]) {
    const one = await countAttempt(tx, serviceKey.mac('count', what), limit)
    if (one?.exceeded === true) return { taken: one, refusal: tooMany(one.resetMs) }
    if (one !== null && one.remaining <= (taken?.remaining ?? Infinity)) taken = one
  }
  const subject = serviceKey.mac('guess', ['name', folded])
  const guess = await takeGuess(tx, subject)
  if (!guess.allowed) return { taken, refusal: tooMany(guess.retryAfterMs, LOCKED) }
  const user = row === null ? null : userFromRow(serviceKey, row)
  const keptHash = row?.password_hash ?? ''
  const passwordHash = genuineHash(serviceKey, { userId: user?.id ?? '', kept: keptHash })
  return { taken, user, keptHash, passwordHash, subject, failures: guess.failures }
}

function ofAddress(peer: string): string[] {
  return ['log-in-address', peer]
}

/** Counts one attempt; null where there is no limit. */
async function countAttempt(tx: Tx, subject: Uint8Array, limit: number): Promise<Taken | null> {
  if (limit === 0) return null
  const { requests, window_start } = await addRequest(tx, { subject, windowMs: WINDOW_MS })
  const resetMs = window_start + WINDOW_MS - tx.clock.now()
  return { limit, remaining: Math.max(0, limit - requests), resetMs, exceeded: requests > limit }
}

/** The user of an API key has no password, and a row that was changed behind our back no rights. */
function maySignIn({ role, status, genuine }: User): boolean {
  return genuine && status === 'active' && role !== 'api'
}

async function beginSession(
  tx: Tx,
  { serviceKey, sessions, clock }: LogInMeans,
  { user: { orgId, id: userId }, keptHash, subject, code }: Proven & { code: string },
): Promise<AccessToken> {
  await consumeTotp(tx, serviceKey, { orgId, userId, code, clock })
  // The user is locked now; the password may have been replaced while it was being compared.
  const row = await selectPasswordHash(tx, { orgId, userId })
  const user = row === null ? null : userFromRow(serviceKey, row)
  if (user === null || row?.password_hash !== keptHash || !maySignIn(user))
    throw new Refusal('UNAUTHORIZED', {}, WRONG)
  await clearGuesses(tx, subject)
  const actor = `user:${userId}`
  await writeAudit(tx, { orgId, actor, action: 'session.begin', object: userId })
  return sessions.begin(tx, user)
}

/**
 * The owner of a name that is locked can find out that somebody was guessing. One that nobody has
 * costs a commit as well, or the time of this answer would tell the two apart.
 */
async function noteLock(
  database: Database,
  given: { user: User | null; subject: Uint8Array; failures: number },
): Promise<void> {
  const { user, subject, failures } = given
  if (failures < FAILURES_MAX) return
  if (user === null) return database.asApi((tx) => touchGuesses(tx, subject))
  const { orgId, id: object } = user
  await database.forOrg(orgId, (tx) =>
    writeAudit(tx, { orgId, actor: 'sign-in', action: 'user.lock', object, details: { failures } }),
  )
}
