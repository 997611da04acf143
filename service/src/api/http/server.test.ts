import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Door,
  ETHER,
  ETHEREUM,
  listenLow,
  openDoor,
  refusalIn,
  sendRaw,
} from '../../../test/support/door.ts'
import { Outage } from '../../base/fault.ts'

const ISSUE = `/payments/deposit-address?chainId=${ETHEREUM}&tokenId=${ETHER}&userId=`
const WEBHOOK = '/organisation/webhook'
const JSON_TYPE = { 'content-type': 'application/json' }

let door: Door
let origin: string

beforeAll(async () => {
  door = await openDoor()
  origin = await listenLow(door)
})
afterAll(() => door.close())

describe('every answer', () => {
  const id = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

  test.each(['/chains', '/nope', '/healthz', '/payments/%ff/deposits', '/payments?limit=0'])(
    'carries its own request id and the version: %s',
    async (path) => {
      const { headers } = await door.ask(path)
      expect(headers['x-request-id']).toMatch(id)
      expect(headers['x-api-version']).toBe('1')
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['x-content-type-options']).toBe('nosniff')
      const again = await door.ask(path)
      expect(again.headers['x-request-id']).not.toBe(headers['x-request-id'])
    },
  )

  test.each(['abc', '0', 'x'.repeat(128), 'a.b_c:d/e+f=g@h-i'])(
    'echoes a request id that is safe: %s',
    async (requestId) => {
      const headers = { 'x-request-id': requestId }
      const good = await door.ask('/chains', { headers })
      expect(good.headers['x-request-id']).toBe(requestId)
      const bad = await door.ask('/nope', { headers })
      expect(refusalIn(bad).details).toMatchObject({ requestId })
      const unread = await door.ask('/payments/%ff/deposits', { headers })
      expect(refusalIn(unread).details).toMatchObject({ requestId })
    },
  )

  test.each(['', 'x'.repeat(129), 'a b', 'a"b', 'a<b>', 'a,b', 'ä', 'a;b', '{}', "a'b"])(
    'has a new request id when the received id is not safe: %j',
    async (requestId) => {
      const { headers } = await door.ask('/chains', { headers: { 'x-request-id': requestId } })
      expect(headers['x-request-id']).toMatch(id)
    },
  )

  test('must not be cached', async () => {
    for (const path of [`${ISSUE}ann`, '/organisation', '/nope'])
      expect((await door.ask(path)).headers['cache-control']).toBe('no-store')
    const rotated = await door.ask(`${WEBHOOK}/signing-secret`, { method: 'PATCH' })
    expect(rotated.headers['cache-control']).toBe('no-store')
  })

  test('must not be framed, sniffed or run', async () => {
    const { headers } = await door.ask('/chains')
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
  })
})

describe('methods and paths', () => {
  test('HEAD on deposit-address creates no account [V08]', async () => {
    const before = await door.count('accounts')
    const answer = await door.ask(`${ISSUE}head`, { method: 'HEAD' })
    expect([answer.status, answer.text]).toEqual([404, ''])
    expect(await door.count('accounts')).toBe(before)
  })

  test('HEAD on health has the status of GET', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const head = await door.ask(path, { method: 'HEAD', key: null })
      const get = await door.ask(path, { key: null })
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers['content-length']).toBe(String(get.text.length))
    }
  })

  test.each([
    ['POST', '/chains'],
    ['DELETE', '/accounts'],
    ['PUT', WEBHOOK],
    ['POST', WEBHOOK],
    ['GET', WEBHOOK],
    ['PATCH', '/organisation'],
    ['OPTIONS', '/chains'],
    ['HEAD', '/payments'],
    ['POST', '/healthz'],
  ] as const)('another method is not found: %s %s [V08]', async (method, path) => {
    const answer = await door.ask(path, { method })
    expect(answer.status).toBe(404)
    if (method !== 'HEAD') expect(refusalIn(answer).error).toBe('NOT_FOUND')
  })

  test.each([
    '/',
    '/nope',
    '/chains/',
    '/Chains',
    '/CHAINS',
    '//chains',
    '/chains/eip155:1/',
    '/chains/eip155:1/tokens',
    '/payments/',
    '/payments/ann',
    '/payments/ann/deposits/',
    '/payments//deposits',
    '/payments/ann/../deposits',
    '/organisation/',
    '/organization',
    '/metrics',
    '/.env',
    '/chains.json',
    '/chains%00',
    '/chains%2Feip155:1',
    '*',
  ])('another path is not found: %s [V08]', async (path) => {
    const text = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${door.a.key}`)
    expect(statusOf(text)).toBe(404)
    expect(text).toMatch(/"error":"NOT_FOUND"/)
  })

  test.each(['POST', 'PUT', 'DELETE'])(
    'a header cannot turn a GET into a %s, or vice versa [V08]',
    async (method) => {
      const headers = { 'x-http-method-override': method, 'x-method-override': method }
      expect((await door.ask('/chains', { headers })).status).toBe(200)
      const other = await door.ask('/chains', {
        method: 'POST',
        headers: { 'x-http-method-override': 'GET' },
      })
      expect(other.status).toBe(404)
    },
  )

  test('an escape sequence of invalid UTF-8 is a bad request [V07]', async () => {
    for (const path of ['/payments/%ff/deposits', '/chains/%', '/chains/%E2%82', '/%c0%ae'])
      expect(refusalIn(await door.ask(path))).toMatchObject({
        error: 'BAD_REQUEST',
        details: { field: 'path' },
      })
  })
})

describe('a body', () => {
  const patch = (body: unknown, headers: Record<string, string> = JSON_TYPE) =>
    door.ask(WEBHOOK, { method: 'PATCH', headers, body })
  const URL_BODY = '{"webhookUrl":"https://example.org/"}'

  test('of JSON is parsed with any charset parameter [V08]', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])
      expect((await patch(URL_BODY, { 'content-type': type })).status).toBe(200)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'text/json',
    'json',
    '/',
    ',',
    'application/octet-stream',
  ])('of type %s is a bad request [V08]', async (type) => {
    const { error, details } = refusalIn(await patch(URL_BODY, { 'content-type': type }))
    expect([error, details?.['field']]).toEqual(['BAD_REQUEST', 'content-type'])
  })

  test('without a type is a bad request [V08]', async () => {
    const answer = await raw(
      `PATCH ${WEBHOOK} HTTP/1.1\r\nHost: x\r\nx-api-key: ${door.a.key}\r\ncontent-length: 2`,
      '{}',
    )
    expect(statusOf(answer)).toBe(400)
    expect(answer).toMatch(/"field":"content-type"/)
  })

  test.each([
    ['no body', undefined, 'body'],
    ['an empty one', '', 'body'],
    ['null', 'null', 'body'],
    ['a text', '"https://example.org/"', 'body'],
    ['a list', '["https://example.org/"]', 'body'],
    ['another field', '{"url":"https://example.org/"}', 'webhookUrl'],
    ['another case', '{"webhookurl":"https://example.org/"}', 'webhookUrl'],
    ['null in the field', '{"webhookUrl":null}', 'webhookUrl'],
    ['a number in the field', '{"webhookUrl":1}', 'webhookUrl'],
    ['a list in the field', '{"webhookUrl":["https://example.org/"]}', 'webhookUrl'],
    ['an object in the field', '{"webhookUrl":{"a":1}}', 'webhookUrl'],
    ['the field twice', '{"webhookUrl":"https://a.example/","webhookUrl":"x"}', 'body'],
    ['a prototype', `{"__proto__":${URL_BODY}}`, 'body'],
    ['a byte order mark', `\uFEFF${URL_BODY}`, 'body'],
    ['invalid UTF-8', Buffer.from('7b22ff227d', 'hex'), 'body'],
    ['10,000 levels', '['.repeat(10_000), 'body'],
    ['64 KiB and one byte', `"${'x'.repeat(65_535)}"`, 'body'],
    ['ten megabytes', Buffer.alloc(10_000_000, 0x20), 'body'],
  ])('%s is a bad request [V08]', async (_name, body, field) => {
    const { error, details } = refusalIn(await patch(body))
    expect([error, details?.['field']]).toEqual(['BAD_REQUEST', field])
  })

  test('is a bad request and not unpacked when compressed [V08]', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'x']) {
      const headers = { ...JSON_TYPE, 'content-encoding': encoding }
      const { details } = refusalIn(await patch(bomb, headers))
      expect(details?.['field']).toBe('content-encoding')
    }
  })

  test('with a declared length above the limit is refused before it is sent [V08]', async () => {
    const answer = await raw(
      `PATCH ${WEBHOOK} HTTP/1.1\r\nHost: x\r\nx-api-key: ${door.a.key}\r\n` +
        'content-type: application/json\r\ncontent-length: 99999999',
    )
    expect(statusOf(answer)).toBe(400)
  })

  test('is parsed and ignored when the operation has no body [V08]', async () => {
    const path = `${WEBHOOK}/signing-secret`
    const rotate = (body: string) => door.ask(path, { method: 'PATCH', headers: JSON_TYPE, body })
    expect((await rotate('{}')).status).toBe(200)
    expect((await rotate('{')).status).toBe(400)
  })
})

describe('a connection', () => {
  test.each([
    ['no HTTP', 'hello'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbad header'],
    ['no host', 'GET /chains HTTP/1.1'],
    ['huge headers', `GET /chains HTTP/1.1\r\nHost: x\r\nx-big: ${'x'.repeat(20_000)}`],
    ['two lengths', 'PATCH / HTTP/1.1\r\nHost: x\r\ncontent-length: 1\r\ncontent-length: 2'],
    [
      'a length beside chunks',
      'PATCH / HTTP/1.1\r\nHost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked',
    ],
    ['a NUL in a header', 'GET /chains HTTP/1.1\r\nHost: x\r\nx-api-key: a\u0000b'],
    ['a space in the path', 'GET /cha ins HTTP/1.1\r\nHost: x'],
  ])('with %s gets a 400 and is closed [V08]', async (_name, head) => {
    const answer = await raw(head)
    expect(statusOf(answer)).toBe(400)
    expect(answer).toMatch(/"error":"BAD_REQUEST"/)
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/)
  })

  test('gets a documented status for TRACE and unknown expectations [V08]', async () => {
    const trace = await raw(`TRACE /chains HTTP/1.1\r\nHost: x\r\nx-api-key: ${door.a.key}`)
    expect(statusOf(trace)).toBe(404)
    expect(trace).not.toContain(door.a.key)
    const expecting = 'Host: x\r\nExpect: the-unexpected'
    const answer = await raw(`GET /healthz HTTP/1.1\r\n${expecting}`)
    expect(statusOf(answer)).toBe(200)
  })

  test('with an endless request is closed in bounded time [V08]', () => {
    const { requestTimeout, headersTimeout, timeout } = door.server.server
    expect([requestTimeout, headersTimeout, timeout]).toEqual([30_000, 10_000, 60_000])
  })
})

describe('health', () => {
  test('is public', async () => {
    const alive = await door.ask('/healthz', { key: null })
    expect([alive.status, alive.json]).toEqual([200, { status: 'ok' }])
    const ready = await door.ask('/readyz', { key: 'slk_wrong' })
    expect([ready.status, ready.json]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok' } },
    ])
  })

  test('is a 503 without its dependencies, and a 200 when a chain lags', async () => {
    let status = 'degraded'
    let asked = 0
    const readiness = async () => {
      asked += 1
      return { status, checks: { database: 'ok' } }
    }
    const other = await openDoor({ readiness })
    expect((await other.ask('/readyz', { key: null })).status).toBe(200)
    status = 'unavailable'
    const away = await other.ask('/readyz', { key: null })
    expect([away.status, away.json['status']]).toEqual([503, 'unavailable'])
    asked = 0
    await Promise.all(Array.from({ length: 20 }, () => other.ask('/readyz')))
    expect(asked).toBeLessThan(20)
    await other.close()
  })
})

describe('the log', () => {
  test('has one line for each request, with the values of the metrics', async () => {
    door.lines.length = 0
    door.seen.length = 0
    await door.ask('/chains/eip155:1', { headers: { 'x-request-id': 'logged' } })
    await door.ask('/nope', { key: null })
    expect(door.lines.map(parseLine)).toMatchObject([
      { requestId: 'logged', method: 'GET', route: '/chains/:id', status: 200, ms: 0 },
      { method: 'GET', route: '(none)', status: 404, error: 'NOT_FOUND' },
    ])
    expect(parseLine(door.lines[0] ?? '')['orgId']).toBe(door.a.orgId)
    expect(door.seen).toEqual([
      { route: '/chains/:id', method: 'GET', status: 200, ms: 0 },
      { route: '(none)', method: 'GET', status: 404, ms: 0 },
    ])
  })

  test('has no key, no body and no text of a caller [S17]', async () => {
    door.lines.length = 0
    const canary = 'canary-4711'
    const body = `{"webhookUrl":"https://${canary}.example/"}`
    await door.ask(WEBHOOK, { method: 'PATCH', headers: JSON_TYPE, body })
    await door.ask(`/chains/${canary}?a=${canary}`)
    await door.ask(`/payments?userId=${canary}&status=${canary}`)
    await door.ask('/chains', { key: `slk_${canary}` })
    await door.ask('/chains', { key: null, headers: { authorization: `Bearer ${canary}` } })
    const rotated = await door.ask(`${WEBHOOK}/signing-secret`, { method: 'PATCH' })
    const text = door.lines.join('')
    expect(door.lines).toHaveLength(6)
    expect(text).not.toContain(canary)
    expect(text).not.toContain(door.a.key)
    expect(text).not.toContain(String(rotated.json['webhookSigningSecret']))
  })
})

describe('a failure of the service', () => {
  test('is a 503 with Retry-After and no details when the database is down [S17]', async () => {
    const away = async () => Promise.reject(new Outage('database', 'connect 10.0.0.5 as sluice'))
    const database = { ...door.harness.database, asApi: away, forOrg: away }
    const other = await openDoor({ database })
    const answer = await other.ask('/chains')
    const refusal = refusalIn(answer)
    expect([answer.status, refusal.error]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.text).not.toMatch(/10\.0|sluice|connect/)
    expect(other.lines.join('')).toMatch(/"level":"warn".*10\.0\.0\.5/)
    await other.close()
  })

  test('is a 500 without its cause, which is logged, when it is a bug [S17]', async () => {
    const broken = async () => Promise.reject(new TypeError('select * from accounts failed'))
    const other = await openDoor()
    const fails = await openDoor({ database: { ...other.deps.database, forOrg: broken } })
    const { a } = other
    const answer = await fails.ask('/chains', { key: a.key })
    expect(refusalIn(answer)).toMatchObject({ error: 'INTERNAL_ERROR', statusCode: 500 })
    expect(answer.text).not.toMatch(/select|TypeError|at /)
    expect(fails.lines.join('')).toMatch(/"level":"error".*select/)
    const issued = await fails.ask(`${ISSUE}ann`, { key: a.key })
    expect(refusalIn(issued).error).toBe('FAILED_TO_CREATE_DEPOSIT_ACCOUNT')
    await Promise.all([fails.close(), other.close()])
  })
})

function parseLine(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
}

function raw(head: string, body?: string): Promise<string> {
  return sendRaw(origin, head, body)
}
