import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ManualClock, SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import { lowGas } from '../../test/support/sample-event.ts'
import { iso } from '../base/clock.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { readEvent } from './list-events.ts'
import { appendEvent, openOutbox } from './outbox.ts'
import { headersAsSent, headersOf, keptSignature } from './sent-headers.ts'

const EVENT_ID = '01990000-0000-7000-8000-000000000001'
const SIGNATURE = {
  'x-webhook-signature': 'ab'.repeat(32),
  'webhook-id': EVENT_ID,
  'webhook-timestamp': '1795647042',
  'webhook-signature': 'v1,bmV3ZXI= v1,b2xkZXI=',
}

test('headers are restored from their stored part as sent', () => {
  const sent = headersOf(EVENT_ID, SIGNATURE)
  expect(sent).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Sluice-Webhooks',
    'accept-encoding': 'identity',
    ...SIGNATURE,
  })
  expect(headersAsSent(EVENT_ID, keptSignature(SIGNATURE))).toEqual(sent)
})

test('attempts in earlier forms show the headers as sent', () => {
  const kept = `1 1795647042 ${'ab'.repeat(32)} v1,bmV3ZXI= v1,b2xkZXI=`
  expect(headersAsSent(EVENT_ID, kept)).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Sluice-Webhooks',
    'accept-encoding': 'identity',
    ...SIGNATURE,
  })
  expect(() => headersAsSent(EVENT_ID, '0 1 2 3')).toThrow('a form that never was')
})

test('an old attempt shows full headers, and an unsent one shows no headers', async () => {
  const random = new SeededRandom('headers')
  const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
  const clock = new ManualClock(1_795_647_042_000)
  const testing = await openTestDatabase({ clock })
  try {
    const shown = await testing.database.transaction(async (tx) => {
      const given = { name: 'Acme', actor: 'test', random }
      const { organization } = await createOrganization(tx, serviceKey, given)
      const orgId = organization.id
      await openOutbox(tx, orgId)
      const payload = lowGas('x')
      return { orgId, id: appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'x', payload }) }
    })
    await testing.database.transaction(async (tx) => {
      const { orgId, id } = shown
      const now = iso(clock.now())
      await tx.run(sql`
        insert into delivery_attempts (org_id, event_id, endpoint_id, number, url, request_headers,
                                       started_at, finished_at)
        values (${orgId}, ${id}, ${orgId}, 1, 'https://hooks.acme.com/', '{"x-old":"1"}', ${now},
                ${now}),
               (${orgId}, ${id}, ${orgId}, 2, 'https://hooks.acme.com/', null, ${now}, ${now})`)
    })
    const { attempts } = await testing.database.transaction((tx) => readEvent(tx, shown))
    expect(attempts.map(({ requestHeaders }) => requestHeaders)).toEqual([{ 'x-old': '1' }, {}])
  } finally {
    await testing.close()
  }
})
