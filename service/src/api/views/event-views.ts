import type {
  DeliveryAttempt,
  EndpointDelivery,
  EventDelivery,
  SingleEvent,
  StoredEvent as StoredEventView,
} from '@sluice/wire'
import { type Millis, iso } from '../../base/clock.ts'
import type { StoredAttempt, StoredDelivery, StoredEvent } from '../../webhooks/event.ts'

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
    delivery: viewDelivery(event),
  }
}

function viewDelivery(delivery: Omit<StoredDelivery, 'endpointId'>): EventDelivery {
  return {
    state: delivery.state,
    attemptCount: delivery.attempts,
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
    nextAttemptAt: isoOrNull(delivery.nextAt),
    finishedAt: isoOrNull(delivery.finishedAt),
  }
}

function viewOfEndpoint(delivery: StoredDelivery): EndpointDelivery {
  return { endpointId: delivery.endpointId, ...viewDelivery(delivery) }
}

/** The same with its deliveries and attempts; each sent the stored text. */
export function viewSingleEvent(
  event: StoredEvent,
  deliveries: readonly StoredDelivery[],
  attempts: readonly StoredAttempt[],
): SingleEvent {
  return {
    ...viewEvent(event),
    deliveries: deliveries.map(viewOfEndpoint),
    attempts: attempts.map((one) => viewAttempt(one, event.body)),
  }
}

function viewAttempt(attempt: StoredAttempt, body: string): DeliveryAttempt {
  const { number, startedAt, finishedAt, url, requestHeaders, status, error } = attempt
  const { responseHeaders, responseBody } = attempt
  return {
    endpointId: attempt.endpointId,
    number,
    startedAt: iso(startedAt),
    finishedAt: iso(finishedAt),
    durationMs: Math.max(0, finishedAt - startedAt),
    request: { method: 'POST', url, headers: requestHeaders, body },
    response: status === null ? null : { status, headers: responseHeaders, body: responseBody },
    error,
  }
}

/** A time as text; null without a time. */
export function isoOrNull(at: Millis | null): string | null {
  return at === null ? null : iso(at)
}

/** The stored text is an envelope. */
function parsePayload(body: string): Record<string, unknown> {
  const { payload } = JSON.parse(body) as { payload: Record<string, unknown> }
  return payload
}
