import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Receiver, freePort, verifyWebhook } from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../test/support/clock.ts'
import { type Answered, refusalIn } from '../../test/support/door.ts'
import { type EndpointDesk, openEndpointDesk } from '../../test/support/endpoint-desk.ts'
import type { EventDesk } from '../../test/support/event-desk.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { openDeliverer } from '../webhooks/deliver.ts'
import { openTester } from '../webhooks/test-endpoint.ts'

const DAY_MS = 86_400_000

let world: EndpointDesk
let desk: EventDesk
/** The receiver of other endpoints. */
let other: Receiver

beforeAll(async () => {
  world = await openEndpointDesk()
  ;({ desk, other } = world)
})
afterAll(() => world.close())
beforeEach(() => world.begin())

describe('events of several endpoints', () => {
  test('each endpoint receives exactly its events, signed with its own secret', async () => {
    await desk.point('/first')
    const second = await world.add({ eventTypes: ['settings.changed'] })
    await desk.tell(3)
    await world.emitSetting()
    await desk.deliver()
    expect(world.typesAt(desk.receiver)).toEqual([
      ...Array.from({ length: 3 }, () => 'gas.low'),
      'settings.changed',
    ])
    expect(world.typesAt(other)).toEqual(['settings.changed'])
    const secrets = [await world.defaultSecret(), second.secret]
    for (const [at, receiver] of [desk.receiver, other].entries())
      for (const request of world.got(receiver)) {
        expect(verifyWebhook(request, secrets[at] ?? '')).toBeNull()
        expect(verifyWebhook(request, secrets[1 - at] ?? '')).toBe('WRONG_SIGNATURE')
      }
    const [event] = await desk.list('?type=settings.changed')
    const { json } = await world.ask(`/events/${event?.id}`, 'GET')
    expect(json['event']).toMatchObject({
      delivery: { state: 'delivered' },
      deliveries: [
        { endpointId: desk.tenant.orgId, state: 'delivered', attemptCount: 1 },
        { endpointId: second.id, state: 'delivered', attemptCount: 1 },
      ],
    })
    const attempts: { endpointId: string }[] = Object(json['event']).attempts
    expect(attempts.map(({ endpointId }) => endpointId).toSorted()).toEqual(
      [desk.tenant.orgId, second.id].toSorted(),
    )
    const endpointId = second.id
    expect(await desk.list(`?endpointId=${endpointId}&delivery=delivered`)).toHaveLength(1)
    expect(await desk.list(`?endpointId=${endpointId}&delivery=none`)).toHaveLength(3)
    expect(await world.show(endpointId)).toMatchObject({
      state: 'active',
      eventTypes: ['settings.changed'],
      pendingDeliveries: 0,
      lastSuccessAt: expect.any(String),
      failingSince: null,
    })
  })

  test('a hanging endpoint does not delay another of the same organization [H04]', async () => {
    await desk.point('/first')
    const { id } = await world.add()
    other.behave({ do: 'hang' })
    await desk.tell(8)
    const { database, clock } = desk.door.harness
    const { serviceKey, resolve } = desk.door.deps
    const { webhookTargets: rules } = desk.door.deps.settings
    const deps = { database, serviceKey, clock, log: silentLog(), rules, resolve }
    const deliverer = openDeliverer(deps)
    const ticking = deliverer.tick()
    await desk.receiver.waitFor(() => world.got(desk.receiver).length === 8)
    await deliverer.close()
    await ticking
    expect(await world.show(id)).toMatchObject({ pendingDeliveries: 8 })
  })

  test('a failing endpoint shows since when, until it accepts', async () => {
    const { id } = await world.add()
    other.behave({ do: 'answer', status: 500 })
    await desk.tell(1)
    await desk.deliver()
    const failing = await world.show(id)
    expect(failing).toMatchObject({ pendingDeliveries: 1, lastSuccessAt: null })
    expect(failing['failingSince']).toBe(failing['lastFailureAt'])
    await desk.door.harness.clock.advance(5_000)
    await desk.deliver()
    expect((await world.show(id))['failingSince']).toBe(failing['failingSince'])
    other.behave({ do: 'answer', status: 200 })
    await desk.door.harness.clock.advance(25_000)
    await desk.deliver()
    expect(await world.show(id)).toMatchObject({
      failingSince: null,
      pendingDeliveries: 0,
      lastSuccessAt: expect.any(String),
    })
  })
})

describe('settings of an endpoint', () => {
  test('a rotated secret signs beside the new one for a day', async () => {
    const { id, secret: old } = await world.add()
    const rotated = await world.ask(`/webhook-endpoints/${id}/secret`, 'POST')
    const secret = String(rotated.json['signingSecret'])
    expect(secret).not.toBe(old)
    await desk.tell(1)
    await desk.deliver()
    await desk.door.harness.clock.advance(DAY_MS)
    await desk.tell(1)
    await desk.deliver()
    const lengths = world
      .got(other)
      .filter(({ body }) => body.includes('gas.low'))
      .map((request) => {
        expect(verifyWebhook(request, secret)).toBeNull()
        return request.headers['webhook-signature']?.split(' ').length
      })
    expect(lengths).toEqual([2, 1])
    // The secret of the default endpoint is another one.
    expect(await world.defaultSecret()).not.toBe(secret)
  })

  test('a paused endpoint loses and repeats no event', async () => {
    await desk.point('/first')
    const { id } = await world.add()
    const pause = (isPaused: boolean) =>
      world.ask(`/webhook-endpoints/${id}`, 'PATCH', { isPaused })
    expect((await pause(true)).json['endpoint']).toMatchObject({ state: 'paused' })
    await desk.tell(3)
    await desk.deliver()
    expect(world.got(desk.receiver)).toHaveLength(3)
    expect(world.got(other)).toHaveLength(0)
    expect(await world.show(id)).toMatchObject({ pendingDeliveries: 3 })
    expect((await pause(false)).json['endpoint']).toMatchObject({ state: 'active', pausedAt: null })
    await desk.deliver()
    await desk.deliver()
    const sequences = world.got(other).map(({ body }) => Number(Object(JSON.parse(body)).sequence))
    expect(sequences.toSorted((a, b) => a - b)).toHaveLength(3)
    expect(new Set(sequences).size).toBe(3)
    expect(world.got(desk.receiver)).toHaveLength(3)
  })

  test('a changed URL is reported to the previous URL, and writes the audit log', async () => {
    const { id } = await world.add({ eventTypes: ['gas.low'] })
    const url = `${desk.receiver.url}/moved`
    expect((await world.ask(`/webhook-endpoints/${id}`, 'PATCH', { url })).status).toBe(200)
    await desk.tell(1)
    await desk.deliver()
    expect(world.typesAt(other)).toEqual(['settings.changed'])
    expect(world.got(desk.receiver).map(({ path }) => path)).toEqual(['/moved'])
    const { orgId } = desk.tenant
    const audit = await desk.door.harness.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'webhook-endpoint.update', object: id }),
    )
  })

  test('a deleted endpoint ends its deliveries and is unknown', async () => {
    await desk.point('/first')
    const { id } = await world.add()
    other.behave({ do: 'answer', status: 500 })
    await desk.tell(2)
    await desk.deliver()
    expect((await world.ask(`/webhook-endpoints/${id}`, 'DELETE')).status).toBe(200)
    const count = world.got(other).length
    await desk.door.harness.clock.advance(DAY_MS)
    await desk.deliver()
    expect(world.got(other)).toHaveLength(count)
    expect(await desk.list(`?endpointId=${id}&delivery=failed`)).toHaveLength(2)
    expect(await desk.list('?delivery=delivered')).toHaveLength(2)
    const gone = { error: 'NOT_FOUND', statusCode: 404 }
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['POST', '/test'],
    ] as const)
      expect(refusalIn(await world.ask(`/webhook-endpoints/${id}${path}`, method))).toMatchObject(
        gone,
      )
  })

  test('an event is redelivered to one endpoint, by id and by filter', async () => {
    await desk.point('/first')
    const { id: endpointId } = await world.add()
    await desk.tell(2)
    await desk.deliver()
    const [event] = await desk.list('')
    const path = `/events/${event?.id}/redeliver`
    expect((await world.ask(`${path}?endpointId=${endpointId}`, 'POST')).status).toBe(200)
    await desk.deliver()
    expect([world.got(desk.receiver).length, world.got(other).length]).toEqual([2, 3])
    const all = { endpointId, type: 'gas.low' }
    expect((await world.ask('/events/redeliver', 'POST', all)).json).toEqual({
      count: 2,
      underWay: 0,
    })
    await desk.deliver()
    expect([world.got(desk.receiver).length, world.got(other).length]).toEqual([2, 5])
    const refusal = { error: 'BAD_REQUEST', statusCode: 400 }
    expect(refusalIn(await world.ask('/events/redeliver', 'POST', { endpointId }))).toMatchObject(
      refusal,
    )
    expect(refusalIn(await world.ask('/events?endpointId=x', 'GET'))).toMatchObject(refusal)
  })

  test('the default endpoint is listed first and keeps its own operations', async () => {
    await desk.point('/first')
    const { id } = await world.add()
    const { json } = await world.ask('/webhook-endpoints', 'GET')
    expect(json['endpoints']).toMatchObject([
      { id: desk.tenant.orgId, isDefault: true, url: `${desk.receiver.url}/first` },
      { id, isDefault: false, url: `${other.url}/second`, eventTypes: null },
    ])
    const refused = await world.ask(`/webhook-endpoints/${desk.tenant.orgId}`, 'DELETE')
    expect(refusalIn(refused)).toMatchObject({ details: { reason: 'DEFAULT_ENDPOINT' } })
    const paused = { isPaused: true, eventTypes: ['gas.low'] }
    await world.ask(`/webhook-endpoints/${desk.tenant.orgId}`, 'PATCH', paused)
    expect((await world.ask('/organisation', 'GET')).json['webhookUrl']).toBe(
      `${desk.receiver.url}/first`,
    )
  })

  test('an organization has at most 20 endpoints', async () => {
    for (let at = 1; at < 20; at += 1) await world.add()
    const refused = await world.ask('/webhook-endpoints', 'POST', { url: `${other.url}/more` })
    expect(refusalIn(refused)).toMatchObject({ error: 'BAD_REQUEST', details: { max: 20 } })
  })

  test.each([
    [{ url: 'https://10.0.0.1/' }, 'INVALID_WEBHOOK_URL'],
    [{ url: 'http://example.com/' }, 'INVALID_WEBHOOK_URL'],
    [{ url: '' }, 'INVALID_WEBHOOK_URL'],
    [{}, 'BAD_REQUEST'],
    [{ url: 7 }, 'BAD_REQUEST'],
    [{ url: 'https://example.com/', eventTypes: [] }, 'BAD_REQUEST'],
    [{ url: 'https://example.com/', eventTypes: ['nothing'] }, 'BAD_REQUEST'],
    [{ url: 'https://example.com/', eventTypes: ['gas.low', 'gas.low'] }, 'BAD_REQUEST'],
    [{ url: 'https://example.com/', eventTypes: 'gas.low' }, 'BAD_REQUEST'],
  ])('an endpoint of %j is refused and leaves nothing', async (body, error) => {
    expect(refusalIn(await world.ask('/webhook-endpoints', 'POST', body))).toMatchObject({ error })
    expect((await world.ask('/webhook-endpoints', 'GET')).json['endpoints']).toHaveLength(1)
  })

  test('an endpoint of another organization is unknown [S09]', async () => {
    const { id } = await world.add()
    const { key } = desk.door.b
    const gone = { error: 'NOT_FOUND', statusCode: 404 }
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { isPaused: true }],
      ['DELETE', '', undefined],
      ['POST', '/secret', undefined],
      ['POST', '/test', undefined],
    ] as const) {
      const headers = { 'content-type': 'application/json' }
      const asking = { key, method, ...(body !== undefined && { headers, body }) }
      const answer = await desk.door.ask(`/webhook-endpoints/${id}${path}`, asking)
      expect(refusalIn(answer)).toMatchObject(gone)
    }
    expect(await world.show(id)).toMatchObject({ state: 'active' })
  })
})

describe('POST /webhook-endpoints/:id/test', () => {
  const inTime = { isAccepted: false, status: null }

  async function run(url: string, port = 0): Promise<Answered> {
    const { deps } = desk.door
    const { webhookTargets: rules } = deps.settings
    const devOrigins = [...rules.devOrigins, `http://127.0.0.1:${port}`]
    const webhookTargets = { ...rules, devOrigins }
    const settings = { ...deps.settings, webhookTargets }
    const tester = openTester({ ...deps, rules: webhookTargets })
    const { key } = desk.tenant
    const headers = { 'content-type': 'application/json' }
    const asking = { key, method: 'POST', headers, body: { url } } as const
    const added = await desk.door.askWith({ settings }, '/webhook-endpoints', asking)
    const path = `/webhook-endpoints/${String(Object(added.json['endpoint']).id)}/test`
    const answer = await desk.door.askWith({ settings, tester }, path, { key, method: 'POST' })
    await tester.close()
    return answer
  }

  test('returns the result of an accepted test, which one endpoint receives', async () => {
    await desk.point('/first')
    const { json } = await run(`${other.url}/second`)
    expect(json['test']).toMatchObject({
      isAccepted: true,
      status: 200,
      failedStep: null,
      error: '',
      durationMs: expect.any(Number),
    })
    expect(world.typesAt(other)).toEqual(['webhook.test'])
    await desk.deliver()
    expect([world.got(desk.receiver).length, world.got(other).length]).toEqual([0, 1])
    const { eventId } = Object(json['test'])
    expect((await world.ask(`/events/${eventId}`, 'GET')).json['event']).toMatchObject({
      type: 'webhook.test',
      deliveries: [{ state: 'delivered', attemptCount: 1 }],
      attempts: [{ number: 1, response: { status: 200 } }],
    })
  })

  test('names the failed step of an endpoint that refuses', async () => {
    other.behave({ do: 'answer', status: 503, body: 'closed' })
    const refused = await run(`${other.url}/second`)
    const error = 'answered 503'
    const expected = { isAccepted: false, status: 503, failedStep: 'status', error }
    expect(refused.json['test']).toMatchObject(expected)
    const port = await freePort()
    const closed = await run(`http://127.0.0.1:${port}/`, port)
    expect(closed.json['test']).toMatchObject({ ...inTime, failedStep: 'connection' })
    const broken = createServer((request) => request.socket.destroy())
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    const { port: breaking } = broken.address() as AddressInfo
    const cut = await run(`http://127.0.0.1:${breaking}/`, breaking)
    expect(cut.json['test']).toMatchObject({ ...inTime, failedStep: 'response' })
    broken.close()
    const { id } = await world.add({ url: 'https://hooks.example.com/' })
    const unresolved = await world.ask(`/webhook-endpoints/${id}/test`, 'POST')
    expect(unresolved.json['test']).toMatchObject({ ...inTime, failedStep: 'nameResolution' })
    // A test is sent once, and its failure is no alert.
    await desk.deliver()
    expect(await desk.list('?type=webhook.test&delivery=pending')).toEqual([])
  })
})
