import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Server, connect, createServer } from 'node:net'
import { freePort } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Json, ask, query, until } from './world/ask.ts'
import { entriesOf } from './world/corpora.ts'
import { tenantOf, theWorld } from './world/given.ts'
import { listening } from './world/listen.ts'
import { expectRefusal } from './world/refusal.ts'
import { CHAIN } from './world/state.ts'

const tenant = tenantOf('hostile')
const key = tenant.apiKey
const ears = listening('hostile')
const { usd } = theWorld().tokens

/** Listens on a port that no request of the service may reach. */
const canary = { port: 0, connections: 0 }
const servers: Server[] = []

beforeAll(async () => {
  canary.port = await freePort()
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer((socket) => {
      canary.connections += 1
      socket.destroy()
    })
    // A machine without IPv6 has no ::1 to reach either.
    const isListening = await new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(canary.port, host, () => resolve(true))
    })
    if (isListening) servers.push(server)
  }
  expect(servers.length).toBeGreaterThan(0)
})
afterAll(() => {
  servers.forEach((server) => server.close())
})

function aim(webhookUrl: string): Promise<Answer> {
  return ask('/organisation/webhook', { key, method: 'PATCH', body: { webhookUrl } })
}

/** Creates an account, and returns its event after a delivery attempt. */
async function triedEvent(): Promise<Json> {
  const userId = randomUUID()
  await ask(`/payments/deposit-address${query({ chainId: CHAIN, tokenId: usd, userId })}`, { key })
  return until('an attempt', async () => {
    const { json } = await ask('/events?type=account.created&limit=5', { key })
    const found = (json['events'] as Json[]).find(
      ({ payload }) => Object(payload).externalUserId === userId,
    )
    if (found === undefined || Number(Object(found['delivery']).attemptCount) === 0) return null
    const single = await ask(`/events/${String(found['id'])}`, { key })
    return single.json['event'] as Json
  })
}

function attemptsOf(event: Json): Json[] {
  return event['attempts'] as Json[]
}

/** The same URLs, on the port where the canary listens. */
function aimedAtCanary(): string[] {
  const aimed = entriesOf('webhook-urls', 'refused').flatMap((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    if (url === null || !['http:', 'https:'].includes(url.protocol)) return []
    url.port = String(canary.port)
    return [url.href]
  })
  return [...new Set(aimed)].filter((text) => !/93\.184\.216\.34|acme\.com/.test(text))
}

describe('H01 a hostile webhook URL', () => {
  test('a hostile webhook URL is refused without a connection', async () => {
    const urls = [...entriesOf('webhook-urls', 'refused'), ...aimedAtCanary()]
    expect(urls.length).toBeGreaterThan(110)
    await ears.aim(tenant)
    for (const url of urls) expectRefusal(await aim(url), 'INVALID_WEBHOOK_URL')
    expect((await ask('/organisation', { key })).json['webhookUrl']).toBe(ears.url())
    await triedEvent()
    expect(canary.connections).toBe(0)
  })

  test('the canary hears its callers', async () => {
    await once(connect(canary.port, '127.0.0.1'), 'close')
    expect(canary.connections).toBe(1)
    canary.connections = 0
  })
})

describe('H03 a redirection', () => {
  test.each([301, 302, 303, 307, 308])(
    'a redirection with %i is a failure and is not followed',
    async (status) => {
      await ears.aim(tenant)
      const targets = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '[::ffff:7f00:1]']
      for (const host of targets) {
        const to = `http://${host}:${canary.port}/`
        ears.receiver().behave({ do: 'redirect', to, status })
        const [attempt] = attemptsOf(await triedEvent())
        expect(attempt).toMatchObject({ number: 1, response: { status } })
      }
      ears.receiver().behave({ do: 'answer', status: 200 })
      expect(canary.connections).toBe(0)
    },
  )
})

describe('H02 a name', () => {
  test('a name that is public when set and loopback later is never connected to', async () => {
    const webhookUrl = `https://${randomUUID()}.rebinding.example.com:${canary.port}/`
    expect((await aim(webhookUrl)).status).toBe(200)
    for (let events = 0; events < 3; events += 1) {
      const [attempt] = attemptsOf(await triedEvent())
      expect(attempt).toMatchObject({ response: null, request: { url: webhookUrl } })
      expect(attempt?.['error']).toMatch(/public/)
    }
    expect(canary.connections).toBe(0)
  })

  test('a name with a non-public address among others is refused', async () => {
    const answer = await aim(`https://${randomUUID()}.mixed.example.com:${canary.port}/`)
    expectRefusal(answer, 'INVALID_WEBHOOK_URL')
  })

  test('a name that does not resolve fails at each attempt', async () => {
    expect((await aim('https://hooks.unreachable.example.com/')).status).toBe(200)
    const [attempt] = attemptsOf(await triedEvent())
    expect(attempt).toMatchObject({ response: null, error: expect.stringMatching(/resolve/) })
  })
})
