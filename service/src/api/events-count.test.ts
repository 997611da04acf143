import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '../../test/support/door.ts'
import { type EndpointDesk, openEndpointDesk } from '../../test/support/endpoint-desk.ts'
import type { EventDesk } from '../../test/support/event-desk.ts'
import { countMatching } from '../webhooks/redeliver.ts'

const NOBODY = '019b76da-0000-7000-8000-000000000000'

let world: EndpointDesk
let desk: EventDesk

beforeAll(async () => {
  world = await openEndpointDesk()
  desk = world.desk
})
afterAll(() => world.close())
beforeEach(() => world.begin())

function queryOf(filter: Record<string, string>): string {
  return new URLSearchParams(filter).toString()
}

async function counted(filter: Record<string, string>): Promise<unknown> {
  const { status, json } = await desk.ask(`/events/count?${queryOf(filter)}`)
  expect(status).toBe(200)
  return json['eventCount']
}

/** Redelivers with a filter. */
async function resent(filter: Record<string, unknown>): Promise<unknown> {
  const { status, json } = await world.ask('/events/redeliver', 'POST', filter)
  expect(status).toBe(200)
  return json['count']
}

describe('GET /events/count', () => {
  test('counts the events of a filter as the list has them, and a redelivery sends', async () => {
    await desk.issue('ann')
    await desk.tell(3)
    await desk.point('/in')
    await desk.tell(2)
    await desk.deliver()
    const [{ timestamp: from } = { timestamp: '' }] = await desk.list('?limit=1')
    for (const [filter, count] of [
      [{}, 6],
      [{ type: 'gas.low' }, 5],
      [{ subjectId: 'subject 1' }, 2],
      [{ delivery: 'none' }, 4],
      [{ delivery: 'delivered' }, 2],
      [{ delivery: 'failed' }, 0],
      [{ delivery: 'pending' }, 0],
      [{ from }, 6],
      [{ to: '2020-01-01' }, 0],
      [{ after: '4' }, 2],
      [{ after: '2', type: 'gas.low', delivery: 'none' }, 2],
    ] as const) {
      const found = [await counted(filter), await desk.list(`?${queryOf(filter)}`)]
      const listed: unknown[] = Array.from({ length: count }, () => expect.anything())
      const expected = { count, redeliverable: count, isAtLeast: false }
      expect([filter, found]).toEqual([filter, [expected, listed]])
    }
    expect(await resent({ type: 'gas.low' })).toBe(5)
    expect(await counted({ delivery: 'pending' })).toMatchObject({ count: 5 })
  })

  test('leaves out of `redeliverable` what the endpoint does not receive', async () => {
    await desk.point('/in')
    await desk.tell(3)
    await world.emitSetting()
    expect((await desk.ask('/organisation/webhook/test', 'POST')).status).toBe(200)
    const { id: endpointId } = await world.add({ eventTypes: ['settings.changed'] })
    expect(await counted({ endpointId })).toEqual({ count: 5, redeliverable: 1, isAtLeast: false })
    const { count } = Object(await counted({ endpointId, type: 'gas.low' }))
    expect(count).toBe(3)
    expect(await resent({ endpointId, after: 0 })).toBe(1)
    expect(await counted({})).toEqual({ count: 5, redeliverable: 5, isAtLeast: false })
  })

  test('stops at a maximum and says so', async () => {
    await desk.tell(4)
    const counting = { orgId: desk.tenant.orgId, filter: {} }
    const countTo = (max: number) =>
      desk.door.harness.database.transaction((tx) => countMatching(tx, { ...counting, max }))
    expect(await countTo(3)).toEqual({ count: 3, redeliverable: 3, isAtLeast: true })
    expect(await countTo(4)).toEqual({ count: 4, redeliverable: 4, isAtLeast: false })
  })

  test('counts no events of another organization', async () => {
    await desk.tell(2)
    const other = await desk.door.found('Other')
    const { json } = await desk.door.ask('/events/count', { key: other.key })
    expect(json).toEqual({ eventCount: { count: 0, redeliverable: 0, isAtLeast: false } })
  })

  test.each([
    ['limit=1', 'limit'],
    ['wait=1', 'wait'],
    ['delivery=lost', 'delivery'],
    ['type=x', 'type'],
    ['after=-1', 'after'],
    ['from=x', 'from'],
    ['endpointId=x', 'endpointId'],
  ])('refuses %s', async (query, field) => {
    const refused = { error: 'BAD_REQUEST', statusCode: 400, details: { field } }
    expect(refusalIn(await desk.ask(`/events/count?${query}`))).toMatchObject(refused)
  })

  test('refuses an unknown endpoint, and that of another organization', async () => {
    const other = await desk.door.found('Other')
    for (const endpointId of [NOBODY, other.orgId]) {
      const answer = await desk.ask(`/events/count?endpointId=${endpointId}`)
      expect(refusalIn(answer)).toMatchObject({ error: 'NOT_FOUND' })
    }
  })
})
