import type { EventPayloads } from './generated.ts'

export type EventType = keyof EventPayloads

/** The envelope of every event. */
export interface EventEnvelope<Type extends EventType = EventType> {
  /** Unchanged by retries and redeliveries: deduplicate by it. */
  id: string
  type: Type
  timestamp: string
  orgId: string
  /** Increases by one for each event of the organization, without gaps. */
  sequence: number
  payload: EventPayloads[Type]
}

/** Any event; `type` selects the type of `payload`. */
export type WebhookEvent = { [Type in EventType]: EventEnvelope<Type> }[EventType]
