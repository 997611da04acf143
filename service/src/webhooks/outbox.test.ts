import type { EventPayloads } from '@sluice/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { iso } from '../base/clock.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { openServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from './outbox.ts'

const URL_A = 'https://hooks.acme.com/a'
const random = new SeededRandom('outbox')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })

let testing: TestDatabase
beforeAll(async () => {
  testing = await openTestDatabase({ poolMax: 20 })
})
afterAll(() => testing.close())

describe('the outbox', () => {
  test('an event is stored as the text to send, including its number', async () => {
    const orgId = await found(URL_A)
    await testing.database.transaction(async (tx) => note(tx, orgId, 'Žofie "日本" 🪙 \u0000 \\'))
    const [event] = await readEvents(orgId)
    expect(event?.body).toBe(
      `{"id":"${event?.id}","type":"gas.low","timestamp":"2026-01-01T00:00:00.000Z",` +
        `"orgId":"${orgId}","sequence":1,"payload":{"note":"Žofie \\"日本\\" 🪙 \\u0000 \\\\"}}`,
    )
    expect(event).toMatchObject({ sequence: 1, type: 'gas.low', subjectId: 'subject' })
    expect(event?.at).toBe(testing.clock.now())
  })

  test('events of one transaction keep their own texts', async () => {
    const orgId = await found(URL_A)
    const notes = [
      '',
      '\n',
      'a\r\nb\n',
      '\u2028\u0085',
      '{"a":[1,2]},',
      "'; --",
      '\\n',
      'NULL',
      '\ud800',
    ]
    await testing.database.transaction(async (tx) => {
      for (const text of notes) note(tx, orgId, text)
    })
    const events = await readEvents(orgId)
    expect(events.map(({ body }) => noteOf(body))).toEqual(notes)
  })

  test('a rolled-back event is not emitted and uses no number [H10]', async () => {
    const orgId = await found(URL_A)
    const broken = testing.database.transaction(async (tx) => {
      note(tx, orgId, 'never')
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    await testing.database.transaction(async (tx) => note(tx, orgId, 'told'))
    const events = await readEvents(orgId)
    expect(events.map(({ sequence, body }) => [sequence, noteOf(body)])).toEqual([[1, 'told']])
  })

  test('event numbers have no gaps and follow the order of appending [H11]', async () => {
    const orgId = await found(URL_A)
    for (const size of [1, 3, 0, 7, 2]) {
      await testing.database.transaction(async (tx) => {
        for (let at = 0; at < size; at += 1) note(tx, orgId, `${size}/${at}`)
      })
    }
    const events = await readEvents(orgId)
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 13 }, (_, i) => i + 1),
    )
    expect(events.slice(4, 11).map(({ body }) => noteOf(body))).toEqual(
      Array.from({ length: 7 }, (_, at) => `7/${at}`),
    )
  })

  test('each of very many events has its own number, text and delivery [H11]', async () => {
    const [orgId, other] = [await found(URL_A), await found('')]
    const count = 1_203
    await testing.database.transaction(async (tx) => {
      for (let at = 0; at < count; at += 1) note(tx, at % 3 === 0 ? other : orgId, `${at}`)
    })
    for (const [id, rest] of [
      [orgId, [1, 2]],
      [other, [0]],
    ] as const) {
      const events = await readEvents(id)
      const notes = Array.from({ length: count }, (_, at) => at).filter((at) =>
        rest.some((one) => at % 3 === one),
      )
      expect(events.map(({ body }) => noteOf(body))).toEqual(notes.map(String))
      expect(events.map(({ sequence }) => sequence)).toEqual(notes.map((_, at) => at + 1))
      expect(events.every(({ sequence, body }) => parse(body).sequence === sequence)).toBe(true)
    }
    expect(await readDeliveries(orgId)).toHaveLength(802)
    expect(await readDeliveries(other)).toEqual([])
  })

  test('an event belongs to an organization and a delivery to an event [I1]', async () => {
    const orgId = await found(URL_A)
    const nobody = testing.ids.next()
    const now = iso(testing.clock.now())
    for (const wrong of [
      sql`insert into events (org_id, id, sequence, type, subject_id, body, created_at)
          values (${nobody}, ${testing.ids.next()}, 1, 'gas.low', '', '{}', ${now})`,
      sql`insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
          values (${orgId}, ${nobody}, ${orgId}, 1, 'pending', ${now})`,
    ]) {
      const done = testing.database.transaction((tx) => tx.run(wrong))
      await expect(done).rejects.toMatchObject({ code: '23503' })
    }
  })

  test('20 concurrent transactions, a third rolled back, leave no gap [H10]', async () => {
    const orgIds = [await found(URL_A), await found(''), await found(URL_A)]
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => notifyAll(orgIds, at)),
    )
    const committed = results.filter(({ status }) => status === 'fulfilled').length
    expect(committed).toBe(13)
    for (const orgId of orgIds) {
      const events = await readEvents(orgId)
      const sequences = events.map(({ sequence }) => sequence)
      expect(sequences).toEqual(Array.from({ length: 2 * committed }, (_, at) => at + 1))
      expect(events.every(({ sequence, body }) => parse(body).sequence === sequence)).toBe(true)
    }
  })

  test('only an organization with a webhook URL gets deliveries, due at once', async () => {
    const [loud, silent] = [await found(URL_A), await found('')]
    await testing.database.transaction(async (tx) => {
      note(tx, silent, 'one')
      note(tx, loud, 'two')
    })
    expect(await readEvents(silent)).toHaveLength(1)
    expect(await readDeliveries(silent)).toEqual([])
    const dueAt = testing.clock.now()
    expect(await readDeliveries(loud)).toEqual([{ state: 'pending', attempts: 0, nextAt: dueAt }])
  })

  test('an event appended late in the transaction is emitted', async () => {
    const orgId = await found(URL_A)
    await testing.database.transaction(async (tx) => {
      note(tx, orgId, 'early')
      tx.beforeCommit(async (late) => note(late, orgId, 'late'))
    })
    const notes = (await readEvents(orgId)).map(({ body }) => noteOf(body))
    expect(notes).toEqual(['early', 'late'])
  })

  test('the role of the API appends and sees events of its organization only', async () => {
    const [mine, other] = [await found(URL_A), await found(URL_A)]
    await testing.database.forOrg(mine, async (tx) => note(tx, mine, 'mine'))
    await testing.database.transaction(async (tx) => note(tx, other, 'other'))
    const seen = await testing.database.forOrg(mine, (tx) =>
      tx.many(sql<{ body: string }>`select body from events`),
    )
    expect(seen.map(({ body }) => noteOf(body))).toEqual(['mine'])
    const foreign = testing.database.forOrg(mine, async (tx) => note(tx, other, 'forged'))
    await expect(foreign).rejects.toThrow('without a counter of events')
  })

  test('appending throws when the outbox of the organization is not open', async () => {
    const nobody = testing.ids.next()
    const lost = testing.database.transaction(async (tx) => note(tx, nobody, 'lost'))
    await expect(lost).rejects.toThrow('without a counter of events')
  })
})

/** An organization with an outbox, and optionally a webhook URL. */
async function found(url: string): Promise<string> {
  return foundHooked({ ...testing, serviceKey, random }, url)
}

/** Two events for each organization, in another order each time; every third transaction fails. */
async function notifyAll(orgIds: readonly string[], at: number): Promise<void> {
  await testing.database.transaction(async (tx) => {
    const turned = [...orgIds.slice(at % 3), ...orgIds.slice(0, at % 3)]
    for (const orgId of [...turned, ...turned]) note(tx, orgId, `from ${at}`)
    tx.beforeCommit(async () => {
      if (at % 3 === 1) throw new Error('rolled back after its numbers were taken')
    })
  })
}

/** Emits an event; the outbox does not inspect its payload. */
function note(tx: Tx, orgId: string, text: string): void {
  const payload = { note: text } as object as EventPayloads['gas.low']
  appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload })
}

interface Stored {
  id: string
  sequence: number
  type: string
  subjectId: string
  body: string
  at: number
}

function readEvents(orgId: string): Promise<Stored[]> {
  return testing.database.transaction((tx) =>
    tx.many(sql<Stored>`
      select id, sequence, type, subject_id as "subjectId", body, created_at as "at"
        from events
       where org_id = ${orgId}
       order by sequence`),
  )
}

function readDeliveries(orgId: string): Promise<unknown[]> {
  return testing.database.transaction((tx) =>
    tx.many(sql`
      select state, attempts, next_at as "nextAt"
        from deliveries
       where org_id = ${orgId}`),
  )
}

function parse(body: string): { sequence: number; payload: { note: string } } {
  return JSON.parse(body)
}

function noteOf(body: string): string {
  return parse(body).payload.note
}
