import { type Receiver, startReceiver } from '@sluice/simulator'
import type { StoredEvent } from '@sluice/wire'
import { expect } from 'vitest'
import { openDeliverer } from '../../src/webhooks/deliver.ts'
import { appendEvent } from '../../src/webhooks/outbox.ts'
import { silentLog } from './clock.ts'
import {
  type Answered,
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  SETTINGS,
  type Tenant,
} from './door.ts'
import { lowGas } from './sample-event.ts'

/** The door, and a receiver that it may send to, as to the origins given. */
export async function openEventDesk(origins: readonly string[] = []): Promise<EventDesk> {
  const receiver = await startReceiver()
  const webhookTargets = { ...SETTINGS.webhookTargets, devOrigins: [receiver.url, ...origins] }
  const door = await openDoor({ settings: { ...SETTINGS, webhookTargets } })
  return new EventDesk(door, receiver)
}

/** An organization with events, and its view of them. */
export class EventDesk {
  readonly door: Door
  readonly receiver: Receiver
  tenant: Tenant

  constructor(door: Door, receiver: Receiver) {
    this.door = door
    this.receiver = receiver
    this.tenant = door.a
  }

  /** A new organization, and a receiver that takes everything. */
  async begin(): Promise<void> {
    this.tenant = await this.door.found('Events')
    this.receiver.behave({ do: 'answer', status: 200 })
  }

  ask(path: string, method: 'GET' | 'POST' | 'PATCH' = 'GET'): Promise<Answered> {
    return this.door.ask(path, { key: this.tenant.key, method })
  }

  async list(query: string): Promise<StoredEvent[]> {
    const { status, json } = await this.ask(`/events${query}`)
    expect(status).toBe(200)
    return eventsIn(json)
  }

  /** Sets the webhook URL: a path of the receiver. */
  async point(path: string): Promise<void> {
    const { status } = await this.door.ask('/organisation/webhook', {
      key: this.tenant.key,
      method: 'PATCH',
      body: { webhookUrl: `${this.receiver.url}${path}` },
    })
    expect(status).toBe(200)
  }

  /** Emits `count` events in one commit. */
  async tell(count: number): Promise<void> {
    const { orgId } = this.tenant
    await this.door.harness.database.transaction(async (tx) => {
      for (let at = 0; at < count; at += 1) {
        const subjectId = `subject ${at}`
        appendEvent(tx, { orgId, type: 'gas.low', subjectId, payload: lowGas(`${at}`) })
      }
    })
  }

  /** A new account, with its event. */
  async issue(userId: string): Promise<void> {
    const query = new URLSearchParams({ chainId: ETHEREUM, tokenId: ETHER, userId }).toString()
    expect((await this.ask(`/payments/deposit-address?${query}`)).status).toBe(201)
  }

  /** Delivers every due event of all organizations once. */
  async deliver(): Promise<void> {
    const { harness, deps } = this.door
    const deliverer = openDeliverer({
      database: harness.database,
      serviceKey: deps.serviceKey,
      clock: harness.clock,
      log: silentLog(),
      rules: deps.settings.webhookTargets,
      resolve: async () => [],
    })
    await deliverer.tick()
    await deliverer.close()
  }

  async close(): Promise<void> {
    await this.door.close()
    await this.receiver.stop()
  }
}

/** The events of an answer. */
export function eventsIn(json: Record<string, unknown>): StoredEvent[] {
  return parseEvents(json['events'])
}

function parseEvents(list: unknown): StoredEvent[] {
  return list as StoredEvent[]
}
