import type { DeliveryAttempt, SingleEvent, StoredEvent as StoredEventView } from '@sluice/wire'
import { type Millis, iso } from '../../base/clock.ts'
import type { StoredAttempt, StoredEvent } from '../../webhooks/event.ts'

/** An event as it is sent, with the state of its delivery (decisions, 10). */
export function viewEvent(event: StoredEvent): StoredEventView {
  return {
    id: event.id,
    type: event.type,
    timestamp: iso(event.createdAt),
    orgId: event.orgId,
    sequence: event.sequence,
    subjectId: event.subjectId,
    payload: parsePayload(event.body),
    delivery: {
      state: event.state,
      attemptCount: event.attempts,
      lastStatus: event.lastStatus,
      lastError: event.lastError,
      nextAttemptAt: isoOrNull(event.nextAt),
      finishedAt: isoOrNull(event.finishedAt),
    },
  }
}

/** The same with its attempts; each sent the stored text. */
export function viewSingleEvent(
  event: StoredEvent,
  attempts: readonly StoredAttempt[],
): SingleEvent {
  return { ...viewEvent(event), attempts: attempts.map((one) => viewAttempt(one, event.body)) }
}

function viewAttempt(attempt: StoredAttempt, body: string): DeliveryAttempt {
  const { number, startedAt, finishedAt, url, requestHeaders, status, error } = attempt
  const { responseHeaders, responseBody } = attempt
  return {
    number,
    startedAt: iso(startedAt),
    finishedAt: iso(finishedAt),
    durationMs: Math.max(0, finishedAt - startedAt),
    request: { method: 'POST', url, headers: requestHeaders, body },
    response: status === null ? null : { status, headers: responseHeaders, body: responseBody },
    error,
  }
}

function isoOrNull(at: Millis | null): string | null {
  return at === null ? null : iso(at)
}

/** The stored text is an envelope. */
function parsePayload(body: string): Record<string, unknown> {
  const { payload } = JSON.parse(body) as { payload: Record<string, unknown> }
  return payload
}
