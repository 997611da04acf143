import type { Millis } from '../base/clock.ts'
import { assert } from '../base/assert.ts'
import { ATTEMPTS_MAX, nextAttempt } from './schedule.ts'
import type { SignatureHeaders, SigningKey } from './signature.ts'

/** One event on its way to its organization's receiver, leased to this process. */
export interface Delivery {
  orgId: string
  eventId: string
  /**
   * The exact text that is signed and sent. Let go of once it is on its way: it is a part of the
   * texts of its whole lease, which one answer that is long in coming would keep all.
   */
  body: string
  /** How often it was tried before. */
  attempts: number
  /** After so many attempts it is given up: more with each redelivery, one alone for a test. */
  attemptsMax: number
  /** Proves at the end that the lease is still ours. */
  leaseToken: string
  leasedAt: Millis
  /** As it was when leased; null where the organization has none any more. */
  url: string | null
  /** It goes to a URL of its own, not to that of the organization. */
  isDirected: boolean
  /** As valid when leased; null where they cannot be read. */
  keys: readonly SigningKey[] | null
}

/** What came of one POST. */
export interface Answer {
  /** Null where no answer began. */
  status: number | null
  /** Names in lower case; none where no answer began, and none of an acknowledgement. */
  headers: Readonly<Record<string, string>>
  /** The beginning of the body, as text. */
  body: string
  /** Why the answer is incomplete or missing; empty where it is whole. */
  error: string
}

/** One attempt, as it is written down. */
export interface Attempt {
  delivery: Delivery
  /** 1 for the first. */
  number: number
  url: string
  /** As sent, from which the headers follow; null where nothing was. */
  signature: SignatureHeaders | null
  answer: Answer
  startedAt: Millis
  endedAt: Millis
}

/** What an attempt makes of its delivery. */
export interface Verdict {
  state: 'pending' | 'delivered' | 'failed'
  nextAt: Millis | null
  finishedAt: Millis | null
}

/**
 * Delivered with an answer of status 2xx (interface, 6.5), else due again after the delay of
 * the schedule, else failed for good. Without a URL there is nothing to try again for. A redelivery
 * begins the schedule anew.
 */
export function judge({ number, delivery, answer, endedAt }: Attempt): Verdict {
  assert(number === delivery.attempts + 1, 'an attempt out of its order', { number })
  if (isAccepted(answer)) return { state: 'delivered', nextAt: null, finishedAt: endedAt }
  const round = number - (delivery.attemptsMax - ATTEMPTS_MAX)
  const nextAt = delivery.url === null ? null : nextAttempt({ number: round, endedAt })
  if (nextAt !== null) return { state: 'pending', nextAt, finishedAt: null }
  return { state: 'failed', nextAt: null, finishedAt: endedAt }
}

/**
 * Whether the receiver took the event: any status of 200 to 299, and nothing wrong with its answer.
 */
export function isAccepted({ status, error }: Pick<Answer, 'status' | 'error'>): boolean {
  return error === '' && status !== null && status >= 200 && status <= 299
}

/** What is kept of the body of an answer that acknowledges, in characters. */
const ACKNOWLEDGEMENT_MAX = 1_024

/** What is kept of an answer's body: of an acknowledgement only the beginning. */
export function keptBody(answer: Answer): string {
  return isAccepted(answer) ? answer.body.slice(0, ACKNOWLEDGEMENT_MAX) : answer.body
}
