import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { openServiceKey, type ServiceKey } from '../../src/keys/service-key.ts'
import { foundOrganization } from '../../src/app/found-organization.ts'
import { setWebhookUrl } from '../../src/orgs/settings.ts'
import type { Database } from '../../src/store/database.ts'
import type { Deliverer, DelivererOptions } from '../../src/webhooks/deliver.ts'
import { openDeliverer } from '../../src/webhooks/deliver.ts'
import { appendEvent } from '../../src/webhooks/outbox.ts'
import { SeededRandom, silentLog } from '../support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { lowGas } from '../support/sample-event.ts'

/** Organizations with pending events, on a database of the test's own, in the test's own time. */
export interface OutboxWorld {
  harness: TestDatabase
  serviceKey: ServiceKey
  /** Creates an organization whose webhooks go to this receiver. */
  found(receiver: Address): Promise<string>
  /** Emits that number of events of this organization, in one commit. */
  tell(orgId: string, count: number): Promise<void>
  /** The number of deliveries of an organization in each state. */
  states(orgId: string): Promise<Record<string, number>>
  /** The recorded attempts of an organization, in the order of their ends. */
  attempts(orgId: string): Promise<WrittenAttempt[]>
  /** Ids of the events that the organization must receive. */
  eventIds(orgId: string): Promise<string[]>
  /** A deliverer to these receivers, closed by its owner. */
  deliverer(receivers: readonly Address[], more?: Partial<DelivererOptions>): Deliverer
}

interface Address {
  readonly url: string
}

export interface WrittenAttempt {
  number: number
  status: number | null
  error: string
  body: string
}

/** Opens the world; its database is dropped when the test ends. */
export async function openOutboxWorld(seed: string): Promise<OutboxWorld> {
  const harness = await openTestDatabase({ seed })
  onTestFinished(() => harness.close())
  const { database } = harness
  const random = new SeededRandom(`${seed}/orgs`)
  const serviceKey = openServiceKey({ key: random.bytes(32), random })
  return {
    harness,
    serviceKey,
    async found(receiver) {
      const names = { name: 'Acme', actor: 'test', random }
      const { organization } = await foundOrganization(database, serviceKey, names)
      const { id: orgId } = organization
      const url = `${receiver.url}/hook`
      await database.transaction((tx) =>
        setWebhookUrl(tx, serviceKey, { orgId, url, actor: 'test' }),
      )
      return orgId
    },
    tell: (orgId, count) =>
      database.transaction(async (tx) => {
        for (let at = 0; at < count; at += 1)
          appendEvent(tx, { orgId, type: 'gas.low', subjectId: `${at}`, payload: lowGas(`${at}`) })
      }),
    ...readings(database),
    deliverer: (receivers, more = {}) =>
      openDeliverer({
        database,
        serviceKey,
        clock: harness.clock,
        log: silentLog(),
        rules: {
          allowHttp: false,
          allowPrivate: false,
          devOrigins: receivers.map(({ url }) => new URL(url).origin),
        },
        resolve: async () => [],
        ...more,
      }),
  }
}

/** Queries of the outbox of an organization. */
function readings(database: Database): Pick<OutboxWorld, 'states' | 'attempts' | 'eventIds'> {
  return {
    async states(orgId) {
      const rows = await database.transaction((tx) =>
        tx.many(sql<{ state: string; count: number }>`
          select state, count(*)
            from deliveries
           where org_id = ${orgId}
           group by state`),
      )
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
    attempts: (orgId) =>
      database.transaction((tx) =>
        tx.many(sql<WrittenAttempt>`
          select number, status, error, response_body as body
            from delivery_attempts
           where org_id = ${orgId}
           order by id`),
      ),
    async eventIds(orgId) {
      const rows = await database.transaction((tx) =>
        tx.many(sql<{ id: string }>`select id from events where org_id = ${orgId} order by id`),
      )
      return rows.map(({ id }) => id)
    },
  }
}
