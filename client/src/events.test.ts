import * as wire from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import type { EventType, WebhookEvent } from './events.ts'
import type { ErrorCode, EventPayloads } from './generated.ts'

/** True where each of two types can stand for the other, `true` being the only value of it. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never

/** The compiler holds the client's own types to those of the wire: they differ nowhere. */
const PAYLOADS: { [Type in wire.EventType]: Same<EventPayloads[Type], wire.EventPayloads[Type]> } =
  {
    'deposit.detected': true,
    'deposit.confirmed': true,
    'deposit.reverted': true,
    'deposit.held': true,
    'withdrawal.created': true,
    'withdrawal.approved': true,
    'withdrawal.processing': true,
    'withdrawal.completed': true,
    'withdrawal.failed': true,
    'withdrawal.cancelled': true,
    'account.created': true,
    'balance.updated': true,
    'gas.low': true,
    'chain.frozen': true,
    'settings.changed': true,
    'webhook.test': true,
  }
const TYPES: Same<EventType, wire.EventType> = true
const ENVELOPE: Same<keyof WebhookEvent, keyof wire.EventEnvelope> = true
const CODES: Same<ErrorCode, wire.ErrorCode> = true

describe('the types of the client', () => {
  test('know every event and every error code of the interface', () => {
    expect(Object.keys(PAYLOADS).sort()).toEqual([...wire.EVENT_TYPES].sort())
    expect([TYPES, ENVELOPE, CODES]).toEqual([true, true, true])
  })
})
