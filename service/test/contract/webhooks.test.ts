import { createHmac, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Json, ask, query, until } from './world/ask.ts'
import { tenantOf, theWorld } from './world/given.ts'
import { type Told, listening } from './world/listen.ts'
import { expectRefusal } from './world/refusal.ts'
import { filled, list, object, text, count, orNull, timestamp, anything } from './world/shapes.ts'
import { CHAIN } from './world/state.ts'

const hooks = tenantOf('hooks')
const key = hooks.apiKey
const ears = listening('hooks')
const { usd } = theWorld().tokens
const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057'

const Delivery = object({
  state: filled,
  attemptCount: count,
  lastStatus: orNull(count),
  lastError: text,
  nextAttemptAt: orNull(timestamp),
  finishedAt: orNull(timestamp),
})
const event = {
  id: filled,
  type: filled,
  timestamp,
  orgId: filled,
  sequence: count,
  payload: anything,
  subjectId: text,
  delivery: Delivery,
}
const Event = object(event)
const Attempt = object({
  endpointId: filled,
  number: count,
  startedAt: timestamp,
  finishedAt: timestamp,
  durationMs: count,
  request: object({ method: filled, url: text, headers: anything, body: text }),
  response: orNull(object({ status: count, headers: anything, body: text })),
  error: text,
})
const SingleEvent = object({
  ...event,
  deliveries: list(
    object({
      endpointId: filled,
      state: filled,
      attemptCount: count,
      lastStatus: orNull(count),
      lastError: text,
      nextAttemptAt: orNull(timestamp),
      finishedAt: orNull(timestamp),
    }),
  ),
  attempts: list(Attempt),
})

beforeAll(() => ears.aim(hooks))

/** Emits an event: creates an account. */
async function account(): Promise<string> {
  const userId = randomUUID()
  await ask(`/payments/deposit-address${query({ chainId: CHAIN, tokenId: usd, userId })}`, { key })
  return userId
}

async function heard(userId: string): Promise<Told> {
  return ears.hear('account.created', (one) => one['externalUserId'] === userId)
}

async function eventsWith(parameters: Record<string, string>): Promise<Json[]> {
  const { status, json } = await ask(`/events${query(parameters)}`, { key })
  expect({ parameters, status }).toEqual({ parameters, status: 200 })
  return json['events'] as Json[]
}

function post(path: string, body?: Json): Promise<Answer> {
  return ask(path, { key, method: 'POST', ...(body === undefined ? {} : { body }) })
}

function arrivals(id: unknown): Told[] {
  return ears.told().filter(({ headers }) => headers['webhook-id'] === id)
}

async function untilDelivered(id: unknown): Promise<Json> {
  return until('delivered', async () => {
    const { json } = await ask(`/events/${String(id)}`, { key })
    const found = json['event'] as Json
    return Object(found['delivery']).state === 'delivered' ? found : null
  })
}

describe('GET /events', () => {
  test('GET /events lists events newest first, and by each filter', async () => {
    const { envelope } = await heard(await account())
    await untilDelivered(envelope['id'])
    const all = await ask('/events', { key })
    expect(object({ events: list(Event) })(all.json, 'body')).toEqual([])
    const sequences = (all.json['events'] as Json[]).map(({ sequence }) => Number(sequence))
    expect(sequences).toEqual(sequences.toSorted((a, b) => b - a))
    const { id, type, sequence } = envelope
    const filters = [
      { type: String(type) },
      { after: String(Number(sequence) - 1) },
      { from: '2020-01-01', to: '2100-01-01' },
      { delivery: 'delivered' },
    ]
    for (const filter of filters)
      expect(await eventsWith(filter)).toContainEqual(expect.objectContaining({ id }))
    const others = [
      { type: 'deposit.detected' },
      { after: String(sequence) },
      { to: '2020-01-01' },
      { delivery: 'failed' },
    ]
    for (const filter of others)
      expect(await eventsWith(filter)).not.toContainEqual(expect.objectContaining({ id }))
  })

  test('GET /events with wait answers with the next event of its type', async () => {
    const [newest] = await eventsWith({ limit: '1' })
    const after = String(newest?.['sequence'])
    const next = eventsWith({ after, type: 'account.created', wait: '30' })
    const userId = await account()
    expect(await next).toMatchObject([{ payload: { externalUserId: userId } }])
  })

  test('GET /events with after is a feed, oldest first', async () => {
    await heard(await account())
    await heard(await account())
    const feed = (await eventsWith({ after: '0' })).map(({ sequence }) => Number(sequence))
    expect(feed).toEqual(feed.toSorted((a, b) => a - b))
  })

  test.each([
    { type: 'nothing' },
    { type: '' },
    { delivery: 'lost' },
    { after: 'x' },
    { after: '-1' },
    { after: '1.5' },
    { from: 'yesterday' },
    { to: '' },
    { limit: '501' },
    { cursor: '' },
  ])('GET /events refuses %j', async (parameters: Record<string, string>) => {
    expectRefusal(await ask(`/events${query(parameters)}`, { key }), 'BAD_REQUEST')
  })
})

describe('GET /events/:id', () => {
  test('GET /events/:id shows each attempt with its request and response', async () => {
    const told = await heard(await account())
    const { id } = told.envelope
    const found = await untilDelivered(id)
    expect(SingleEvent(found, 'event')).toEqual([])
    const [attempt] = found['attempts'] as Json[]
    expect(attempt).toMatchObject({ number: 1, response: { status: 200 }, error: '' })
    const { request } = attempt as { request: { body: string; headers: Record<string, string> } }
    expect(request.body).toBe(told.raw.toString())
    expect(request.headers['webhook-id']).toBe(id)
  })

  test('GET /events/:id returns 404 for an unknown id', async () => {
    for (const id of [NOBODY, 'nonsense', '%00'])
      expectRefusal(await ask(`/events/${id}`, { key }), 'NOT_FOUND')
  })
})

describe('sending again', () => {
  test('a resend delivers the same event under the same id', async () => {
    const { envelope, raw } = await heard(await account())
    const { id } = envelope
    await untilDelivered(id)
    const { status, json } = await post(`/events/${String(id)}/redeliver`)
    expect([status, object({ event: Event })(json, 'body')]).toEqual([200, []])
    await until('the second', async () => (arrivals(id).length === 2 ? true : null))
    expect(arrivals(id).map((one) => one.raw.toString())).toEqual([raw.toString(), raw.toString()])
    expect((await untilDelivered(id))['attempts']).toHaveLength(2)
  })

  test('a resend by filter delivers all matches, and returns their number', async () => {
    const userIds = [await account(), await account(), await account()]
    const sent = await Promise.all(userIds.map(heard))
    const ids = sent.map(({ envelope }) => envelope['id'])
    await Promise.all(ids.map(untilDelivered))
    const first = Math.min(...sent.map(({ envelope }) => Number(envelope['sequence'])))
    const body = { after: first - 1, type: 'account.created' }
    const { status, json } = await post('/events/redeliver', body)
    expect([status, json]).toEqual([200, { count: 3, underWay: 0 }])
    for (const id of ids)
      await until('the second', async () => (arrivals(id).length === 2 ? true : null))
  })

  test('a resend requires a valid filter', async () => {
    for (const body of [
      {},
      [],
      { type: 'nothing' },
      { delivery: 'lost' },
      { after: 'x' },
      { from: 1 },
    ])
      expectRefusal(await post('/events/redeliver', body as Json), 'BAD_REQUEST')
    expectRefusal(await post(`/events/${NOBODY}/redeliver`), 'NOT_FOUND')
  })
})

test('a test event is sent on request', async () => {
  const { status, json } = await post('/organisation/webhook/test')
  expect([status, object({ event: Event })(json, 'body')]).toEqual([200, []])
  const told = await ears.hear('webhook.test', () => true)
  expect(told.envelope['id']).toBe((json['event'] as Json)['id'])
})

test('both secrets sign after a rotation, the new one in x-webhook-signature [H09]', async () => {
  const { json: before } = await ask('/organisation', { key })
  const path = '/organisation/webhook/signing-secret'
  const { json: after } = await ask(path, { key, method: 'PATCH' })
  const secrets = [before, after].map((one) => String(one['webhookSigningSecret']))
  const told = await heard(await account())
  const { headers, raw } = told
  const [, now = ''] = secrets
  expect(headers['x-webhook-signature']).toBe(createHmac('sha256', now).update(raw).digest('hex'))
  const signatures = String(headers['webhook-signature']).split(' ')
  expect(signatures).toHaveLength(2)
  for (const secret of secrets) expect(signatures).toContain(standardSignature(told, secret))
})

function standardSignature({ headers, raw }: Told, secret: string): string {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw.toString()}`
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`
}

test('a failed event is retried after 5 seconds, under the same id', async () => {
  ears.receiver().script({ do: 'answer', status: 500, body: 'not now' })
  const userId = await account()
  const failed = await until('a failure', async () => {
    const [found] = await eventsWith({ type: 'account.created', limit: '1' })
    const { attemptCount, nextAttemptAt } = Object(found?.['delivery'])
    return attemptCount === 1 && nextAttemptAt !== null ? found : null
  })
  const { json } = await ask(`/events/${String(failed?.['id'])}`, { key })
  const [attempt] = (json['event'] as Json)['attempts'] as Json[]
  expect(attempt).toMatchObject({ response: { status: 500, body: 'not now' } })
  const next = Date.parse(String(Object(failed?.['delivery']).nextAttemptAt))
  const delay = next - Date.parse(String(attempt?.['finishedAt']))
  expect(Math.abs(delay - 5_000)).toBeLessThan(500)
  expect((await heard(userId)).envelope['id']).toBe(failed?.['id'])
  await untilDelivered(failed?.['id'])
  expect(arrivals(failed?.['id'])).toHaveLength(2)
})
