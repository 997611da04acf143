import { connect } from 'node:net'
import { OPERATIONS, type Operation } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { ask } from './world/ask.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { expectRefusal } from './world/refusal.ts'

const { apiKey: key } = tenantOf('acme')
const token = personOf(tenantOf('acme'), 'viewer').accessToken

const READS = [
  '/organisation',
  '/withdrawals',
  '/payments',
  '/accounts',
  '/chains',
  '/tokens',
  '/gas-station',
  '/portfolio',
  '/events',
]

describe('every answer', () => {
  test.each([...READS, '/nowhere', '/healthz', '/readyz'])(
    'an answer of %s has its headers',
    async (path) => {
      const { headers } = await ask(path, { key })
      expect(headers['x-request-id']).toMatch(/^[\w.:/+=@-]{1,128}$/)
      expect(headers['x-api-version']).toMatch(/^\S+$/)
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  test.each(READS)(
    'an answer of %s is not cacheable and shows the rest of the limit',
    async (path) => {
      const { headers } = await ask(path, { key })
      expect(headers['cache-control']).toContain('no-store')
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers[`ratelimit-${name}`]),
      )
      expect(limit).toBe(60_000)
      expect(remaining).toBeLessThan(60_000)
      expect(remaining).toBeGreaterThanOrEqual(0)
      expect(reset).toBeGreaterThan(0)
      expect(reset).toBeLessThanOrEqual(60)
    },
  )

  test('answers count down the limit of a credential, but not for health', async () => {
    // A minute may turn between the two.
    const pairs = [await pair(), await pair()]
    expect(pairs.some(([before = 0, after = 0]) => after < before)).toBe(true)
    for (const path of ['/healthz', '/readyz'])
      expect((await ask(path)).headers).not.toHaveProperty('ratelimit-limit')
  })

  test.each(['a', 'order-17', '0'.repeat(128), '01890a5d-ac96-774b-bcce-b302099a8057'])(
    'an answer repeats the request id %s',
    async (id) => {
      for (const path of ['/organisation', '/nowhere']) {
        const { headers } = await ask(path, { key, headers: { 'x-request-id': id } })
        expect(headers['x-request-id']).toBe(id)
      }
    },
  )

  test.each(['', '0'.repeat(129), 'two words', '<script>', '"', '{}', 'a\tb', 'ä'])(
    'an answer has a new id when the given one is unsafe: %j',
    async (id) => {
      const written = Buffer.from(id).toString('latin1')
      const { headers } = await ask('/organisation', { key, headers: { 'x-request-id': written } })
      expect(headers['x-request-id']).toMatch(/^[\w-]{8,64}$/)
    },
  )
})

async function pair(): Promise<number[]> {
  const [first, second] = [await ask('/organisation', { key }), await ask('/organisation', { key })]
  return [first, second].map(({ headers }) => Number(headers['ratelimit-remaining']))
}

describe('methods and paths', () => {
  test.each(['/healthz', '/readyz'])(
    '%s answers GET and HEAD without credentials',
    async (path) => {
      const get = await ask(path)
      expect(get.status).toBe(200)
      expect(get.json['status']).toMatch(/^[a-z]+$/)
      const head = await ask(path, { method: 'HEAD' })
      expect([head.status, head.text]).toEqual([200, ''])
    },
  )

  test.each([
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/Organisation'],
    ['GET', '/organisation/'],
    ['GET', '//organisation'],
    ['GET', '/chains/'],
    ['GET', '/organization'],
    ['POST', '/organisation'],
    ['PUT', '/organisation/webhook'],
    ['GET', '/organisation/webhook'],
    ['DELETE', '/withdrawals'],
    ['PATCH', '/withdrawals/01890a5d-ac96-774b-bcce-b302099a8057'],
    ['POST', '/payments/deposit-address'],
    ['GET', '/auth/login'],
    ['OPTIONS', '/organisation'],
    ['TRACE', '/organisation'],
    ['GET', '/metrics'],
    ['GET', '/v1/organisation'],
    ['GET', '/.env'],
    ['GET', '/payments/../organisation/x'],
  ])('%s %s does not exist', async (method, path) => {
    expectRefusal(await ask(path, { key, method }), 'NOT_FOUND')
    const answer = await ask(path, { method })
    expectRefusal(answer, 'NOT_FOUND')
    expect(answer.headers).toHaveProperty('ratelimit-remaining')
  })

  test('a header cannot override the method', async () => {
    const headers = { 'x-http-method-override': 'PATCH', 'x-method-override': 'PATCH' }
    const answer = await ask('/organisation/api-key', { token, method: 'POST', headers })
    expectRefusal(answer, 'NOT_FOUND')
  })

  test('a text that is not HTTP gets a 400 and a disconnection', async () => {
    for (const text of ['HELLO\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\u0000\u0001\r\n\r\n'])
      expect(await exchange(text)).toMatch(/^HTTP\/1\.1 400 .*"error":"BAD_REQUEST"/s)
  })

  test('two lengths, or a length and chunks, are refused', async () => {
    const start = `POST /withdrawals HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n`
    const json = 'content-type: application/json\r\n'
    const both = 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'
    const twice = 'content-length: 2\r\ncontent-length: 4\r\n\r\n{}{}'
    for (const rest of [both, twice])
      expect(await exchange(start + json + rest)).toMatch(/^HTTP\/1\.1 400 /)
  })
})

/** Sends bytes as they are and gives all that comes until the other end hangs up. */
function exchange(text: string): Promise<string> {
  const { hostname, port } = new URL(theWorld().baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let said = ''
    socket.on('data', (chunk) => {
      said += String(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(said))
  })
}

describe('the query of every operation', () => {
  const admin = personOf(tenantOf('acme'), 'admin').accessToken
  const IDS: Readonly<Record<string, string>> = { id: 'eip155:1', userId: 'ann' }
  const strict = Object.values(OPERATIONS as Readonly<Record<string, Operation>>)
    .filter(({ ignoresQuery }) => ignoresQuery !== true)
    .map(({ method, path, credential, query: known }) => ({
      method,
      path,
      who: credential === 'bearer' ? { token: admin } : { key },
      names: Object.keys(Object(known).properties ?? {}),
    }))

  test.each(strict)('the query of $method $path has only its own parameters', async (operation) => {
    const { method, path, who, names } = operation
    const target = path.replaceAll(/:(\w+)/g, (_all, name: string) => IDS[name] ?? '')
    const upper = names[0]?.toUpperCase() ?? 'LIMIT'
    for (const field of ['nonsense', 'order', upper, 'a b', 'größe', '__proto__']) {
      const answer = await ask(`${target}?${encodeURIComponent(field)}=1`, { ...who, method })
      expectRefusal(answer, 'BAD_REQUEST', { field })
      expect(answer.json['message']).toContain(field)
    }
    for (const name of names.slice(0, 1)) {
      const answer = await ask(`${target}?${name}[]=1`, { ...who, method })
      expectRefusal(answer, 'BAD_REQUEST', { field: name })
    }
  })
})

describe('credentials', () => {
  test.each<[code: string, what: string, headers: Record<string, string>]>([
    ['UNAUTHORIZED', 'none', {}],
    ['UNAUTHORIZED', 'an empty key', { 'x-api-key': '' }],
    ['UNAUTHORIZED', 'another scheme', { authorization: 'Basic YTpi' }],
    ['UNAUTHORIZED', 'a scheme alone', { authorization: 'Bearer' }],
    ['UNAUTHORIZED', 'an empty authorization', { authorization: '' }],
    ['INVALID_API_KEY', 'nonsense as a key', { 'x-api-key': 'nonsense' }],
    ['INVALID_API_KEY', 'an unknown key', { 'x-api-key': `slk_${'A'.repeat(43)}` }],
    ['INVALID_API_KEY', 'a key and a letter', { 'x-api-key': `${key}x` }],
    ['INVALID_API_KEY', 'a key without its end', { 'x-api-key': key.slice(0, -1) }],
    ['INVALID_API_KEY', 'a key in capitals', { 'x-api-key': key.toUpperCase() }],
    ['INVALID_TOKEN', 'nonsense as a token', { authorization: 'Bearer nonsense' }],
    ['INVALID_TOKEN', 'a token and a letter', { authorization: `Bearer ${token}x` }],
    ['INVALID_TOKEN', 'a token without signature', { authorization: `Bearer ${bare(token)}` }],
    ['INVALID_TOKEN', 'an unsigned token', { authorization: `Bearer ${unsigned(token)}` }],
    ['BAD_REQUEST', 'both', { authorization: `Bearer ${token}`, 'x-api-key': key }],
    ['BAD_REQUEST', 'both wrong', { authorization: 'Bearer nonsense', 'x-api-key': 'nonsense' }],
  ])('%s for %s', async (code, _what, headers) => {
    for (const path of READS) {
      const answer = await ask(path, { headers })
      expectRefusal(answer, code)
      if (code === 'INVALID_TOKEN') expect(answer.status).toBe(401)
    }
  })

  test('the scheme is read in any case, the key under any spelling of its header', async () => {
    for (const headers of [
      { authorization: `bearer ${token}` },
      { Authorization: `BEARER ${token}` },
      { 'X-API-Key': key },
    ])
      expect((await ask('/organisation', { headers: { ...headers } })).status).toBe(200)
  })

  test('a credential in the query is ignored', async () => {
    for (const name of ['x-api-key', 'apiKey', 'api_key', 'access_token', 'authorization'])
      expectRefusal(await ask(`/organisation?${name}=${key}`), 'UNAUTHORIZED')
  })
})

/** Its header and its claims alone. */
function bare(jwt: string): string {
  return `${jwt.split('.').slice(0, 2).join('.')}.`
}

/** The same claims, unsigned. */
function unsigned(jwt: string): string {
  const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  return `${header}.${jwt.split('.')[1] ?? ''}.`
}
