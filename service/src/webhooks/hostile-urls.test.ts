import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { freePort } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { Refusal } from '../base/fault.ts'
import { Deadlines } from './deadlines.ts'
import { openPoster } from './post.ts'
import type { Poster } from './post.ts'
import { checkTarget } from './target.ts'
import type { Resolve, TargetRules } from './target.ts'

const STRICT: TargetRules = { allowHttp: false, allowPrivate: false, devOrigins: [] }
const PUBLIC = '93.184.216.34'
const toCanary: Resolve = async () => ['127.0.0.1']

const CORPUS: Record<string, readonly string[]> = {
  TOO_LONG: [`https://hooks.acme.com/${'a'.repeat(2_048)}`],
  NOT_HTTPS: ['http://hooks.acme.com/', 'HTTP://hooks.acme.com/', 'http://127.0.0.1/'],
  MALFORMED: [
    '',
    'hooks.acme.com',
    '//hooks.acme.com/',
    'https:',
    'https://',
    'https:///hooks.acme.com',
    'https:hooks.acme.com',
    'ftp://hooks.acme.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'javascript:alert(1)',
    'data:text/plain,x',
    ' https://hooks.acme.com/',
    'https://hooks.acme.com/ ',
    'https://hooks.acme.com/a b',
    'https://hooks\t.acme.com/',
    'https://hooks.acme.com/\r\nx-evil: 1',
    'https://hooks.acme.com/\u0000',
    'https://hooks.acme.com/\u007f',
    'https://127.0.0.1\u200b/',
    'https:\\\\127.0.0.1/',
    'https://hooks.acme.com\\@127.0.0.1/',
    'https://hooks.acme.com:65536/',
    'https://[::1/',
    'https://256.0.0.1/',
  ],
  CREDENTIALS: [
    'https://user:pass@hooks.acme.com/',
    'https://pub@10.0.0.1/',
    'https://@127.0.0.1/',
    'https://:@hooks.acme.com/',
    'https://hooks.acme.com@127.0.0.1/',
  ],
  PORT: [
    'https://hooks.acme.com:22/',
    'https://hooks.acme.com:25/',
    'https://hooks.acme.com:5432/',
    'https://hooks.acme.com:6379/',
    'https://hooks.acme.com:2375/',
    'https://hooks.acme.com:11211/',
    'https://hooks.acme.com:0/',
  ],
  NOT_A_PUBLIC_NAME: [
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://foo.localhost/',
    'https://localhost.localdomain/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://metadata.google.internal./',
    'https://printer.local/',
    'https://router.lan/',
    'https://nas.home.arpa/',
    'https://vault.corp/',
    'https://intranet/',
    'https://hooks.acme.com./',
    'https://hooks..acme.com/',
    'https://127.0.0.1.nip.io/',
    'https://10-0-0-1.sslip.io/',
    'https://anything.localtest.me/',
    'https://lvh.me/',
    'https://7f000001.c0a80001.rbndr.us/',
    'https://ⓛocalhost/',
    'https://xyz.onion/',
  ],
  NOT_A_PUBLIC_ADDRESS: [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
  ],
}

const URLS = Object.values(CORPUS).flat()

describe('a hostile webhook URL', () => {
  let canary: Canary
  beforeAll(async () => {
    canary = await openCanary()
  })
  afterAll(() => canary.close())

  test('the corpus has the documented size [H01]', () => {
    expect(URLS.length).toBeGreaterThanOrEqual(60)
  })

  describe.each(Object.entries(CORPUS))(
    'a hostile webhook URL is refused as %s [H01]',
    (reason, urls) => {
      test.each(urls)('%j', async (url) => {
        const asked: string[] = []
        const resolve: Resolve = async (host) => {
          asked.push(host)
          return [PUBLIC]
        }
        expect(await reasonOf(url, STRICT, resolve)).toBe(reason)
        expect(asked).toEqual([])
      })
    },
  )

  test('stored hostile URLs are never connected to [H01]', async () => {
    const poster = openTestPoster(STRICT, toCanary)
    const tried: string[] = []
    for (const text of URLS) {
      const url = canary.aimedBy(text)
      if (!url) continue
      tried.push(url.href)
      const answer = await poster.send({ url, headers: {}, body: Buffer.from('{}') })
      expect([url.href, answer?.status]).toEqual([url.href, null])
      expect(answer?.error).toContain('must lead to a public address')
    }
    expect(tried.length).toBeGreaterThanOrEqual(60)
    expect(canary.connections).toBe(0)
    await poster.close()
  })

  test('the canary sees a connection when the guard is off [H01]', async () => {
    const poster = openTestPoster({ ...STRICT, allowPrivate: true }, toCanary)
    const before = canary.connections
    for (const text of ['http://2130706433/', 'http://hooks.acme.com/', 'http://0/']) {
      const url = canary.aimedBy(text)
      if (url) await poster.send({ url, headers: {}, body: Buffer.from('{}') })
    }
    expect(canary.connections - before).toBe(3)
    canary.connections = before
    await poster.close()
  })

  test('a name that changed from a public address to 127.0.0.1 is skipped [H02]', async () => {
    let asked = 0
    const rebinding: Resolve = async () => {
      asked += 1
      return asked === 1 ? [PUBLIC] : ['127.0.0.1']
    }
    await checkTarget('https://rebind.acme.com/', STRICT, rebinding)
    const poster = openTestPoster(STRICT, rebinding)
    for (const attempt of [1, 2, 3]) {
      const url = new URL(`https://rebind.acme.com:${canary.port}/`)
      const answer = await poster.send({ url, headers: {}, body: Buffer.from('{}') })
      expect(answer?.error).toContain('must lead to a public address')
      expect(asked).toBe(1 + attempt)
    }
    expect(canary.connections).toBe(0)
    await poster.close()
  })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['mapped loopback', ['::ffff:7f00:1']],
    ['IPv6 loopback', ['::1']],
    ['private after public', [PUBLIC, '2606:4700::1111', '127.0.0.1']],
    ['private before public', ['127.0.0.1', PUBLIC]],
  ])('a name is refused when its addresses include %s [H02]', async (_what, addresses) => {
    const resolve: Resolve = async () => addresses
    expect(await reasonOf('https://mixed.acme.com/', STRICT, resolve)).toBe('NOT_A_PUBLIC_ADDRESS')
    const poster = openTestPoster(STRICT, resolve)
    const url = new URL(`https://mixed.acme.com:${canary.port}/`)
    const answer = await poster.send({ url, headers: {}, body: Buffer.from('{}') })
    expect(answer?.error).toContain('must lead to a public address')
    expect(canary.connections).toBe(0)
    await poster.close()
  })
})

interface Canary {
  port: number
  connections: number
  /** The same URL on the canary's port; null if it cannot be connected to. */
  aimedBy(text: string): URL | null
  close(): void
}

/** Listens on every address of this machine that a bypass could reach. */
async function openCanary(): Promise<Canary> {
  const port = await freePort()
  const servers: Server[] = []
  const canary: Canary = {
    port,
    connections: 0,
    aimedBy(text) {
      const url = URL.canParse(text) ? new URL(text) : null
      if (!url || !['http:', 'https:'].includes(url.protocol)) return null
      url.port = String(port)
      return url
    },
    close: () => servers.forEach((server) => server.close()),
  }
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer((socket) => {
      canary.connections += 1
      socket.destroy()
    })
    // A machine without IPv6 has no ::1 to reach either.
    const isListening = await new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, host, () => resolve(true))
    })
    if (isListening) servers.push(server)
  }
  expect(servers.length).toBeGreaterThan(0)
  return canary
}

function openTestPoster(rules: TargetRules, resolve: Resolve): Poster {
  const deadlines = new Deadlines(new ManualClock(), 30_000)
  return openPoster({ rules, resolve, deadlines, deadlineMs: 30_000, answerBytesMax: 4_096 })
}

/** The reason of the refusal, or null if the URL is accepted. */
async function reasonOf(url: string, rules: TargetRules, resolve: Resolve): Promise<unknown> {
  try {
    await checkTarget(url, rules, resolve)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    if (!(error instanceof Refusal)) throw error
    expect(error.code).toBe('INVALID_WEBHOOK_URL')
    return error.details.reason
  }
}
