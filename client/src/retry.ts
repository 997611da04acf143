import { SluiceAnswerError, SluiceError, SluiceNetworkError } from './errors.ts'
import type { OperationName } from './operation.ts'

const BACKOFF_FIRST_MS = 250
const BACKOFF_MOST_MS = 8_000
/** A longer requested wait is thrown instead. */
const RETRY_AFTER_MOST_MS = 60_000

/**
 * Operations that may be repeated in addition to reads: a withdrawal has its reference, and a
 * second cancellation or setting changes no state. A second one-time code, rotation, test event or
 * redelivery has another effect, or is refused.
 */
const REPEATABLE: ReadonlySet<OperationName> = new Set<OperationName>([
  'postWithdrawals',
  'postWithdrawalsEstimate',
  'deleteWithdrawal',
  'patchWebhook',
  'patchMinWithdrawalSigners',
])

/** Whether a second execution of an operation changes no state. */
export function isRepeatable(name: OperationName, method: string): boolean {
  return method === 'GET' || REPEATABLE.has(name)
}

/** Whether an operation may have been carried out although it failed with this error. */
export function leavesDoubt(error: unknown): boolean {
  return !(error instanceof SluiceError) || error.status >= 500
}

/**
 * The wait before the next attempt in milliseconds; null if a retry would fail in the same way.
 * Without `Retry-After`, exponential from 250 ms to 8 s, with full jitter. `random` is from 0 to 1.
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
  // A tampered record stays tampered, and each attempt would raise an alert.
  if (error instanceof SluiceError && error.details['reason'] === 'tampered') return false
  return error.status === 429 || error.status >= 500
}

/** `Retry-After` in seconds, from a number of seconds or a date; null if it is neither. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^[0-9]{1,9}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000))
}
