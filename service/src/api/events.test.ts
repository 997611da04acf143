import { EVENT_TYPES, SingleEvent, StoredEvent } from '@sluice/wire'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '../../test/support/door.ts'
import { eventsIn, type EventDesk, openEventDesk } from '../../test/support/event-desk.ts'
import { lowGas } from '../../test/support/sample-event.ts'
import { withSession } from '../store/connection.ts'

const NOBODY = '019b76da-0000-7000-8000-000000000000'
const MINUTE = 60_000

let desk: EventDesk
beforeAll(async () => {
  desk = await openEventDesk()
})
afterAll(() => desk.close())
beforeEach(() => desk.begin())

describe('GET /events?subjectId=', () => {
  test('lists the events of one record, in pages, as a feed and with other filters', async () => {
    await desk.tell(3)
    await desk.tell(3)
    const sequences = async (query: string) =>
      (await desk.list(`?subjectId=subject%201${query}`)).map(({ sequence }) => sequence)
    expect(await sequences('')).toEqual([5, 2])
    expect(await sequences('&after=0')).toEqual([2, 5])
    expect(await sequences('&after=2')).toEqual([5])
    expect(await sequences('&type=gas.low&delivery=none')).toEqual([5, 2])
    for (const delivery of ['failed', 'delivered', 'pending'])
      expect(await sequences(`&delivery=${delivery}`)).toEqual([])
    const first = await desk.ask('/events?subjectId=subject%201&limit=1')
    expect(eventsIn(first.json)).toMatchObject([{ sequence: 5 }])
    expect(await sequences(`&limit=1&cursor=${String(first.json['nextCursor'])}`)).toEqual([2])
    expect(await desk.list('?subjectId=subject%209')).toEqual([])
  })

  test('finds failed deliveries of one record', async () => {
    await desk.point('/in')
    await desk.tell(2)
    const { adminUrl } = desk.door.harness
    await withSession(adminUrl, (session) =>
      session.script("update deliveries set state = 'failed', next_at = null"),
    )
    const failed = await desk.list('?subjectId=subject%201&delivery=failed')
    expect(failed).toMatchObject([{ subjectId: 'subject 1', delivery: { state: 'failed' } }])
  })

  test('exports the events of one record as CSV and JSON Lines', async () => {
    await desk.tell(2)
    for (const [accept, lines] of [
      ['text/csv', 2],
      ['application/x-ndjson', 1],
    ] as const) {
      const { key } = desk.tenant
      const headers = { accept }
      const { text } = await desk.door.ask('/events?subjectId=subject%201', { key, headers })
      expect(text.trim().split('\n')).toHaveLength(lines)
      expect(text).toContain('subject 1')
    }
  })

  test('refuses an empty, long or repeated id', async () => {
    for (const query of ['subjectId=', `subjectId=${'x'.repeat(256)}`, 'subjectId=a&subjectId=b'])
      expect(refusalIn(await desk.ask(`/events?${query}`)).error).toBe('BAD_REQUEST')
  })
})

describe('GET /events', () => {
  test('lists events newest first, each with its payload and its delivery', async () => {
    await desk.tell(2)
    await desk.door.harness.clock.advance(1_000)
    await desk.point('/in')
    await desk.ask('/organisation/webhook/signing-secret', 'PATCH')
    await desk.tell(1)
    const events = await desk.list('')
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['gas.low', 4],
      ['settings.changed', 3],
      ['gas.low', 2],
      ['gas.low', 1],
    ])
    for (const event of events) expect(Value.Errors(StoredEvent, event)).toEqual([])
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'gas.low',
      timestamp: new Date(desk.door.harness.clock.now()).toISOString(),
      orgId: desk.tenant.orgId,
      sequence: 4,
      subjectId: 'subject 0',
      payload: lowGas('0'),
      delivery: {
        state: 'pending',
        attemptCount: 0,
        lastStatus: null,
        lastError: '',
        nextAttemptAt: new Date(desk.door.harness.clock.now()).toISOString(),
        finishedAt: null,
      },
    })
    expect(events[3]?.delivery).toEqual({
      state: 'none',
      attemptCount: 0,
      lastStatus: null,
      lastError: '',
      nextAttemptAt: null,
      finishedAt: null,
    })
  })

  test('pages events after a sequence oldest first and without gaps', async () => {
    await desk.tell(25)
    expect((await desk.list('?after=20')).map(({ sequence }) => sequence)).toEqual([
      21, 22, 23, 24, 25,
    ])
    expect(await desk.list('?after=25')).toEqual([])
    const seen: number[] = []
    let query = '?after=0&limit=4'
    for (;;) {
      const { json } = await desk.ask(`/events${query}`)
      seen.push(...eventsIn(json).map(({ sequence }) => sequence))
      await desk.tell(1)
      const cursor = cursorIn(json)
      if (cursor === null || seen.length > 60) break
      query = `?after=0&limit=4&cursor=${cursor}`
    }
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1))
    expect(seen.length).toBeGreaterThanOrEqual(25)
  })

  test('refuses a cursor of the list in the feed, and vice versa [V06]', async () => {
    await desk.tell(3)
    for (const [one, other] of [['', 'after=0&'] as const, ['after=0&', ''] as const]) {
      const { json } = await desk.ask(`/events?${one}limit=1`)
      const answer = await desk.ask(`/events?${other}limit=1&cursor=${cursorIn(json)}`)
      expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST' })
    }
  })

  test('pages every event once while new ones arrive', async () => {
    await desk.tell(11)
    const all = await desk.list('')
    const found: StoredEvent[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { json } = await desk.ask(`/events?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      found.push(...eventsIn(json))
      cursor = cursorIn(json)
      await desk.tell(1)
    }
    expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  })

  test('filters by type, by time, by delivery, and by all of them together', async () => {
    const start = desk.door.harness.clock.now()
    await desk.tell(1)
    await desk.door.harness.clock.advance(2 * 24 * 60 * MINUTE)
    await desk.issue('ann')
    await desk.door.harness.clock.advance(2 * 24 * 60 * MINUTE)
    await desk.point('/in')
    await desk.ask('/organisation/webhook/signing-secret', 'PATCH')
    await desk.tell(1)
    const numbers = async (query: string) =>
      (await desk.list(query)).map(({ sequence }) => sequence)
    const at = (days: number) => new Date(start + days * 24 * 60 * MINUTE).toISOString()
    expect(await numbers('')).toEqual([4, 3, 2, 1])
    expect(await numbers('?type=gas.low')).toEqual([4, 1])
    expect(await numbers('?type=account.created')).toEqual([2])
    expect(await numbers(`?from=${at(2)}`)).toEqual([4, 3, 2])
    expect(await numbers(`?to=${at(2)}`)).toEqual([2, 1])
    expect(await numbers(`?from=${at(1)}&to=${at(3)}`)).toEqual([2])
    expect(await numbers(`?from=${at(5)}`)).toEqual([])
    expect(await numbers(`?to=${at(-1)}`)).toEqual([])
    expect(await numbers('?delivery=none')).toEqual([2, 1])
    expect(await numbers('?delivery=pending')).toEqual([4, 3])
    expect(await numbers('?delivery=failed')).toEqual([])
    expect(await numbers(`?delivery=pending&type=gas.low&from=${at(1)}&after=1`)).toEqual([4])
  })

  test.each([
    'after=-1',
    'after=1.5',
    'after=x',
    'after=',
    'after=9007199254740993',
    'after=01',
    'type=deposit',
    'type=deposit.confirmed,gas.low',
    'type=',
    'from=yesterday',
    'to=2026-02-30',
    'delivery=lost',
    'delivery=Failed',
    'limit=0',
    'limit=501',
    'cursor=x',
  ])('refuses with BAD_REQUEST: %s', async (query) => {
    const [field] = query.split('=')
    expect(refusalIn(await desk.ask(`/events?${query}`))).toMatchObject({
      error: 'BAD_REQUEST',
      statusCode: 400,
      details: { field },
    })
  })

  test('accepts every type as a filter', async () => {
    for (const type of EVENT_TYPES)
      expect((await desk.ask(`/events?type=${type}`)).status).toBe(200)
  })
})

describe('GET /events/:id', () => {
  test('shows the request, response and duration of every attempt', async () => {
    await desk.point('/in?token=mine')
    await desk.deliver()
    await desk.tell(1)
    const headers = { 'x-why': 'full', 'set-cookie': 'session=1' }
    desk.receiver.script({ do: 'answer', status: 503, headers, body: 'later' })
    await desk.deliver()
    desk.receiver.script({ do: 'answer', status: 200, body: 'thanks' })
    await desk.door.harness.clock.advance(5_000)
    await desk.deliver()
    const [{ id } = { id: '' }] = await desk.list('?type=gas.low')
    const { event } = (await desk.ask(`/events/${id}`)).json
    expect(Value.Errors(SingleEvent, event)).toEqual([])
    const [first] = parseSingle(event).attempts
    const sent = desk.receiver.received.filter(({ body }) => body.includes(id))
    expect(first).toMatchObject({
      number: 1,
      durationMs: 0,
      request: {
        method: 'POST',
        url: `${desk.receiver.url}/in?token=mine`,
        body: sent[0]?.body,
        headers: {
          'webhook-id': id,
          'webhook-signature': sent[0]?.headers['webhook-signature'],
          'x-webhook-signature': sent[0]?.headers['x-webhook-signature'],
        },
      },
      response: {
        status: 503,
        body: 'later',
        headers: { 'x-why': 'full', 'set-cookie': '(withheld)' },
      },
      error: 'answered 503',
    })
    expect(event).toMatchObject({
      delivery: { state: 'delivered', attemptCount: 2, lastStatus: 200, nextAttemptAt: null },
      attempts: [{ number: 1 }, { number: 2, response: { status: 200, body: 'thanks' } }],
    })
    expect(JSON.stringify(event)).not.toContain('session=1')
    expect(JSON.stringify(event)).not.toContain('whsec_')
  })

  test('shows the cause of a failed attempt and the time of the next', async () => {
    await desk.point('/in')
    desk.receiver.behave({ do: 'close' })
    await desk.tell(1)
    await desk.deliver()
    const [{ id } = { id: '' }] = await desk.list('?type=gas.low')
    const { event } = (await desk.ask(`/events/${id}`)).json
    const next = new Date(desk.door.harness.clock.now() + 5_000).toISOString()
    expect(event).toMatchObject({
      delivery: {
        state: 'pending',
        attemptCount: 1,
        lastStatus: null,
        lastError: expect.stringMatching(/other side closed/),
        nextAttemptAt: next,
      },
      attempts: [{ response: null, error: expect.stringMatching(/other side closed/) }],
    })
  })

  test('returns 404 for events of other organizations and unknown events [S09]', async () => {
    await desk.tell(1)
    const [{ id } = { id: '' }] = await desk.list('')
    for (const path of [`/events/${id}`, `/events/${NOBODY}`, '/events/x', '/events/%00']) {
      for (const [method, end] of [['GET', ''] as const, ['POST', '/redeliver'] as const]) {
        const answer = await desk.door.ask(path + end, { key: desk.door.b.key, method })
        expect(refusalIn(answer)).toMatchObject({ error: 'NOT_FOUND', statusCode: 404 })
      }
    }
    expect((await desk.ask(`/events/${id}`)).status).toBe(200)
  })
})

function cursorIn(json: Record<string, unknown>): string | null {
  const { nextCursor } = json
  return typeof nextCursor === 'string' ? nextCursor : null
}

function parseSingle(event: unknown): SingleEvent {
  return event as SingleEvent
}
