import { type Receiver, startReceiver } from '@sluice/simulator'
import type { SingleEvent, StoredEvent } from '@sluice/wire'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import { ETHER } from '../support/opened-world.ts'
import { type ServedApp, serveApp } from '../support/served-app.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const REACHED = { timeout: 20_000, interval: 50 }
const USERS = ['ann', 'bob', 'cho']

let anvil: AnvilChain
let receiver: Receiver
let app: ServedApp
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  receiver = await startReceiver()
  app = await serveApp({
    chains: { [SEPOLIA]: { nodes: [anvil.url], confirmations: REQUIRED } },
    webhookDevOrigins: [receiver.url],
  })
})
afterAll(async () => {
  await app?.stop()
  await receiver?.stop()
  await anvil?.stop()
})

test('events from before the first URL are kept, and sent on request', async () => {
  for (const userId of USERS) await askAddress(userId)
  const feed = await events('?after=0')
  expect(feed.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'account.created'],
    [2, 'account.created'],
    [3, 'account.created'],
  ])
  expect(feed.map(({ delivery }) => delivery.state)).toEqual(['none', 'none', 'none'])
  const early = await app.ask('POST', '/events/redeliver', { delivery: 'none' })
  expect(early).toMatchObject({ status: 422, body: { error: 'INVALID_WEBHOOK_URL' } })
  await point('/in')
  expect(await redeliver({ delivery: 'none' })).toEqual({ count: 3, underWay: 0 })
  await receiver.waitFor((received) => received.length >= 3)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual(expect.arrayContaining(feed.map(({ id }) => id)))
})

test('failed events are listed with their attempts and sent again by filter [H12]', async () => {
  await point(`/gone`)
  const gone = receiver.received.length
  receiver.behave({ do: 'answer', status: 500, headers: { 'x-why': 'broken' }, body: 'oh no' })
  const tests: string[] = []
  for (let at = 0; at < 3; at += 1) {
    const { status, body } = await app.ask('POST', '/organisation/webhook/test')
    expect(status).toBe(200)
    tests.push(String(Object(body['event']).id))
  }
  const failed = await vi.waitFor(async () => {
    const found = await events('?delivery=failed')
    expect(found).toHaveLength(3)
    return found
  }, REACHED)
  expect(failed.map(({ id }) => id)).toEqual(tests.toReversed())
  expect(failed[0]?.delivery).toMatchObject({ attemptCount: 1, lastStatus: 500 })

  receiver.behave({ do: 'answer', status: 200 })
  const mended = receiver.received.length
  expect(mended).toBeGreaterThan(gone)
  expect(await redeliver({ delivery: 'failed' })).toEqual({ count: 3, underWay: 0 })
  await receiver.waitFor((received) => {
    const again = received.slice(mended).map(({ headers }) => headers['webhook-id'])
    return tests.every((id) => again.includes(id))
  })
  await vi.waitFor(async () => expect(await events('?delivery=failed')).toEqual([]), REACHED)
  const shown = await vi.waitFor(async () => {
    const { body } = await app.ask('GET', `/events/${tests[0]}`)
    const event = parseSingle(body['event'])
    expect(event.delivery.state).toBe('delivered')
    return event
  }, REACHED)
  const sent = receiver.received.filter(({ headers }) => headers['webhook-id'] === tests[0])
  expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body])
  expect(shown.attempts.map(({ request }) => request.headers['webhook-signature'])).toEqual(
    sent.map(({ headers }) => headers['webhook-signature']),
  )
  expect(shown.attempts).toMatchObject([
    {
      number: 1,
      request: { url: `${receiver.url}/gone`, body: sent[0]?.body },
      response: { status: 500, headers: { 'x-why': 'broken' }, body: 'oh no' },
    },
    { number: 2, response: { status: 200 } },
  ])
})

test('receivers can verify every delivery during a secret rotation [H09]', async () => {
  const older = await rotate()
  const before = receiver.received.length
  const asking = (async () => {
    for (let at = 0; at < 12; at += 1) await app.ask('POST', '/organisation/webhook/test')
  })()
  const newer = await rotate()
  await asking
  const tests = () =>
    receiver.received.slice(before).filter(({ body }) => body.includes('webhook.test'))
  await receiver.waitFor(() => tests().length >= 12)
  for (const { body, headers } of tests()) {
    expect(new Webhook(older).verify(body, headers)).toMatchObject({ type: 'webhook.test' })
  }
  await app.ask('POST', '/organisation/webhook/test')
  await receiver.waitFor(() => tests().length >= 13)
  const last = tests().at(-1)
  if (last === undefined) throw new Error('no test came')
  expect(new Webhook(newer).verify(last.body, last.headers)).toMatchObject({ orgId: app.orgId })
  expect(receiver.verify(last, { secret: newer })).toBeNull()
  expect(receiver.verify(last, { secret: older })).toBe('WRONG_HEX_SIGNATURE')
})

test('the feed returns all events in order, without a gap [H10 H11]', async () => {
  const address = await askAddress('dee')
  await anvil.pay(address, 5n)
  await anvil.mine(REQUIRED)
  await vi.waitFor(async () => {
    expect(await events('?type=balance.updated')).toHaveLength(1)
  }, REACHED)
  await receiver.waitFor((received) =>
    received.some(({ body }) => JSON.parse(body).type === 'balance.updated'),
  )
  // The feed after the webhooks, so it includes later events too.
  const received = [...receiver.received]
  const feed = await events('?after=0')
  expect(feed.map(({ sequence }) => sequence)).toEqual(feed.map((_, at) => at + 1))
  const place = (type: string) => feed.findIndex((event) => event.type === type)
  expect(place('deposit.detected')).toBeLessThan(place('deposit.confirmed'))
  for (const { headers, body } of received) {
    const told = feed.find(({ id }) => id === headers['webhook-id'])
    const { sequence, payload } = JSON.parse(body)
    expect(told).toMatchObject({ sequence, payload })
  }
})

async function askAddress(userId: string): Promise<string> {
  const query = new URLSearchParams({ userId, tokenId: ETHER, chainId: SEPOLIA })
  const answer = await vi.waitFor(async () => {
    const asked = await app.ask('GET', `/payments/deposit-address?${query.toString()}`)
    expect(asked.status).toBe(201)
    return asked
  }, REACHED)
  return String(Object(Object(answer.body['address']).properties).address)
}

async function point(path: string): Promise<void> {
  const webhookUrl = `${receiver.url}${path}`
  const set = await app.ask('PATCH', '/organisation/webhook', { webhookUrl })
  expect(set).toEqual({ status: 200, body: {} })
}

async function rotate(): Promise<string> {
  const { body } = await app.ask('PATCH', '/organisation/webhook/signing-secret')
  return String(body['webhookSigningSecret'])
}

async function redeliver(filter: object): Promise<Record<string, unknown>> {
  const { status, body } = await app.ask('POST', '/events/redeliver', filter)
  expect(status).toBe(200)
  return body
}

async function events(query: string): Promise<StoredEvent[]> {
  const { status, body } = await app.ask('GET', `/events${query}`)
  expect(status).toBe(200)
  return parseEvents(body['events'])
}

function parseEvents(list: unknown): StoredEvent[] {
  return list as StoredEvent[]
}

function parseSingle(event: unknown): SingleEvent {
  return event as SingleEvent
}
