import { startReceiver } from '@sluice/simulator'
import type { ReceivedWebhook, Receiver } from '@sluice/simulator'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, SeededRandom, silentLog } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { setWebhookUrl } from '../orgs/settings.ts'
import { readSigningSecrets, rotateSigningSecret } from '../orgs/signing-secret.ts'
import { openDeliverer } from './deliver.ts'
import type { Deliverer, DelivererOptions } from './deliver.ts'
import { outboxDepth } from './depth.ts'
import { appendEvent } from './outbox.ts'
import { redeliverEvent } from './redeliver.ts'
import { headersAsSent } from './sent-headers.ts'
import { lowGas } from '../../test/support/sample-event.ts'

const random = new SeededRandom('deliver')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
const MINUTE = 60_000

let testing: TestDatabase
let receiver: Receiver
let deliverer: Deliverer

beforeEach(async () => {
  // Receivers compare the timestamp with their own time.
  testing = await openTestDatabase({ clock: new ManualClock(Date.now()) })
  receiver = await startReceiver()
  deliverer = open()
})
afterEach(async () => {
  await deliverer.close()
  await receiver.stop()
  await testing.close()
})

describe('a delivery', () => {
  test('a delivery has the exact stored text, and two programs verify it [H07]', async () => {
    const orgId = await found()
    await tell(orgId, 'Žofie 日本 🪙')
    expect(await deliverer.tick()).toBe(1)
    const [got] = receiver.received
    const [secret] = await secretsOf(orgId)
    expect(new Webhook(secret ?? '').verify(got?.body ?? '', got?.headers ?? {})).toMatchObject({
      type: 'gas.low',
      orgId,
      sequence: 1,
      payload: lowGas('Žofie 日本 🪙'),
    })
    expect(got && receiver.verify(got, { secret: secret ?? '' })).toBeNull()
    expect(got?.body).toBe((await readDeliveries(orgId))[0]?.body)
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Sluice-Webhooks',
      'accept-encoding': 'identity',
      'webhook-id': JSON.parse(got?.body ?? '').id,
      'webhook-timestamp': String(Math.floor(testing.clock.now() / 1_000)),
    })
  })

  test('an accepted delivery is finished, and its attempt is stored without secrets', async () => {
    const orgId = await found()
    await tell(orgId, 'once')
    receiver.behave({ do: 'answer', status: 204, body: '' })
    await deliverer.tick()
    await testing.clock.advance(120 * MINUTE)
    expect(await deliverer.tick()).toBe(0)
    expect(await readDeliveries(orgId)).toMatchObject([{ state: 'delivered', attempts: 1 }])
    const [attempt, ...more] = await readAttempts(orgId)
    expect(more).toEqual([])
    expect(attempt).toMatchObject({
      number: 1,
      url: `${receiver.url}/hook`,
      status: 204,
      error: '',
    })
    expect(JSON.stringify(attempt)).not.toContain('whsec_')
    expect(attempt?.headers['webhook-signature']).toBe(
      receiver.received[0]?.headers['webhook-signature'],
    )
    expect(receiver.received[0]?.headers).toMatchObject(attempt?.headers ?? {})
    const failedBefore = await testing.database.transaction(outboxDepth)
    expect(failedBefore).toEqual({ pending: 0, oldestDueAt: null, failed: 0 })
  })

  test('a failed delivery is retried after 5 s, 25 s, 2 min, 10 min and 1 h [H06]', async () => {
    const orgId = await found()
    await tell(orgId, 'refused')
    receiver.behave({ do: 'answer', status: 500, body: 'no' })
    const started = testing.clock.now()
    expect(await deliverer.tick()).toBe(1)
    for (const delay of [5_000, 25_000, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE]) {
      const { pending, oldestDueAt } = await testing.database.transaction(outboxDepth)
      expect([pending, oldestDueAt]).toEqual([1, started])
      await testing.clock.advance(delay - 1)
      expect(await deliverer.tick()).toBe(0)
      await testing.clock.advance(1)
      expect(await deliverer.tick()).toBe(1)
    }
    await testing.clock.advance(7 * 24 * 60 * MINUTE)
    expect(await deliverer.tick()).toBe(0)
    const attempts = await readAttempts(orgId)
    const offsets = attempts.map(({ startedAt }) => startedAt - started)
    expect(offsets).toEqual([0, 5_000, 30_000, 150_000, 750_000, 4_350_000])
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
    expect(attempts.every(({ status, body }) => status === 500 && body === 'no')).toBe(true)
    expect(await readDeliveries(orgId)).toMatchObject([{ state: 'failed', attempts: 6 }])
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect([receiver.received.length, ids.size]).toEqual([6, 1])
    const depth = await testing.database.transaction(outboxDepth)
    expect(depth).toEqual({ pending: 0, oldestDueAt: null, failed: 1 })
  })

  test('the delay counts from the end of an attempt that timed out [H06]', async () => {
    const orgId = await found()
    await tell(orgId, 'slow')
    receiver.script({ do: 'hang' })
    const ticking = deliverer.tick()
    await receiver.waitFor((received) => received.length === 1)
    await testing.clock.advance(30_000)
    expect(await ticking).toBe(1)
    const [attempt] = await readAttempts(orgId)
    expect(attempt?.error).toBe('no whole answer within 30000 ms')
    expect((attempt?.endedAt ?? 0) - (attempt?.startedAt ?? 0)).toBe(30_000)
    expect(await readDeliveries(orgId)).toMatchObject([
      { state: 'pending', nextAt: testing.clock.now() + 5_000 },
    ])
  })

  test('a delivery goes to the new URL when the URL changes before its retry [H12]', async () => {
    const orgId = await found()
    await tell(orgId, 'moved')
    receiver.script({ do: 'answer', status: 503 })
    await deliverer.tick()
    await point(orgId, `${receiver.url}/new`)
    await testing.clock.advance(5_000)
    await deliverer.tick()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new'])
    expect(await readDeliveries(orgId)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('a delivery fails permanently when the URL is removed before its retry [H12]', async () => {
    const orgId = await found()
    await tell(orgId, 'nowhere')
    receiver.script({ do: 'answer', status: 503 })
    await deliverer.tick()
    await point(orgId, '')
    await testing.clock.advance(5_000)
    expect(await deliverer.tick()).toBe(1)
    expect(await readDeliveries(orgId)).toMatchObject([{ state: 'failed', attempts: 2 }])
    const [, second] = await readAttempts(orgId)
    expect(second).toMatchObject({ url: '', status: null, error: 'no webhook URL is set' })
    expect(receiver.received).toHaveLength(1)
  })

  test('a delivery fails without a connection when its URL is now refused [H01]', async () => {
    const orgId = await found()
    await tell(orgId, 'refused')
    const strict = open({ rules: { allowHttp: false, allowPrivate: false, devOrigins: [] } })
    expect(await strict.tick()).toBe(1)
    await strict.close()
    const [attempt] = await readAttempts(orgId)
    expect(attempt).toMatchObject({
      status: null,
      error: expect.stringMatching(/must begin with https/),
    })
    expect(receiver.connections).toBe(0)
    expect(await readDeliveries(orgId)).toMatchObject([{ state: 'pending', attempts: 1 }])
  })

  test('a delivery has both signatures for a day after a rotation, then one [H09]', async () => {
    const orgId = await found()
    const [older] = await secretsOf(orgId)
    await testing.database.transaction((tx) =>
      rotateSigningSecret(tx, serviceKey, { orgId, actor: 'test', random }),
    )
    const [newer] = await secretsOf(orgId)
    await tell(orgId, 'during')
    await deliverer.tick()
    await testing.clock.advance(24 * 60 * MINUTE)
    await tell(orgId, 'after')
    await deliverer.tick()
    const [during, after] = receiver.received
    expect(newer).not.toBe(older)
    expect(during && receiver.verify(during, { secret: newer ?? '' })).toBeNull()
    expect(during && receiver.verify(during, { secret: older ?? '' })).toBe('WRONG_HEX_SIGNATURE')
    expect(after && receiver.verify(after, { secret: newer ?? '' })).toBeNull()
    expect(after && receiver.verify(after, { secret: older ?? '' })).toBe('WRONG_SIGNATURE')
  })

  test('a receiver that switches within the day verifies every delivery [H09]', async () => {
    const orgId = await found()
    const secrets = [(await secretsOf(orgId))[0] ?? '']
    const sent: { at: number; webhook: ReceivedWebhook }[] = []
    const started = testing.clock.now()
    for (let hour = 0; hour < 60; hour += 1) {
      if (hour === 4 || hour === 20) {
        await testing.database.transaction((tx) =>
          rotateSigningSecret(tx, serviceKey, { orgId, actor: 'test', random }),
        )
        secrets.push((await secretsOf(orgId))[0] ?? '')
      }
      await tell(orgId, `hour ${hour}`)
      await deliverer.tick()
      const webhook = receiver.received.at(-1)
      if (webhook) sent.push({ at: hour, webhook })
      await testing.clock.advance(60 * MINUTE)
    }
    expect(sent).toHaveLength(60)
    const holdsFrom = [-1, 4, 20]
    const holdsUntil = [28, 44, 61]
    for (const [which, secret] of secrets.entries()) {
      const hours = sent.filter(({ webhook }) => verifies(webhook, secret, started))
      const from = Math.max(holdsFrom[which] ?? 0, 0)
      const until = Math.min(holdsUntil[which] ?? 0, 60)
      const expected = Array.from({ length: until - from }, (_, at) => from + at)
      expect(hours.map(({ at }) => at)).toEqual(expected)
    }
    const counts = sent.map(({ webhook }) => signaturesIn(webhook).length)
    expect([counts[0], counts[4], counts[20], counts[28], counts[59]]).toEqual([1, 2, 3, 2, 1])
  })

  test('a delivery has at most eight signatures after many rotations [H09]', async () => {
    const orgId = await found()
    for (let times = 0; times < 12; times += 1)
      await testing.database.transaction((tx) =>
        rotateSigningSecret(tx, serviceKey, { orgId, actor: 'test', random }),
      )
    const [newest] = await secretsOf(orgId)
    await tell(orgId, 'often')
    await deliverer.tick()
    const [got] = receiver.received
    expect(got && signaturesIn(got)).toHaveLength(8)
    expect(got && receiver.verify(got, { secret: newest ?? '' })).toBeNull()
  })

  test('a repeated delivery has the same id, by which receivers deduplicate [H08]', async () => {
    const orgId = await found()
    await tell(orgId, 'once')
    receiver.script({ do: 'close' })
    await deliverer.tick()
    await testing.clock.advance(5_000)
    await deliverer.tick()
    const [{ eventId } = { eventId: '' }] = await readIds(orgId)
    const given = { orgId, id: eventId, actor: 'test' }
    await testing.database.forOrg(orgId, (tx) => redeliverEvent(tx, given))
    await testing.clock.advance(6 * MINUTE)
    await deliverer.tick()
    const taken = new Set<string>()
    const first = receiver.received.filter(({ headers }) => {
      const id = headers['webhook-id'] ?? ''
      return taken.has(id) ? false : taken.add(id)
    })
    expect([receiver.received.length, first.length]).toEqual([3, 1])
    // The timestamp is that of the attempt, so a retry is not a replay.
    const stamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect((stamps[2] ?? 0) - (stamps[0] ?? 0)).toBe(365)
  })

  test('an unreadable secret fails only deliveries of its organization', async () => {
    const [orgId, other] = [await found(), await found()]
    await testing.database.transaction((tx) =>
      tx.run(sql`update signing_secrets set sealed = '\\x00' where org_id = ${orgId}`),
    )
    await tell(orgId, 'unsigned')
    await tell(other, 'signed')
    expect(await deliverer.tick()).toBe(2)
    const [attempt] = await readAttempts(orgId)
    expect(attempt?.error).toBe('the signing secret of the webhook endpoint cannot be read')
    expect(receiver.received.map(({ body }) => JSON.parse(body).orgId)).toEqual([other])
  })

  test('the role of the API sees only the outbox of its organization', async () => {
    const [mine, other] = [await found(), await found()]
    await tell(mine, 'one')
    await tell(other, 'two')
    const dueAt = testing.clock.now()
    const depth = await testing.database.forOrg(mine, outboxDepth)
    expect(depth).toEqual({ pending: 1, oldestDueAt: dueAt, failed: 0 })
    expect((await testing.database.transaction(outboxDepth)).pending).toBe(2)
  })
})

function open(options: Partial<DelivererOptions> = {}): Deliverer {
  return openDeliverer({
    database: testing.database,
    serviceKey,
    clock: testing.clock,
    log: silentLog(),
    rules: { allowHttp: false, allowPrivate: false, devOrigins: [new URL(receiver.url).origin] },
    resolve: async () => [],
    ...options,
  })
}

/** An organization whose events go to the receiver. */
async function found(): Promise<string> {
  return foundHooked({ ...testing, serviceKey, random }, `${receiver.url}/hook`)
}

async function point(orgId: string, url: string): Promise<void> {
  await testing.database.transaction((tx) =>
    setWebhookUrl(tx, serviceKey, { orgId, url, actor: 'test' }),
  )
}

async function tell(orgId: string, note: string): Promise<void> {
  await testing.database.transaction(async (tx) =>
    appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload: lowGas(note) }),
  )
}

/** The current secret first. */
async function secretsOf(orgId: string): Promise<string[]> {
  const secrets = await testing.database.transaction((tx) =>
    readSigningSecrets(tx, serviceKey, orgId),
  )
  return secrets.map(({ secret }) => secret.reveal())
}

function signaturesIn({ headers }: ReceivedWebhook): string[] {
  return (headers['webhook-signature'] ?? '').split(' ')
}

/** Whether a receiver with this secret accepts it, at the time of sending. */
function verifies(webhook: ReceivedWebhook, secret: string, started: number): boolean {
  const at = Number(webhook.headers['webhook-timestamp']) * 1_000
  if (at < started - 1_000) return false
  const objection = receiver.verify(webhook, { secret, now: at })
  // A Standard Webhooks receiver checks only these signatures.
  return objection === null || objection === 'WRONG_HEX_SIGNATURE'
}

function readIds(orgId: string): Promise<{ eventId: string }[]> {
  return testing.database.transaction((tx) =>
    tx.many(sql<{ eventId: string }>`
      select event_id as "eventId" from deliveries where org_id = ${orgId}`),
  )
}

interface StoredDelivery {
  state: string
  attempts: number
  nextAt: number | null
  body: string
}

function readDeliveries(orgId: string): Promise<StoredDelivery[]> {
  return testing.database.transaction((tx) =>
    tx.many(sql<StoredDelivery>`
      select state, attempts, next_at as "nextAt", body
        from deliveries d
        join events e on e.org_id = d.org_id and e.id = d.event_id
       where d.org_id = ${orgId}
       order by e.sequence`),
  )
}

interface StoredAttempt {
  number: number
  url: string
  headers: Record<string, string>
  status: number | null
  body: string
  error: string
  startedAt: number
  endedAt: number
}

async function readAttempts(orgId: string): Promise<StoredAttempt[]> {
  const rows = await testing.database.transaction((tx) =>
    tx.many(sql<Omit<StoredAttempt, 'headers'> & { eventId: string; kept: string | null }>`
      select event_id as "eventId", number, url, request_signature as "kept", status,
             response_body as "body", error, started_at as "startedAt", finished_at as "endedAt"
        from delivery_attempts
       where org_id = ${orgId}
       order by id`),
  )
  return rows.map(({ eventId, kept, ...attempt }) => ({
    ...attempt,
    headers: kept === null ? {} : headersAsSent(eventId, kept),
  }))
}
