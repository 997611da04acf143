import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Behaviour, type Receiver, startReceiver, testCertificate } from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DELIVERER_LIMITS } from '../../src/webhooks/limits.ts'
import { openResolve } from '../../src/webhooks/resolve.ts'
import { startNameServer } from '../support/name-server.ts'
import { type Hostility, startHostileReceiver } from './hostile-receiver.ts'
import { openOutboxWorld, type OutboxWorld } from './outbox-world.ts'

const ORGANIZATIONS = 12
const EVENTS = 25
const CAP = 4
const MEGABYTE = 1_000_000
const WARM_UP = 60
const BOMBS = 240
const LOOKS_MAX = 25_000
/** A closed connection keeps what it read until the system has closed it. */
const MEMORY_LOOKS = 8

describe('slow receivers', () => {
  test('half of the receivers hang or drip, and all others get their events [H04]', async () => {
    const world = await openOutboxWorld('H04')
    const orgs: { orgId: string; receiver: Receiver; isSlow: boolean }[] = []
    for (let at = 0; at < ORGANIZATIONS; at += 1) {
      const isSlow = at % 2 === 0
      const slow: Behaviour = at === 0 ? { do: 'drip', everyMs: 50 } : { do: 'hang' }
      const receiver = await receive(isSlow ? slow : undefined)
      const orgId = await world.found(receiver)
      await world.tell(orgId, EVENTS)
      orgs.push({ orgId, receiver, isSlow })
    }
    const healthy = orgs.filter(({ isSlow }) => !isSlow)
    const slow = orgs.filter(({ isSlow }) => isSlow)
    const receivers = orgs.map(({ receiver }) => receiver)
    const limits = { perEndpointMax: CAP, pollMs: 1, graceMs: 0 }
    const deliverer = world.deliverer(receivers, { limits })
    const stopping = new AbortController()
    const running = deliverer.run(stopping.signal)
    for (const { orgId } of healthy) await untilDelivered(world, orgId)
    // No slow attempt has ended meanwhile, and no organization exceeded its share.
    for (const { receiver, orgId } of slow) {
      await receiver.waitFor((received) => received.length === CAP)
      expect(receiver.connections).toBeLessThanOrEqual(CAP)
      expect(await world.attempts(orgId)).toEqual([])
    }
    await world.harness.clock.advance(DELIVERER_LIMITS.deadlineMs)
    for (const [at, { orgId }] of slow.entries()) {
      await untilAttempted(world, orgId)
      const [first] = await world.attempts(orgId)
      const late = `no whole answer within ${DELIVERER_LIMITS.deadlineMs} ms`
      // The dripping receiver had answered 200 before.
      expect(first?.error).toBe(at === 0 ? '' : late)
    }
    stopping.abort()
    await running
  })

  test('receivers without a DNS answer do not delay other tenants', async () => {
    const world = await openOutboxWorld('silent names')
    const server = await startNameServer()
    const { clock } = world.harness
    const receiver = await receive()
    const healthy = await world.found({ url: receiver.url.replace('127.0.0.1', 'here.test') })
    const silent: string[] = []
    for (let at = 0; at < ORGANIZATIONS; at += 1) {
      const orgId = await world.found({ url: `https://h${at}.silent.test` })
      await world.tell(orgId, EVENTS)
      silent.push(orgId)
    }
    await world.tell(healthy, EVENTS)
    const limits = { perEndpointMax: CAP, pollMs: 1, graceMs: 0 }
    const deliverer = world.deliverer([], {
      limits,
      rules: { allowHttp: true, allowPrivate: true, devOrigins: [] },
      resolve: openResolve(clock, { servers: [server.address] }),
    })
    const stopping = new AbortController()
    const running = deliverer.run(stopping.signal)
    const startedAt = clock.now()
    await untilDelivered(world, healthy)
    expect(clock.now() - startedAt).toBeLessThan(1_000)
    for (const orgId of silent) expect(await world.attempts(orgId)).toEqual([])
    stopping.abort()
    await running
  })
})

describe('receivers that answer with far too much', () => {
  test.each<[string, Hostility]>([
    ['a gigabyte', 'gigabyte'],
    ['a compressed bomb', 'zipped'],
    ['a thousand encodings', 'encodings'],
    ['a redirect', 'redirect'],
    ['nothing', 'close'],
  ])('receivers that answer with %s cost no memory [H05]', async (_what, how) => {
    await expectNoGrowth(await startHostileReceiver(how))
  })

  test('receivers with an unknown certificate cost no memory [H05]', async () => {
    const receiver = await startReceiver({ tls: testCertificate(['other.example.com']) })
    onTestFinished(() => receiver.stop())
    await expectNoGrowth(receiver)
    expect(receiver.received).toEqual([])
  })
})

async function receive(behaviour?: Behaviour): Promise<Receiver> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  if (behaviour) receiver.behave(behaviour)
  return receiver
}

async function untilDelivered(world: OutboxWorld, orgId: string): Promise<void> {
  const isDelivered = async () => (await world.states(orgId))['delivered'] === EVENTS
  await passUntil(world, `organization ${orgId} waits for its webhooks`, isDelivered)
}

async function untilAttempted(world: OutboxWorld, orgId: string): Promise<void> {
  const isWritten = async () => (await world.attempts(orgId)).length === CAP
  await passUntil(world, `the attempts of organization ${orgId} are not written down`, isWritten)
}

/** Time passes meanwhile: attempts may wait to be recorded together with others. */
async function passUntil(
  { harness }: OutboxWorld,
  otherwise: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    if (await isSo()) return
    await harness.clock.advance(1)
  }
  throw new Error(otherwise)
}

/** After the first attempts, memory use is constant, and at most 16 KiB of a response are kept. */
async function expectNoGrowth(receiver: { url: string }): Promise<void> {
  const world = await openOutboxWorld('H05')
  const orgId = await world.found(receiver)
  const deliverer = world.deliverer([receiver])
  const attempt = async (count: number) => {
    await world.tell(orgId, count)
    await deliverer.tick()
  }
  await attempt(WARM_UP)
  const before = await memoryInUse()
  await attempt(BOMBS)
  // A single retained piece of a body for each attempt would be twice as much.
  expect((await memoryInUse()) - before).toBeLessThan(8 * MEGABYTE)
  const attempts = await world.attempts(orgId)
  expect(attempts.length).toBe(WARM_UP + BOMBS)
  const longest = Math.max(...attempts.map(({ body }) => body.length))
  expect(longest).toBeLessThanOrEqual(DELIVERER_LIMITS.answerBytesMax)
  await deliverer.close()
}

/** Memory use once the last connections are closed, which takes a moment. */
async function memoryInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  let least = Number.POSITIVE_INFINITY
  for (let looks = 0; looks < MEMORY_LOOKS; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    runInNewContext('gc')()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    least = Math.min(least, heapUsed + arrayBuffers)
  }
  return least
}
