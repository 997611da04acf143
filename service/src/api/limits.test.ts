import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Door, openDoor, refusalIn } from '../../test/support/door.ts'
import { openLimits } from '../orgs/limits.ts'

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
  const { clock, serviceKey } = plain.means
  limited = await openDoor({ limits: openLimits({ clock, serviceKey, rates: RATES }) })
})
afterAll(async () => {
  await limited.close()
  await plain.close()
})
beforeEach(() => plain.house.clock.advance(60_000))

describe('what nobody serves', () => {
  test.each(['/nowhere', '/chains/', '/docs/nope', '/%ff'])(
    'S12 is counted as a read of the address, and says what is left: %s',
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

  test('S12 another method than those that read is counted as a write', async () => {
    const statuses = []
    for (const method of ['POST', 'DELETE'] as const)
      statuses.push((await ask(method, '/organisation')).status)
    expect(statuses).toEqual([404, 429])
    expect((await ask('GET', '/nowhere')).status).toBe(404)
  })

  test('S12 what a credential may ask for is not used up by it', async () => {
    for (const path of ['/nowhere', '/nowhere', '/nowhere']) await limited.ask(path)
    expect((await limited.ask('/organisation')).headers['ratelimit-remaining']).toBe('1')
  })
})

describe('a credential', () => {
  test('S12 is counted for itself, however many strangers ask in its minute', async () => {
    const { limits } = limited.means
    for (let stranger = 0; stranger < 51_000; stranger += 1) limits.take('reads', `${stranger}`)
    expect((await ask('GET', '/nowhere')).status).toBe(429)
    const { status, headers } = await limited.ask('/organisation')
    expect([status, headers['ratelimit-remaining']]).toEqual([200, '1'])
  })
})

function ask(method: 'GET' | 'HEAD' | 'POST' | 'DELETE', path: string) {
  return limited.ask(path, { method, key: null })
}
