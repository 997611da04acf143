import { SluiceAnswerError, SluiceError, SluiceNetworkError } from './errors.ts'
import type { OperationName } from './operation.ts'

const BACKOFF_FIRST_MS = 250
const BACKOFF_MOST_MS = 8_000
/** Whoever is asked to wait longer is told so, instead of being kept waiting. */
const RETRY_AFTER_MOST_MS = 60_000

/**
 * What may be asked twice besides reads. A withdrawal has its reference, a cancellation and a
 * setting are the same the second time. One-time codes, rotations, test events and
 * redeliveries are not here: their second time is another thing, or a refusal.
 */
const REPEATABLE: ReadonlySet<OperationName> = new Set<OperationName>([
  'postWithdrawals',
  'deleteWithdrawal',
  'patchWebhook',
  'patchMinWithdrawalSigners',
])

/** Whether asking again what may have been done already changes nothing. */
export function isRepeatable(name: OperationName, method: string): boolean {
  return method === 'GET' || REPEATABLE.has(name)
}

/** Whether an operation may have been done although this came of it. */
export function leavesDoubt(error: unknown): boolean {
  return !(error instanceof SluiceError) || error.status >= 500
}

/**
 * How long to wait before the next attempt, in milliseconds; null where another one would come to
 * the same. Without `Retry-After`, exponential from 250 ms to 8 s, with full jitter. `random` is
 * from 0 to 1.
 */
export function waitBeforeRetry(error: unknown, attempt: number, random: number): number | null {
  if (!mayPass(error)) return null
  const asked = error instanceof SluiceNetworkError ? null : error.retryAfterSeconds
  if (asked !== null && asked * 1_000 > RETRY_AFTER_MOST_MS) return null
  const jitter = random * Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** attempt)
  return Math.ceil((asked ?? 0) * 1_000 + jitter)
}

function mayPass(error: unknown): error is SluiceError | SluiceAnswerError | SluiceNetworkError {
  if (error instanceof SluiceNetworkError) return true
  if (!(error instanceof SluiceError || error instanceof SluiceAnswerError)) return false
  // A record that was changed behind the service's back stays so; each attempt would be an alarm.
  if (error instanceof SluiceError && error.details['reason'] === 'tampered') return false
  return error.status === 429 || error.status >= 500
}

/** `Retry-After` in seconds, from a count of seconds or a date; null where there is neither. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^[0-9]{1,9}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000))
}
