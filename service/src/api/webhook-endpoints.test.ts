import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Receiver, freePort, startReceiver, verifyWebhook } from '@sluice/simulator'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../test/support/clock.ts'
import { type Answered, refusalIn } from '../../test/support/door.ts'
import { type EventDesk, openEventDesk } from '../../test/support/event-desk.ts'
import { openDeliverer } from '../webhooks/deliver.ts'
import type { TargetRules } from '../webhooks/target.ts'
import { openTester } from '../webhooks/test-endpoint.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { openSubjects } from '../alerts/raise-alert.ts'
import { emitSecretRotated } from '../webhooks/emit-setting.ts'

const DAY_MS = 86_400_000

let desk: EventDesk
/** The receiver of the second endpoint. */
let other: Receiver
let rules: TargetRules

beforeAll(async () => {
  other = await startReceiver()
  desk = await openEventDesk([other.url])
  rules = desk.door.deps.settings.webhookTargets
})
afterAll(async () => {
  await desk.close()
  await other.stop()
})
beforeEach(async () => {
  await desk.begin()
  other.behave({ do: 'answer', status: 200 })
  for (const receiver of [desk.receiver, other]) begun.set(receiver, receiver.received.length)
})

/** The number of requests of earlier tests. */
const begun = new Map<Receiver, number>()

/** The requests of this test. */
function got(receiver: Receiver) {
  return receiver.received.slice(begun.get(receiver) ?? 0)
}

function ask(path: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', body?: unknown) {
  const { key } = desk.tenant
  const headers = { 'content-type': 'application/json' }
  return desk.door.ask(path, { key, method, ...(body !== undefined && { headers, body }) })
}

interface Added {
  id: string
  secret: string
}

async function add(body: Record<string, unknown> = {}): Promise<Added> {
  const { status, json } = await ask('/webhook-endpoints', 'POST', {
    url: `${other.url}/second`,
    ...body,
  })
  expect([status, json]).toMatchObject([201, {}])
  return { id: String(Object(json['endpoint']).id), secret: String(json['signingSecret']) }
}

async function show(id: string): Promise<Record<string, unknown>> {
  const { status, json } = await ask(`/webhook-endpoints/${id}`, 'GET')
  expect(status).toBe(200)
  return Object(json['endpoint'])
}

async function defaultSecret(): Promise<string> {
  return String((await ask('/organisation', 'GET')).json['webhookSigningSecret'])
}

/** Emits `settings.changed`. */
async function emitSetting(): Promise<void> {
  const { orgId } = desk.tenant
  await desk.door.harness.database.transaction(async (tx) =>
    emitSecretRotated(tx, { orgId, userId: '', credential: 'commandLine' }),
  )
}

function typesAt(receiver: Receiver): string[] {
  return got(receiver).map(({ body }) => String(Object(JSON.parse(body)).type))
}

function steal(statement: string): Promise<number> {
  return desk.door.harness.database.transaction((tx) => tx.run(sql.raw(statement)))
}

function tampered(): Promise<string[]> {
  return desk.door.harness.database.transaction((tx) =>
    openSubjects(tx, 'webhook_endpoint.tampered'),
  )
}

describe('events of several endpoints', () => {
  test('each endpoint receives exactly its events, signed with its own secret', async () => {
    await desk.point('/first')
    const second = await add({ eventTypes: ['settings.changed'] })
    await desk.tell(3)
    await emitSetting()
    await desk.deliver()
    expect(typesAt(desk.receiver)).toEqual([
      ...Array.from({ length: 3 }, () => 'gas.low'),
      'settings.changed',
    ])
    expect(typesAt(other)).toEqual(['settings.changed'])
    const secrets = [await defaultSecret(), second.secret]
    for (const [at, receiver] of [desk.receiver, other].entries())
      for (const request of got(receiver)) {
        expect(verifyWebhook(request, secrets[at] ?? '')).toBeNull()
        expect(verifyWebhook(request, secrets[1 - at] ?? '')).toBe('WRONG_SIGNATURE')
      }
    const [event] = await desk.list('?type=settings.changed')
    const { json } = await ask(`/events/${event?.id}`, 'GET')
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
    expect(await show(endpointId)).toMatchObject({
      state: 'active',
      eventTypes: ['settings.changed'],
      pendingDeliveries: 0,
      lastSuccessAt: expect.any(String),
      failingSince: null,
    })
  })

  test('a hanging endpoint does not delay another of the same organization [H04]', async () => {
    await desk.point('/first')
    const { id } = await add()
    other.behave({ do: 'hang' })
    await desk.tell(40)
    const { database, clock } = desk.door.harness
    const { serviceKey, resolve } = desk.door.deps
    const deps = { database, serviceKey, clock, log: silentLog(), rules, resolve }
    const deliverer = openDeliverer(deps)
    const ticking = deliverer.tick()
    await desk.receiver.waitFor(() => got(desk.receiver).length === 40)
    await deliverer.close()
    await ticking
    expect(await show(id)).toMatchObject({ pendingDeliveries: 40 })
  })

  test('a failing endpoint shows since when, until it accepts', async () => {
    const { id } = await add()
    other.behave({ do: 'answer', status: 500 })
    await desk.tell(1)
    await desk.deliver()
    const failing = await show(id)
    expect(failing).toMatchObject({ pendingDeliveries: 1, lastSuccessAt: null })
    expect(failing['failingSince']).toBe(failing['lastFailureAt'])
    await desk.door.harness.clock.advance(5_000)
    await desk.deliver()
    expect((await show(id))['failingSince']).toBe(failing['failingSince'])
    other.behave({ do: 'answer', status: 200 })
    await desk.door.harness.clock.advance(25_000)
    await desk.deliver()
    expect(await show(id)).toMatchObject({
      failingSince: null,
      pendingDeliveries: 0,
      lastSuccessAt: expect.any(String),
    })
  })
})

describe('settings of an endpoint', () => {
  test('a rotated secret signs beside the new one for a day', async () => {
    const { id, secret: old } = await add()
    const rotated = await ask(`/webhook-endpoints/${id}/secret`, 'POST')
    const secret = String(rotated.json['signingSecret'])
    expect(secret).not.toBe(old)
    await desk.tell(1)
    await desk.deliver()
    await desk.door.harness.clock.advance(DAY_MS)
    await desk.tell(1)
    await desk.deliver()
    const lengths = got(other)
      .filter(({ body }) => body.includes('gas.low'))
      .map((request) => {
        expect(verifyWebhook(request, secret)).toBeNull()
        return request.headers['webhook-signature']?.split(' ').length
      })
    expect(lengths).toEqual([2, 1])
    // The secret of the default endpoint is another one.
    expect(await defaultSecret()).not.toBe(secret)
  })

  test('a paused endpoint loses and repeats no event', async () => {
    await desk.point('/first')
    const { id } = await add()
    const pause = (isPaused: boolean) => ask(`/webhook-endpoints/${id}`, 'PATCH', { isPaused })
    expect((await pause(true)).json['endpoint']).toMatchObject({ state: 'paused' })
    await desk.tell(3)
    await desk.deliver()
    expect(got(desk.receiver)).toHaveLength(3)
    expect(got(other)).toHaveLength(0)
    expect(await show(id)).toMatchObject({ pendingDeliveries: 3 })
    expect((await pause(false)).json['endpoint']).toMatchObject({ state: 'active', pausedAt: null })
    await desk.deliver()
    await desk.deliver()
    const sequences = got(other).map(({ body }) => Number(Object(JSON.parse(body)).sequence))
    expect(sequences.toSorted((a, b) => a - b)).toHaveLength(3)
    expect(new Set(sequences).size).toBe(3)
    expect(got(desk.receiver)).toHaveLength(3)
  })

  test('a changed URL is reported to the previous URL, and writes the audit log', async () => {
    const { id } = await add({ eventTypes: ['gas.low'] })
    const url = `${desk.receiver.url}/moved`
    expect((await ask(`/webhook-endpoints/${id}`, 'PATCH', { url })).status).toBe(200)
    await desk.tell(1)
    await desk.deliver()
    expect(typesAt(other)).toEqual(['settings.changed'])
    expect(got(desk.receiver).map(({ path }) => path)).toEqual(['/moved'])
    const { orgId } = desk.tenant
    const audit = await desk.door.harness.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'webhook-endpoint.update', object: id }),
    )
  })

  test('a deleted endpoint ends its deliveries and is unknown', async () => {
    await desk.point('/first')
    const { id } = await add()
    other.behave({ do: 'answer', status: 500 })
    await desk.tell(2)
    await desk.deliver()
    expect((await ask(`/webhook-endpoints/${id}`, 'DELETE')).status).toBe(200)
    const count = got(other).length
    await desk.door.harness.clock.advance(DAY_MS)
    await desk.deliver()
    expect(got(other)).toHaveLength(count)
    expect(await desk.list(`?endpointId=${id}&delivery=failed`)).toHaveLength(2)
    expect(await desk.list('?delivery=delivered')).toHaveLength(2)
    const gone = { error: 'NOT_FOUND', statusCode: 404 }
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['POST', '/test'],
    ] as const)
      expect(refusalIn(await ask(`/webhook-endpoints/${id}${path}`, method))).toMatchObject(gone)
  })

  test('an event is redelivered to one endpoint, by id and by filter', async () => {
    await desk.point('/first')
    const { id: endpointId } = await add()
    await desk.tell(2)
    await desk.deliver()
    const [event] = await desk.list('')
    const path = `/events/${event?.id}/redeliver`
    expect((await ask(`${path}?endpointId=${endpointId}`, 'POST')).status).toBe(200)
    await desk.deliver()
    expect([got(desk.receiver).length, got(other).length]).toEqual([2, 3])
    const all = { endpointId, type: 'gas.low' }
    expect((await ask('/events/redeliver', 'POST', all)).json).toEqual({ count: 2, underWay: 0 })
    await desk.deliver()
    expect([got(desk.receiver).length, got(other).length]).toEqual([2, 5])
    const refusal = { error: 'BAD_REQUEST', statusCode: 400 }
    expect(refusalIn(await ask('/events/redeliver', 'POST', { endpointId }))).toMatchObject(refusal)
    expect(refusalIn(await ask('/events?endpointId=x', 'GET'))).toMatchObject(refusal)
  })

  test('the default endpoint is listed first and keeps its own operations', async () => {
    await desk.point('/first')
    const { id } = await add()
    const { json } = await ask('/webhook-endpoints', 'GET')
    expect(json['endpoints']).toMatchObject([
      { id: desk.tenant.orgId, isDefault: true, url: `${desk.receiver.url}/first` },
      { id, isDefault: false, url: `${other.url}/second`, eventTypes: null },
    ])
    const refused = await ask(`/webhook-endpoints/${desk.tenant.orgId}`, 'DELETE')
    expect(refusalIn(refused)).toMatchObject({ details: { reason: 'DEFAULT_ENDPOINT' } })
    const paused = { isPaused: true, eventTypes: ['gas.low'] }
    await ask(`/webhook-endpoints/${desk.tenant.orgId}`, 'PATCH', paused)
    expect((await ask('/organisation', 'GET')).json['webhookUrl']).toBe(
      `${desk.receiver.url}/first`,
    )
  })

  test('an organization has at most 20 endpoints', async () => {
    for (let at = 1; at < 20; at += 1) await add()
    const refused = await ask('/webhook-endpoints', 'POST', { url: `${other.url}/more` })
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
    expect(refusalIn(await ask('/webhook-endpoints', 'POST', body))).toMatchObject({ error })
    expect((await ask('/webhook-endpoints', 'GET')).json['endpoints']).toHaveLength(1)
  })

  test('an endpoint of another organization is unknown [S09]', async () => {
    const { id } = await add()
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
    expect(await show(id)).toMatchObject({ state: 'active' })
  })
})

describe('POST /webhook-endpoints/:id/test', () => {
  const inTime = { isAccepted: false, status: null }

  async function run(url: string, port = 0): Promise<Answered> {
    const { deps } = desk.door
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
    expect(typesAt(other)).toEqual(['webhook.test'])
    await desk.deliver()
    expect([got(desk.receiver).length, got(other).length]).toEqual([0, 1])
    const { eventId } = Object(json['test'])
    expect((await ask(`/events/${eventId}`, 'GET')).json['event']).toMatchObject({
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
    const { id } = await add({ url: 'https://hooks.example.com/' })
    const unresolved = await ask(`/webhook-endpoints/${id}/test`, 'POST')
    expect(unresolved.json['test']).toMatchObject({ ...inTime, failedStep: 'nameResolution' })
    // A test is sent once, and its failure is no alert.
    await desk.deliver()
    expect(await desk.list('?type=webhook.test&delivery=pending')).toEqual([])
  })
})

describe('an endpoint that was changed in the database [A13]', () => {
  const ATTACKS: readonly [string, (added: Added) => string][] = [
    ['URL', ({ id }) => `update webhook_endpoints set url = '${other.url}/x' where id = '${id}'`],
    ['filter', ({ id }) => `update webhook_endpoints set event_types = 'x' where id = '${id}'`],
    [
      'pause',
      ({ id }) => `update webhook_endpoints set paused_at = now() where id = '${id}' and false;
        update webhook_endpoints set updated_at = now(), secret_id = version where id = '${id}'`,
    ],
    [
      'organization',
      ({ id }) => `update webhook_endpoints set version = gen_random_uuid() where id = '${id}'`,
    ],
    [
      'URL of a delivery',
      ({ id }) => `update deliveries set url = '${other.url}/x' where endpoint_id = '${id}'`,
    ],
  ]

  test.each(ATTACKS)('receives nothing after a change of its %s', async (_what, attack) => {
    const added = await add({ url: `${desk.receiver.url}/second` })
    await desk.tell(1)
    for (const statement of attack(added).split(';')) await steal(statement)
    await desk.deliver()
    expect([got(desk.receiver).length, got(other).length]).toEqual([0, 0])
    expect(await tampered()).toContain(added.id)
  })

  test('receives again after its URL is set, with all types', async () => {
    const { id } = await add({ eventTypes: ['gas.low'] })
    await steal(`update webhook_endpoints set event_types = 'account.created' where id = '${id}'`)
    expect(await show(id)).toMatchObject({ state: 'tampered' })
    const refused = await ask(`/webhook-endpoints/${id}`, 'PATCH', { isPaused: false })
    expect(refusalIn(refused)).toMatchObject({ details: { reason: 'tampered' } })
    await ask(`/webhook-endpoints/${id}`, 'PATCH', { url: `${other.url}/again` })
    expect(await show(id)).toMatchObject({ state: 'active', eventTypes: null })
    expect(await tampered()).not.toContain(id)
    await desk.tell(1)
    await desk.deliver()
    expect(typesAt(other)).toContain('gas.low')
  })

  test('a restored earlier state of an endpoint is refused', async () => {
    const { id } = await add({ url: `${other.url}/former` })
    const [former] = await desk.door.harness.database.transaction((tx) =>
      tx.many(sql<{ url: string; version: string; mac: string }>`
        select url, version, encode(mac, 'hex') as mac
          from webhook_endpoints where id = ${id}`),
    )
    await ask(`/webhook-endpoints/${id}`, 'PATCH', { url: `${desk.receiver.url}/second` })
    await steal(`update webhook_endpoints
      set url = '${former?.url}', version = '${former?.version}',
          mac = decode('${former?.mac}', 'hex') where id = '${id}'`)
    expect(await show(id)).toMatchObject({ state: 'tampered' })
  })

  test('a delivery moved to an endpoint of another organization is not sent', async () => {
    await desk.point('/first')
    const thief = await desk.door.found('Thief')
    const headers = { 'content-type': 'application/json' }
    const body = { url: `${other.url}/thief` }
    const asking = { key: thief.key, method: 'POST', headers, body } as const
    const { json } = await desk.door.ask('/webhook-endpoints', asking)
    const { id } = Object(json['endpoint'])
    await desk.tell(1)
    await steal(`insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
      select org_id, event_id, '${id}', sequence, state, next_at from deliveries
       where org_id = '${desk.tenant.orgId}'`)
    await desk.deliver()
    expect([got(desk.receiver).length, got(other).length]).toEqual([1, 0])
  })
})
