import { DatabaseError } from 'pg'
import { Bug } from '../base/assert.ts'
import { codeOf, Outage, Refusal } from '../base/fault.ts'

/** SQLSTATE classes and codes that say "not now" or "not here", whatever the statement was. */
const AWAY_CLASSES = ['08', '28', '53', '57', '58']
const AWAY_CODES = ['25006', '25P03', '25P04', '3D000']
const CONFLICT_CODES = ['40001', '40P01']

/** What node says when the other side of a socket is away. */
const SOCKET_CODES = [
  'EACCES',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]

/** The driver's own words, which carry no code. */
const DRIVER_WORDS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
  'The server does not support SSL connections',
]

/**
 * The commit was sent and its answer lost: the step may or may not have happened. It is never
 * retried here; a caller reads again by id before it decides (failures, W24).
 */
export class CommitUnknown extends Outage {}

/**
 * Whether a whole step may be repeated: the database chose it as the loser of a conflict or a
 * deadlock.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && CONFLICT_CODES.includes(error.code ?? '')
}

/**
 * Whether the database itself answered that it refused: then nothing of the step can have happened.
 */
export function isAnswer(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR'
}

/**
 * Names the fault: a database that is away, full, read-only or crowded is an Outage; everything
 * else stays as it is.
 */
export function toFault(error: unknown): unknown {
  if (error instanceof Outage || error instanceof Refusal || error instanceof Bug) return error
  return isAway(error) ? toUnreached(error) : error
}

/**
 * The same where no connection came about. Whatever the reason, the database is away: certificates
 * and handshakes fail in words of their own, of which no list is complete.
 */
export function toUnreached(error: unknown): Outage {
  if (error instanceof Outage) return error
  return new Outage('database', messageOf(error), { cause: error })
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseError) {
    const code = error.code ?? ''
    return AWAY_CLASSES.includes(code.slice(0, 2)) || AWAY_CODES.includes(code)
  }
  const isDriver = DRIVER_WORDS.some((words) => error.message.startsWith(words))
  return isDriver || SOCKET_CODES.includes(codeOf(error))
}

/**
 * An error of several attempts (IPv6, then IPv4) has no message of its own, only those of its
 * parts.
 */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((part) => messageOf(part)).join('; ')
  return error instanceof Error ? error.message : String(error)
}
