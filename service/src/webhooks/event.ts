import type { DeliveryState, EventType } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'

/** A stored event with the state of its delivery to one endpoint. */
export interface StoredEvent {
  id: string
  orgId: string
  sequence: number
  type: string
  subjectId: string
  /** The exact text that is signed and sent. */
  body: string
  createdAt: Millis
  state: DeliveryState
  /** The number of attempts, redeliveries included. */
  attempts: number
  nextAt: Millis | null
  finishedAt: Millis | null
  /** Of the last attempt; null without an answer, or if it is not stored. */
  lastStatus: number | null
  lastError: string
}

/** An event's delivery to one endpoint. */
export interface StoredDelivery
  extends Pick<
    StoredEvent,
    'state' | 'attempts' | 'nextAt' | 'finishedAt' | 'lastStatus' | 'lastError'
  > {
  endpointId: string
}

/** One stored attempt. */
export interface StoredAttempt {
  endpointId: string
  number: number
  url: string
  requestHeaders: Record<string, string>
  /** Null without an answer. */
  status: number | null
  /** Empty for an acknowledgement. */
  responseHeaders: Record<string, string>
  responseBody: string
  error: string
  startedAt: Millis
  finishedAt: Millis
}

/** The filter of events (decisions, 10); times are milliseconds, both inclusive. */
export interface EventFilter {
  /** Only events with a higher number. */
  after?: number
  type?: EventType
  /** Only events of this record. */
  subjectId?: string
  from?: Millis
  to?: Millis
  delivery?: DeliveryState
  /** The endpoint whose deliveries are shown; the default one if absent. */
  endpointId?: string
}
