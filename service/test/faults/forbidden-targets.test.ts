import { createServer, type Server } from 'node:net'
import { freePort } from '@sluice/simulator'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Door, openDoor } from '../support/door.ts'
import { silentLog } from '../support/clock.ts'
import { setWebhookUrl } from '../../src/orgs/settings.ts'
import { openDeliverer } from '../../src/webhooks/deliver.ts'
import { macOfUrl } from '../../src/webhooks/url-mac.ts'

/** Every spelling of an address of this machine, or of a network that only it can reach. */
const HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.8.8.8',
  '0',
  '0.0.0.0',
  '0177.0.0.1',
  '0x7f.1',
  '017700000001',
  '2130706433',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[::127.0.0.1]',
  'localhost',
  'localhost.',
  '127.0.0.1.nip.io',
  'rebind.example.com',
  'user:pass@127.0.0.1',
]

let door: Door
let port: number
let connections = 0
const servers: Server[] = []

beforeAll(async () => {
  port = await freePort()
  for (const host of ['0.0.0.0', '::1']) {
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    const isListening = await new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, host, () => resolve(true))
    })
    if (isListening) servers.push(server)
  }
  // Every name resolves to this machine.
  door = await openDoor({ resolve: async () => ['127.0.0.1'] })
})
afterAll(async () => {
  for (const server of servers) server.close()
  await door.close()
})

test('a rejected URL is never called when set, planted or tested [H01]', async () => {
  const urls = HOSTS.flatMap((host) => ['https', 'http'].map((how) => `${how}://${host}:${port}/`))
  for (const url of urls) {
    const { orgId, key } = await door.found('Hostile')
    const headers = { 'content-type': 'application/json' }
    const patching = { key, method: 'PATCH', headers, body: { webhookUrl: url } } as const
    const set = await door.ask('/organisation/webhook', patching)
    expect([url, set.status, set.json['error']]).toEqual([url, 422, 'INVALID_WEBHOOK_URL'])
    // It was set under rules that allowed it.
    await plant(orgId, url)
    const sent = await door.ask('/organisation/webhook/test', { key, method: 'POST' })
    expect(sent.status).toBe(200)
    // Another URL replaces it, so that a notice would go to this one.
    await direct(orgId, url)
    await deliver()
    const { json } = await door.ask('/events', { key })
    expect(json['events']).toMatchObject([
      { type: 'webhook.test', delivery: { state: 'failed', lastStatus: null } },
    ])
    const id = String(Object(Object(json['events'])[0]).id)
    await door.ask(`/events/${id}/redeliver`, { key, method: 'POST' })
    await deliver()
    const shown = await door.ask(`/events/${id}`, { key })
    expect(shown.text).toContain('"number":2')
    expect(shown.text).not.toContain('user:pass')
  }
  expect(connections).toBe(0)
})

test('the canary receives requests of a real client [H01]', async () => {
  const { orgId, key } = await door.found('Allowed')
  const url = `http://127.0.0.1:${port}/`
  await plant(orgId, url)
  await door.ask('/organisation/webhook/test', { key, method: 'POST' })
  await deliver({ allowHttp: true, allowPrivate: true, devOrigins: [] })
  expect(connections).toBeGreaterThan(0)
})

/** Sets a URL without its checks. */
async function plant(orgId: string, url: string): Promise<void> {
  const { serviceKey } = door.deps
  const change = { orgId, url, actor: 'test' }
  await door.harness.database.transaction((tx) => setWebhookUrl(tx, serviceKey, change))
}

/** Gives the organization's deliveries their own URL, with its MAC. */
async function direct(orgId: string, url: string): Promise<void> {
  await door.harness.database.transaction(async (tx) => {
    const rows = await tx.many(sql<{ eventId: string }>`
      select event_id as "eventId" from deliveries where org_id = ${orgId}`)
    for (const { eventId } of rows) {
      const mac = macOfUrl(door.deps.serviceKey, { orgId, eventId, endpointId: orgId, url })
      await tx.run(sql`
        update deliveries set url = ${url}, url_mac = ${mac} where event_id = ${eventId}`)
    }
  })
}

async function deliver(rules = { allowHttp: false, allowPrivate: false, devOrigins: [] }) {
  const { database, clock } = door.harness
  const { serviceKey, resolve } = door.deps
  const deliverer = openDeliverer({ database, serviceKey, clock, log: silentLog(), rules, resolve })
  await deliverer.tick()
  await deliverer.close()
}
