import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Asking, type Door, openDoor, refusalIn } from '../../../test/support/door.ts'
import { Outage } from '../../base/fault.ts'
import { openLimits } from '../../orgs/limits.ts'

const RATES = { reads: 2, writes: 1, depositAddresses: 0 }
const COUNTED = {
  'ratelimit-limit': expect.any(String),
  'ratelimit-remaining': expect.any(String),
  'ratelimit-reset': expect.any(String),
}

let plain: Door
let limited: Door
beforeAll(async () => {
  plain = await openDoor()
  const { clock, serviceKey } = plain.deps
  const settings = { ...plain.deps.settings, logInRates: { perUser: 5, perAddress: 20 } }
  limited = await openDoor({ limits: openLimits({ clock, serviceKey, rates: RATES }), settings })
})
afterAll(async () => {
  await limited.close()
  await plain.close()
})
beforeEach(async () => {
  for (const door of [plain, limited]) await door.harness.clock.advance(60_000)
})

describe('an unknown endpoint', () => {
  test.each(['/nowhere', '/chains/', '/docs/nope', '/%ff'])(
    'is counted as a read of the address, and reports the rest: %s [S12]',
    async (path) => {
      const answers = [
        await ask('GET', path),
        await ask('HEAD', '/nowhere'),
        await ask('GET', path),
      ]
      for (const { headers } of answers) expect(headers).toMatchObject(COUNTED)
      const told = answers.map(({ headers }) => headers['ratelimit-remaining'])
      expect(told).toEqual(['1', '0', '0'])
      const [first, , last] = answers
      expect([400, 404]).toContain(first?.status)
      expect(last?.headers['retry-after']).toBe('60')
      expect(last === undefined ? null : refusalIn(last).error).toBe('RATE_LIMIT_EXCEEDED')
    },
  )

  test('is counted as a write with any method but GET and HEAD [S12]', async () => {
    const statuses = []
    for (const method of ['POST', 'DELETE'] as const)
      statuses.push((await ask(method, '/organisation')).status)
    expect(statuses).toEqual([404, 429])
    expect((await ask('GET', '/nowhere')).status).toBe(404)
  })

  test('does not count against the limit of a credential [S12]', async () => {
    for (const path of ['/nowhere', '/nowhere', '/nowhere']) await limited.ask(path)
    expect((await limited.ask('/organisation')).headers['ratelimit-remaining']).toBe('1')
  })
})

describe('a credential', () => {
  test('has its own limit, independent of unknown callers [S12]', async () => {
    const { limits } = limited.deps
    for (let stranger = 0; stranger < 51_000; stranger += 1) limits.take('reads', `${stranger}`)
    expect((await ask('GET', '/nowhere')).status).toBe(429)
    const { status, headers } = await limited.ask('/organisation')
    expect([status, headers['ratelimit-remaining']]).toEqual([200, '1'])
  })
})

describe('an attempt to sign in', () => {
  const WHOLE = { username: 'ann', password: 'a password', totpCode: '123456' }
  const UNREADABLE: [string, Asking][] = [
    ['without a password', { body: { username: 'ann' } }],
    ['with a name that is no text', { body: { ...WHOLE, username: 7 } }],
    ['with a part of JSON', { body: '{"username":"ann"' }],
    ['without a body', {}],
    ['with a body of another type', { body: 'username=ann', headers: { 'content-type': 'a/b' } }],
    ['with a body that is too large', { body: { ...WHOLE, password: 'a'.repeat(70_000) } }],
  ]
  const logIn = ({ body, headers }: Asking) =>
    limited.ask('/auth/login', {
      method: 'POST',
      key: null,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })

  test.each(UNREADABLE)('%s is counted for its address [S12]', async (_what, asking) => {
    const answers = []
    for (let nth = 1; nth <= 22; nth += 1) answers.push(await logIn(asking))
    const told = answers.map(({ status, headers }) => [status, headers['ratelimit-remaining']])
    const left = Array.from({ length: 20 }, (_, at) => [400, String(19 - at)])
    expect(told).toEqual([...left, [429, '0'], [429, '0']])
    for (const { headers } of answers) expect(headers['ratelimit-limit']).toBe('20')
    expect(answers.at(-1)?.headers['retry-after']).toBe('60')
    // Complete attempts of the address are refused too.
    expect((await logIn({ body: WHOLE })).status).toBe(429)
  })

  test('is counted once when complete, together with malformed attempts [S12]', async () => {
    const remaining = []
    for (const username of ['ann', 'ben', 'cem', 'dan', 'eve']) {
      const { status, headers } = await logIn({ body: { ...WHOLE, username } })
      expect(status).toBe(401)
      remaining.push(headers['ratelimit-remaining'])
    }
    expect(remaining).toEqual(['4', '4', '4', '4', '4'])
    const { status, headers } = await logIn({ body: '{' })
    expect([status, headers['ratelimit-remaining']]).toEqual([400, '14'])
  })

  test('is refused when malformed and not countable [S13]', async () => {
    const away = async () => Promise.reject(new Outage('database', 'away'))
    const database = { ...limited.harness.database, asApi: away }
    const asking = { method: 'POST', key: null } as const
    expect((await limited.askWith({ database }, '/auth/login', asking)).status).toBe(503)
  })
})

function ask(method: 'GET' | 'HEAD' | 'POST' | 'DELETE', path: string) {
  return limited.ask(path, { method, key: null })
}
