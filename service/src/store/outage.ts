import { DatabaseError } from 'pg'
import { Bug } from '../base/assert.ts'
import { codeOf, Outage, Refusal } from '../base/fault.ts'

/** SQLSTATE classes and codes that do not depend on the statement. */
const AWAY_CLASSES = ['08', '28', '53', '57', '58']
const AWAY_CODES = ['25006', '25P03', '25P04', '3D000']
const CONFLICT_CODES = ['40001', '40P01']

/** Node's codes for an unreachable host. */
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

/** Messages of the driver without a code. */
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
 * The response to a commit was lost, so its result is unknown. It is never retried here; a caller
 * reads again by id before it decides (W24).
 */
export class CommitUnknown extends Outage {}

/** Whether a transaction may be repeated: it lost a serialization conflict or a deadlock. */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && CONFLICT_CODES.includes(error.code ?? '')
}

/** Whether the database responded with an error: then the transaction did not commit. */
export function isAnswer(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR'
}

/** Turns the errors of an unreachable, full, read-only or overloaded database into an Outage. */
export function toFault(error: unknown): unknown {
  if (error instanceof Outage || error instanceof Refusal || error instanceof Bug) return error
  return isAway(error) ? toUnreached(error) : error
}

/** Turns every error of a failed connection into an Outage; no list of its messages is complete. */
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

/** The message of an error; for several attempts (IPv6, IPv4) those of its parts. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((part) => messageOf(part)).join('; ')
  return error instanceof Error ? error.message : String(error)
}
