import type { Millis } from '../base/clock.ts'
import { assert } from '../base/assert.ts'
import { ATTEMPTS_MAX, nextAttempt } from './schedule.ts'
import type { SignatureHeaders, SigningKey } from './signature.ts'

/** One event on its way to one endpoint, leased to this process. */
export interface Delivery {
  orgId: string
  eventId: string
  endpointId: string
  /**
   * The exact text that is signed and sent. Released when it is being sent: it is a slice of the
   * texts of its whole lease, which one slow answer would keep in memory.
   */
  body: string
  /** The number of earlier attempts. */
  attempts: number
  /** The attempt after which the delivery fails: higher after each redelivery, 1 for a test. */
  attemptsMax: number
  /** Proves at the end that the lease is still held. */
  leaseToken: string
  leasedAt: Millis
  /** As of the lease; null if the endpoint was deleted or has no URL. */
  url: string | null
  /** Whether it goes to its own URL instead of the endpoint's. */
  isDirected: boolean
  /** As valid at the lease; null if it must not be sent. */
  keys: readonly SigningKey[] | null
  /** Why it has no URL or no keys; "" if it has both. */
  problem: string
}

/** The result of one POST. */
export interface Answer {
  /** Null without an answer. */
  status: number | null
  /** Names in lower case; empty without an answer, and for an acknowledgement. */
  headers: Readonly<Record<string, string>>
  /** The beginning of the body, as text. */
  body: string
  /** Why the answer is incomplete or missing; empty if it is complete. */
  error: string
}

/** One attempt, as stored. */
export interface Attempt {
  delivery: Delivery
  /** 1 for the first. */
  number: number
  url: string
  /** As sent, to derive the headers; null if unsent. */
  signature: SignatureHeaders | null
  answer: Answer
  startedAt: Millis
  endedAt: Millis
}

/** The state of a delivery after an attempt. */
export interface Verdict {
  state: 'pending' | 'delivered' | 'failed'
  nextAt: Millis | null
  finishedAt: Millis | null
}

/**
 * Delivered after an answer with status 2xx (interface, 6.5), else due again after the delay of the
 * schedule, else failed permanently. Without a URL there are no retries. A redelivery restarts the
 * schedule.
 */
export function judge({ number, delivery, answer, endedAt }: Attempt): Verdict {
  assert(number === delivery.attempts + 1, 'an attempt out of its order', { number })
  if (isAccepted(answer)) return { state: 'delivered', nextAt: null, finishedAt: endedAt }
  const round = number - (delivery.attemptsMax - ATTEMPTS_MAX)
  const nextAt = delivery.url === null ? null : nextAttempt({ number: round, endedAt })
  if (nextAt !== null) return { state: 'pending', nextAt, finishedAt: null }
  return { state: 'failed', nextAt: null, finishedAt: endedAt }
}

/** Whether the receiver acknowledged the event: any status from 200 to 299, without an error. */
export function isAccepted({ status, error }: Pick<Answer, 'status' | 'error'>): boolean {
  return error === '' && status !== null && status >= 200 && status <= 299
}

/** The stored length of an acknowledgement's body, in characters. */
const ACKNOWLEDGEMENT_MAX = 1_024

/** The stored part of an answer's body; only the beginning of an acknowledgement. */
export function keptBody(answer: Answer): string {
  return isAccepted(answer) ? answer.body.slice(0, ACKNOWLEDGEMENT_MAX) : answer.body
}
