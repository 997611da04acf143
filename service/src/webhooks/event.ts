import type { DeliveryState, EventType } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'

/** An event as it is kept, and where it stands on its way to the receiver. */
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
  /** How often it was tried, redeliveries included. */
  attempts: number
  nextAt: Millis | null
  finishedAt: Millis | null
  /** Of the last attempt; null where no answer came, or none is kept. */
  lastStatus: number | null
  lastError: string
}

/** One attempt as it was written down. */
export interface StoredAttempt {
  number: number
  url: string
  requestHeaders: Record<string, string>
  /** Null where no answer began. */
  status: number | null
  /** None of an acknowledgement. */
  responseHeaders: Record<string, string>
  responseBody: string
  error: string
  startedAt: Millis
  finishedAt: Millis
}

/** What events may be narrowed to (decisions, 10); times are milliseconds, both included. */
export interface EventFilter {
  /** Only those with a higher number. */
  after?: number
  type?: EventType
  from?: Millis
  to?: Millis
  delivery?: DeliveryState
}
