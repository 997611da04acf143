import type { Receiver } from '@sluice/simulator'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '../../test/support/door.ts'
import {
  type Added,
  type EndpointDesk,
  openEndpointDesk,
} from '../../test/support/endpoint-desk.ts'
import type { EventDesk } from '../../test/support/event-desk.ts'

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

function steal(statement: string): Promise<number> {
  return desk.door.harness.database.transaction((tx) => tx.run(sql.raw(statement)))
}

describe('an endpoint that was changed in the database [A13]', () => {
  const ATTACKS: readonly [string, (added: Added) => string][] = [
    ['URL', ({ id }) => `update webhook_endpoints set url = '${other.url}/x' where id = '${id}'`],
    ['filter', ({ id }) => `update webhook_endpoints set event_types = 'x' where id = '${id}'`],
    ['secret', ({ id }) => `update webhook_endpoints set secret_id = version where id = '${id}'`],
    [
      'version',
      ({ id }) => `update webhook_endpoints set version = gen_random_uuid() where id = '${id}'`,
    ],
    [
      'URL of a delivery',
      ({ id }) => `update deliveries set url = '${other.url}/x' where endpoint_id = '${id}'`,
    ],
  ]

  test.each(ATTACKS)(
    'receives nothing after a change of its %s (webhook_endpoint.tampered)',
    async (_what, attack) => {
      const added = await world.add({ url: `${desk.receiver.url}/second` })
      await desk.tell(1)
      await steal(attack(added))
      await desk.deliver()
      expect([world.got(desk.receiver).length, world.got(other).length]).toEqual([0, 0])
      expect(await world.tampered()).toContain(added.id)
    },
  )

  test('receives again after its URL is set, with all types', async () => {
    const { id } = await world.add({ eventTypes: ['gas.low'] })
    await steal(`update webhook_endpoints set event_types = 'account.created' where id = '${id}'`)
    expect(await world.show(id)).toMatchObject({ state: 'tampered' })
    const refused = await world.ask(`/webhook-endpoints/${id}`, 'PATCH', { isPaused: false })
    expect(refusalIn(refused)).toMatchObject({ details: { reason: 'tampered' } })
    await world.ask(`/webhook-endpoints/${id}`, 'PATCH', { url: `${other.url}/again` })
    expect(await world.show(id)).toMatchObject({ state: 'active', eventTypes: null })
    expect(await world.tampered()).not.toContain(id)
    await desk.tell(1)
    await desk.deliver()
    expect(world.typesAt(other)).toContain('gas.low')
  })

  test('a restored earlier state of an endpoint is refused', async () => {
    const { id } = await world.add({ url: `${other.url}/former` })
    const [former] = await desk.door.harness.database.transaction((tx) =>
      tx.many(sql<{ url: string; version: string; mac: string }>`
        select url, version, encode(mac, 'hex') as mac
          from webhook_endpoints where id = ${id}`),
    )
    await world.ask(`/webhook-endpoints/${id}`, 'PATCH', { url: `${desk.receiver.url}/second` })
    await steal(`update webhook_endpoints
      set url = '${former?.url}', version = '${former?.version}',
          mac = decode('${former?.mac}', 'hex') where id = '${id}'`)
    expect(await world.show(id)).toMatchObject({ state: 'tampered' })
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
    expect([world.got(desk.receiver).length, world.got(other).length]).toEqual([1, 0])
  })
})
