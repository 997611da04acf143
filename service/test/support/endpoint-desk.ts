import { type Receiver, startReceiver } from '@sluice/simulator'
import { expect } from 'vitest'
import { openSubjects } from '../../src/alerts/raise-alert.ts'
import { emitSecretRotated } from '../../src/webhooks/emit-setting.ts'
import type { Answered } from './door.ts'
import { type EventDesk, openEventDesk } from './event-desk.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** An added endpoint. */
export interface Added {
  id: string
  secret: string
}

/** An organization with a second receiver, for other endpoints. */
export class EndpointDesk {
  readonly desk: EventDesk
  readonly other: Receiver
  /** The number of requests of earlier tests. */
  readonly #begun = new Map<Receiver, number>()

  constructor(desk: EventDesk, other: Receiver) {
    this.desk = desk
    this.other = other
  }

  /** A new organization, and receivers that accept everything. */
  async begin(): Promise<void> {
    const { desk, other } = this
    await desk.begin()
    other.behave({ do: 'answer', status: 200 })
    for (const receiver of [desk.receiver, other])
      this.#begun.set(receiver, receiver.received.length)
  }

  /** The requests of this test: deliveries of earlier organizations may still arrive. */
  got(receiver: Receiver) {
    const { orgId } = this.desk.tenant
    return receiver.received
      .slice(this.#begun.get(receiver) ?? 0)
      .filter(({ body }) => Object(JSON.parse(body)).orgId === orgId)
  }

  typesAt(receiver: Receiver): string[] {
    return this.got(receiver).map(({ body }) => String(Object(JSON.parse(body)).type))
  }

  ask(path: string, method: Method, body?: unknown): Promise<Answered> {
    const { door, tenant } = this.desk
    const headers = { 'content-type': 'application/json' }
    return door.ask(path, { key: tenant.key, method, ...(body !== undefined && { headers, body }) })
  }

  /** Adds an endpoint at the other receiver. */
  async add(body: Record<string, unknown> = {}): Promise<Added> {
    const url = `${this.other.url}/second`
    const { status, json } = await this.ask('/webhook-endpoints', 'POST', { url, ...body })
    expect([status, json]).toMatchObject([201, {}])
    return { id: String(Object(json['endpoint']).id), secret: String(json['signingSecret']) }
  }

  async show(id: string): Promise<Record<string, unknown>> {
    const { status, json } = await this.ask(`/webhook-endpoints/${id}`, 'GET')
    expect(status).toBe(200)
    return Object(json['endpoint'])
  }

  /** The secret of the default endpoint. */
  async defaultSecret(): Promise<string> {
    return String((await this.ask('/organisation', 'GET')).json['webhookSigningSecret'])
  }

  /** Emits `settings.changed`. */
  async emitSetting(): Promise<void> {
    const { orgId } = this.desk.tenant
    await this.desk.door.harness.database.transaction(async (tx) =>
      emitSecretRotated(tx, { orgId, userId: '', credential: 'commandLine' }),
    )
  }

  /** The endpoints with the alert that they were changed in the database. */
  tampered(): Promise<string[]> {
    return this.desk.door.harness.database.transaction((tx) =>
      openSubjects(tx, 'webhook_endpoint.tampered'),
    )
  }

  async close(): Promise<void> {
    await this.desk.close()
    await this.other.stop()
  }
}

export async function openEndpointDesk(): Promise<EndpointDesk> {
  const other = await startReceiver()
  return new EndpointDesk(await openEventDesk([other.url]), other)
}
