import type { ReceivedWebhook } from '@sluice/simulator'
import { beforeAll, expect, test } from 'vitest'
import {
  CHAIN,
  CONFIRMATIONS,
  type Deposit,
  type Paid,
  type PaidHarness,
  makePaidHarness,
} from './paid-harness.ts'
import { type Started, build, serve, sluiceJson, until, untilReady } from './program.ts'

const TIMEOUT_MS = 300_000

interface Event {
  id: string
  type: string
  sequence: number
  payload: Record<string, unknown>
}

beforeAll(build)

test(
  'H10 kill -9 in the midst of deposits loses nothing and doubles nothing',
  async () => {
    const harness = await makePaidHarness()
    let service = serve(harness.config)
    await untilReady(harness.port, service)
    await harness.patch('/organisation/webhook', { webhookUrl: `${harness.receiver.url}/hook` })
    const address = await harness.addressOf('alice')
    const paid: Paid[] = []
    const pay = async () => paid.push(await harness.pay(address, paid.length))
    for (let kills = 0; kills < 4; kills += 1) {
      for (let payments = 0; payments < 5; payments += 1) await pay()
      // Early, late, and before it is up again: wherever the moment falls.
      if (kills > 0) await new Promise((resolve) => setTimeout(resolve, kills * 150))
      await service.end('SIGKILL')
      await pay()
      service = serve(harness.config)
      if (kills % 2 === 1) await untilReady(harness.port, service)
    }
    await untilReady(harness.port, service)
    await harness.anvil.mine(CONFIRMATIONS)
    const all = await harness.confirmed(paid.length)
    expect(sortedAmounts(all)).toEqual(sortedAmounts(paid))
    expect(new Set(all.map(({ id }) => id)).size).toBe(paid.length)
    await expectEachEventOnce(harness, all)
    await expectBalances(harness, paid)
    const audit = await sluiceJson(harness.config, ['audit'])
    expect(audit).toMatchObject({ drift: 0, chains: [{ findings: [] }] })
    expect(await service.end()).toBe(0)
  },
  TIMEOUT_MS,
)

function sortedAmounts(given: readonly { tokenId: string; amount: string | bigint }[]): string[] {
  return given.map(({ tokenId, amount }) => `${tokenId} ${amount}`).toSorted()
}

function eventsOf({ receiver }: PaidHarness): Event[] {
  return receiver.received.map(({ body }) => JSON.parse(body) as Event)
}

/** Deliveries may repeat, an event may not: one detection and one confirmation of each deposit. */
async function expectEachEventOnce(harness: PaidHarness, all: readonly Deposit[]): Promise<void> {
  const kinds = ['deposit.detected', 'deposit.confirmed']
  const expected = all.flatMap(({ id }) => kinds.map((type) => `${type} ${id}`)).toSorted()
  const seen = () => {
    const byId = new Map(eventsOf(harness).map((event) => [event.id, event]))
    return [...byId.values()]
      .filter(({ type }) => kinds.includes(type))
      .map(({ type, payload }) => `${type} ${String(payload['id'])}`)
      .toSorted()
  }
  await until('every event', () => (seen().length >= expected.length ? true : null))
  expect(seen()).toEqual(expected)
  for (const [id, bodies] of bodiesById(harness.receiver.received)) {
    expect({ id, bodies: bodies.size }).toEqual({ id, bodies: 1 })
  }
}

function bodiesById(received: readonly ReceivedWebhook[]): Map<string, Set<string>> {
  const bodies = new Map<string, Set<string>>()
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id'])
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
  }
  return bodies
}

/** The last word on each token's balance is the sum of what was paid. */
async function expectBalances(harness: PaidHarness, paid: readonly Paid[]): Promise<void> {
  for (const tokenId of new Set(paid.map((one) => one.tokenId))) {
    const sum = paid
      .filter((one) => one.tokenId === tokenId)
      .reduce((total, { amount }) => total + amount, 0n)
    await until(`the balance ${sum} of ${tokenId}`, () =>
      lastBalance(harness, tokenId) === sum.toString() ? true : null,
    )
  }
}

function lastBalance(harness: PaidHarness, tokenId: string): unknown {
  const updates = eventsOf(harness)
    .filter(({ type, payload }) => type === 'balance.updated' && payload['tokenId'] === tokenId)
    .toSorted((a, b) => a.sequence - b.sequence)
  return updates.at(-1)?.payload['balance']
}

test('after kill -9 of the process that scans, another one goes on', async () => {
  const harness = await makePaidHarness()
  const first = serve(harness.config, { args: ['--roles', 'scanner'] })
  await until(
    'the first to scan',
    () => (hasLease(first) ? true : null),
    () => first.output(),
  )
  const second = serve(harness.config)
  await untilReady(harness.port, second)
  expect(hasLease(second)).toBe(false)
  const address = await harness.addressOf('alice')
  await first.end('SIGKILL')
  await harness.pay(address, 0)
  await harness.anvil.mine(CONFIRMATIONS)
  expect(await harness.confirmed(1)).toHaveLength(1)
  expect(hasLease(second)).toBe(true)
  expect(await second.end()).toBe(0)
})

function hasLease(service: Started): boolean {
  return service.output().includes(`"lease":"scanner:${CHAIN}"`)
}
