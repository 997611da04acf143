import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '../../test/support/door.ts'
import { type EventDesk, openEventDesk } from '../../test/support/event-desk.ts'
import { listAudit } from '../audit-log/list-audit.ts'

let desk: EventDesk
beforeAll(async () => {
  desk = await openEventDesk()
})
afterAll(() => desk.close())
beforeEach(() => desk.begin())

describe('POST /events/:id/redeliver', () => {
  test('sends a delivered event again, under its own id', async () => {
    await desk.point('/in')
    await desk.tell(1)
    await desk.deliver()
    const [{ id } = { id: '' }] = await desk.list('?type=gas.low')
    const again = await desk.ask(`/events/${id}/redeliver`, 'POST')
    expect([again.status, again.json['event']]).toMatchObject([
      200,
      { id, delivery: { state: 'pending', attemptCount: 1, finishedAt: null } },
    ])
    await desk.deliver()
    const got = desk.receiver.received.filter(({ headers }) => headers['webhook-id'] === id)
    expect(got).toHaveLength(2)
    expect(got[0]?.body).toBe(got[1]?.body)
    expect((await desk.ask(`/events/${id}`)).json['event']).toMatchObject({
      delivery: { state: 'delivered', attemptCount: 2 },
      attempts: [{ number: 1 }, { number: 2 }],
    })
    const audit = await desk.door.harness.database.transaction((tx) =>
      listAudit(tx, { orgId: desk.tenant.orgId }),
    )
    expect(audit).toContainEqual(expect.objectContaining({ action: 'event.redeliver', object: id }))
  })

  test('sends an event from the time without a URL once a URL is set [H12]', async () => {
    await desk.tell(1)
    const [{ id } = { id: '' }] = await desk.list('')
    const early = await desk.ask(`/events/${id}/redeliver`, 'POST')
    expect(refusalIn(early)).toMatchObject({
      error: 'INVALID_WEBHOOK_URL',
      statusCode: 422,
      details: { reason: 'NOT_SET' },
    })
    await desk.point('/in')
    expect(await desk.list('?delivery=none')).toHaveLength(1)
    expect((await desk.ask(`/events/${id}/redeliver`, 'POST')).status).toBe(200)
    await desk.deliver()
    expect(desk.receiver.received.at(-1)?.headers['webhook-id']).toBe(id)
    expect(await desk.list('?delivery=none')).toEqual([])
  })
})

/** Redelivers all matching events. */
function redeliver(body: unknown) {
  return desk.door.ask('/events/redeliver', {
    key: desk.tenant.key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

describe('POST /events/redeliver', () => {
  test('redelivers the events of one record', async () => {
    await desk.tell(3)
    await desk.point('/in')
    await desk.tell(3)
    await desk.deliver()
    const body = { subjectId: 'subject 1' }
    expect((await redeliver(body)).json).toEqual({ count: 2, underWay: 0 })
    expect((await redeliver({ ...body, delivery: 'none' })).json['count']).toBe(0)
    expect((await redeliver({ subjectId: 'subject 9' })).json['count']).toBe(0)
    for (const subjectId of ['', 7, 'x'.repeat(256)])
      expect(refusalIn(await redeliver({ subjectId })).error).toBe('BAD_REQUEST')
  })

  test('redelivers and counts the matching events only', async () => {
    await desk.issue('ann')
    await desk.tell(3)
    await desk.point('/in')
    await desk.tell(2)
    await desk.deliver()
    const before = desk.receiver.received.length
    const none = await redeliver({ delivery: 'none' })
    expect([none.status, none.json]).toEqual([200, { count: 4, underWay: 0 }])
    await desk.deliver()
    expect(desk.receiver.received.length - before).toBe(4)
    expect((await redeliver({ delivery: 'none' })).json).toEqual({ count: 0, underWay: 0 })
    expect((await redeliver({ type: 'gas.low', after: 2 })).json).toEqual({
      count: 4,
      underWay: 0,
    })
    await desk.deliver()
    expect(desk.receiver.received.length - before).toBe(8)
    expect((await redeliver({ after: 0 })).json).toMatchObject({ count: 6 })
    expect(await desk.list('?delivery=pending')).toHaveLength(6)
  })

  test('is refused without a URL', async () => {
    await desk.tell(1)
    expect(refusalIn(await redeliver({ delivery: 'none' }))).toMatchObject({
      error: 'INVALID_WEBHOOK_URL',
    })
  })

  test.each([
    [{}, 'body'],
    [{ typ: 'gas.low', delivery: 'failed' }, 'body'],
    [{ delivery: 'lost' }, 'delivery'],
    [{ type: 'x' }, 'type'],
    [{ after: -1 }, 'after'],
    [{ after: '1' }, 'after'],
    [{ from: 'x' }, 'from'],
    [{ to: 1 }, 'to'],
    [[], 'body'],
    [null, 'body'],
  ])('refuses with BAD_REQUEST: %j', async (body, field) => {
    await desk.point('/in')
    expect(refusalIn(await redeliver(body))).toMatchObject({
      error: 'BAD_REQUEST',
      details: { field },
    })
  })
})

describe('POST /organisation/webhook/test', () => {
  test('sends a marked test event only to the URL of the organization', async () => {
    await desk.point('/mine')
    const before = desk.receiver.received.length
    await desk.deliver()
    const { status, json } = await desk.ask('/organisation/webhook/test', 'POST')
    expect(status).toBe(200)
    expect(json['event']).toMatchObject({
      type: 'webhook.test',
      payload: { test: true },
      delivery: { state: 'pending' },
    })
    await desk.deliver()
    const got = desk.receiver.received
      .slice(before)
      .filter(({ body }) => body.includes('webhook.test'))
    expect(got.map(({ path }) => path)).toEqual(['/mine'])
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ orgId: desk.tenant.orgId })
    expect(await desk.list('?type=webhook.test&delivery=delivered')).toHaveLength(1)
  })

  test('a test event is not retried when it fails', async () => {
    await desk.point('/mine')
    await desk.deliver()
    desk.receiver.behave({ do: 'answer', status: 500 })
    await desk.ask('/organisation/webhook/test', 'POST')
    await desk.deliver()
    expect(await desk.list('?type=webhook.test&delivery=failed')).toHaveLength(1)
  })

  test('is refused without a URL', async () => {
    const answer = await desk.ask('/organisation/webhook/test', 'POST')
    expect(refusalIn(answer)).toMatchObject({ error: 'INVALID_WEBHOOK_URL', statusCode: 422 })
    expect(await desk.list('')).toEqual([])
  })
})

describe('a change of settings', () => {
  test('of the URL notifies the old URL; pending events go to the new URL [H12]', async () => {
    await desk.point('/old')
    await desk.deliver()
    desk.receiver.script({ do: 'answer', status: 500 })
    await desk.tell(1)
    await desk.deliver()
    const before = desk.receiver.received.length
    await desk.point('/new?token=secret')
    await desk.door.harness.clock.advance(5_000)
    await desk.deliver()
    const got = desk.receiver.received
      .slice(before)
      .filter(({ body }) => body.includes(desk.tenant.orgId))
    const told = got.map(({ path, body }) => [path, typeIn(body)])
    expect(told).toHaveLength(2)
    expect(told).toContainEqual(['/old', 'settings.changed'])
    expect(told).toContainEqual(['/new?token=secret', 'gas.low'])
    const [event] = await desk.list('?type=settings.changed')
    expect(JSON.stringify(event)).not.toContain('token')
    expect(event?.payload).toEqual({
      setting: 'webhookUrl',
      previous: desk.receiver.url,
      current: desk.receiver.url,
      changedBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
      credential: 'apiKey',
      at: expect.any(String),
    })
  })

  test('of the URL notifies the old URL even after redeliveries [H12]', async () => {
    await desk.point('/old')
    await desk.deliver()
    await desk.point('/new')
    const again = async (body: object) => (await redeliver(body)).status
    expect(await again({ type: 'settings.changed' })).toBe(200)
    desk.receiver.script({ do: 'answer', status: 500 })
    const before = desk.receiver.received.length
    await desk.deliver()
    // It failed, and waits for its retry.
    expect(await again({ after: 0 })).toBe(200)
    await desk.deliver()
    const paths = desk.receiver.received
      .slice(before)
      .filter(({ body }) => JSON.parse(body).type === 'settings.changed')
      .map(({ path }) => path)
    expect(paths).toEqual(['/old', '/old'])
    // A redelivery goes to the current URL.
    expect(await again({ type: 'settings.changed' })).toBe(200)
    await desk.deliver()
    expect(desk.receiver.received.at(-1)?.path).toBe('/new')
  })

  test('of a missing URL, or to the same URL, sends no event', async () => {
    await desk.point('/same')
    await desk.point('/same')
    expect(await desk.list('')).toEqual([])
  })

  test('of the secret sends an event without the secret', async () => {
    await desk.point('/in')
    const { json } = await desk.ask('/organisation/webhook/signing-secret', 'PATCH')
    const [event] = await desk.list('?type=settings.changed')
    expect(event?.payload).toMatchObject({ setting: 'signingSecret', previous: '', current: '' })
    expect(JSON.stringify(event)).not.toContain(String(json['webhookSigningSecret']).slice(6))
  })
})

function typeIn(body: string): unknown {
  return JSON.parse(body).type
}
