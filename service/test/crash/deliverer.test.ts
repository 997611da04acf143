import { type Receiver, seeded, startReceiver } from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DELIVERER_POINTS, type DelivererPoint } from '../../src/webhooks/crash-points.ts'
import type { Deliverer } from '../../src/webhooks/deliver.ts'
import { DELIVERER_LIMITS } from '../../src/webhooks/limits.ts'
import { openOutboxWorld, type OutboxWorld } from '../faults/outbox-world.ts'

const EVENTS = 12
const LIVES_MAX = 20
const RANDOM_PLANS = 12

type Plan = readonly { point: DelivererPoint; pass: number }[]

describe.each([
  ['the first time', [1]],
  ['the second time', [2]],
  ['the first and the second time', [1, 2]],
])('a deliverer that dies %s that it comes to a point', (_when, passes) => {
  test.each(DELIVERER_POINTS)('sends each event under one id: %s [H10]', async (point) => {
    const { deaths } = await deliverThrough(passes.map((pass) => ({ point, pass })))
    expect(deaths).toBe(passes.length)
  })
})

describe('a deliverer that dies again and again', () => {
  test('sends every event under one id after random crashes [H10]', async () => {
    const random = seeded('deliverers')
    for (let plans = 0; plans < RANDOM_PLANS; plans += 1) {
      const plan = Array.from({ length: 3 }, () => ({
        point: random.pick(DELIVERER_POINTS),
        pass: 1 + random.int(8),
      }))
      await deliverThrough(plan)
    }
  })

  test('does not count attempts that were not stored, and retries as planned [H06]', async () => {
    const receiver = await receive()
    const world = await openOutboxWorld('H06 deaths')
    const orgId = await world.found(receiver)
    await world.tell(orgId, 1)
    receiver.behave({ do: 'answer', status: 500 })
    await live(world, receiver, [{ point: 'deliver.sent', pass: 1 }])
    expect(await world.attempts(orgId)).toEqual([])
    await world.harness.clock.advance(DELIVERER_LIMITS.leaseMs)
    const deliverer = world.deliverer([receiver])
    expect(await deliverer.tick()).toBe(1)
    expect(await world.attempts(orgId)).toMatchObject([{ number: 1, status: 500 }])
    receiver.behave({ do: 'answer', status: 200 })
    await world.harness.clock.advance(5_000)
    expect(await deliverer.tick()).toBe(1)
    expect(await world.states(orgId)).toEqual({ delivered: 1 })
    await deliverer.close()
  })
})

/** Events of two organizations, delivered in as many lives as needed. */
async function deliverThrough(plan: Plan): Promise<{ deaths: number }> {
  const receiver = await receive()
  const world = await openOutboxWorld(JSON.stringify(plan))
  const orgIds = [await world.found(receiver), await world.found(receiver)]
  for (const orgId of orgIds) await world.tell(orgId, EVENTS)
  const passes = new Map<DelivererPoint, number>()
  let deaths = 0
  for (let lives = 0; lives < LIVES_MAX; lives += 1) {
    if (!(await live(world, receiver, plan, passes))) break
    deaths += 1
    await world.harness.clock.advance(DELIVERER_LIMITS.leaseMs)
  }
  for (const orgId of orgIds) {
    const ids = await world.eventIds(orgId)
    expect(await world.states(orgId)).toEqual({ delivered: EVENTS })
    // Each is written down once, however often it arrived.
    const attempts = await world.attempts(orgId)
    expect(attempts).toEqual(ids.map(() => expect.objectContaining({ number: 1, status: 200 })))
    const bodies = new Map<string, Set<string>>()
    for (const { headers, body } of receiver.received) {
      const id = headers['webhook-id'] ?? ''
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
    }
    for (const id of ids) expect(bodies.get(id)?.size).toBe(1)
  }
  return { deaths }
}

/** One life: delivers all events, or dies as planned. True if it died. */
async function live(
  world: OutboxWorld,
  receiver: Receiver,
  plan: Plan,
  passes = new Map<DelivererPoint, number>(),
): Promise<boolean> {
  const never = new Promise<never>(() => undefined)
  let die: (died: true) => void = () => undefined
  const death = new Promise<true>((resolve) => (die = resolve))
  let isDead = false
  const crash = (point: DelivererPoint) => {
    // A dead process does not pass the points it was heading for.
    if (isDead) return never
    const pass = (passes.get(point) ?? 0) + 1
    passes.set(point, pass)
    if (!plan.some((one) => one.point === point && one.pass === pass)) return undefined
    isDead = true
    die(true)
    return never
  }
  const deliverer: Deliverer = world.deliverer([receiver], { crash, limits: { batchMax: 5 } })
  const died = await Promise.race([deliverer.tick().then(() => false), death])
  if (!died) await deliverer.close()
  return died
}

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  return receiver
}
