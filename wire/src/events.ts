import { type Static, Type } from 'typebox'
import { BALANCE_EVENTS } from './balances.ts'
import { CATALOGUE_EVENTS } from './catalogue.ts'
import type { EventDefinition } from './define.ts'
import { DEPOSIT_EVENTS } from './deposits.ts'
import { AT, ORG_ID, USER_ID } from './examples.ts'
import { text, timestamp } from './fields.ts'
import { ORGANIZATION_EVENTS } from './organization.ts'
import { WITHDRAWAL_EVENTS } from './withdrawal.ts'

export const WebhookTestEvent = Type.Object({
  test: Type.Literal(true, { description: 'Always true.' }),
  message: text('A text for people.'),
  requestedBy: text('The user who requested the test.'),
  at: timestamp('When it happened.'),
})
export type WebhookTestEvent = Static<typeof WebhookTestEvent>

/** Every type of event (section 6.2 and decisions, section 10). */
export const EVENTS = {
  ...DEPOSIT_EVENTS,
  ...WITHDRAWAL_EVENTS,
  ...BALANCE_EVENTS,
  ...CATALOGUE_EVENTS,
  ...ORGANIZATION_EVENTS,
  'webhook.test': {
    description: 'A user of the organization requested a test. It is sent once.',
    payload: WebhookTestEvent,
    example: { test: true, message: 'This is a test.', requestedBy: USER_ID, at: AT },
  },
} as const satisfies Record<string, EventDefinition>

export type EventType = keyof typeof EVENTS

export type EventPayloads = { [Type in EventType]: Static<(typeof EVENTS)[Type]['payload']> }

function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENTS, name)
}

export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENTS).filter(isEventType)

/** Section 6.1, with `id`, `orgId` and `sequence` of decisions, section 10. */
export interface EventEnvelope<Type extends EventType = EventType> {
  id: string
  type: Type
  timestamp: string
  orgId: string
  /** Increases by one for each event of the organization, without gaps. */
  sequence: number
  payload: EventPayloads[Type]
}

/** An example of an event as receivers get it. */
export function exampleEvent(type: EventType) {
  return {
    id: '019ab4ef-6666-7000-8000-000000000006',
    timestamp: AT,
    orgId: ORG_ID,
    sequence: 1201,
    type,
    payload: EVENTS[type].example,
  }
}
