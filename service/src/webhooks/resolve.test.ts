import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { startNameServer } from '../../test/support/name-server.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { parseHosts } from './hosts-file.ts'
import { openResolve } from './resolve.ts'

async function openHere() {
  const server = await startNameServer()
  const clock = new ManualClock()
  return { server, clock, resolve: openResolve(clock, { servers: [server.address] }) }
}

const pending = (lookup: Promise<unknown>) =>
  Promise.race([lookup.then(() => false), new Promise((done) => setImmediate(done, true))])

describe('openResolve', () => {
  test('resolves a name of the hosts file without a name server', async () => {
    const { server, resolve } = await openHere()
    expect(await resolve('LocalHost')).toContain('127.0.0.1')
    expect(server.asked).toEqual([])
  })

  test('resolves a name by the configured server', async () => {
    const { server, clock, resolve } = await openHere()
    expect(await resolve('receiver.test')).toEqual(['127.0.0.1'])
    expect(server.asked.toSorted()).toEqual(['receiver.test', 'receiver.test'])
    expect(clock.sleeping).toBe(0)
  })

  test.each(['missing.test', 'no such name.invalid'])('throws an Outage for %s', async (host) => {
    const { resolve } = await openHere()
    await expect(resolve(host)).rejects.toThrow(Outage)
  })

  test('looks a name up once when many ask for it concurrently', async () => {
    const { server, resolve } = await openHere()
    await Promise.all([resolve('receiver.test'), resolve('receiver.test')])
    expect(server.asked).toHaveLength(2)
    await resolve('receiver.test')
    expect(server.asked).toHaveLength(4)
  })

  test('resolves other names while 40 lookups get no answer', async () => {
    const { clock, resolve } = await openHere()
    const silent = Array.from({ length: 40 }, (_, at) => resolve(`h${at}.silent.test`))
    const ends = Promise.allSettled(silent)
    expect(await resolve('receiver.test')).toEqual(['127.0.0.1'])
    expect(await pending(ends)).toBe(true)
    await clock.advance(3_000)
    for (const end of await ends)
      expect(end).toMatchObject({ reason: { message: expect.stringContaining('in 3000 ms') } })
  })

  test('refuses a fifth concurrent lookup of one organization and no other', async () => {
    const { clock, resolve } = await openHere()
    const silent = [1, 2, 3, 4].map((at) => resolve(`h${at}.silent.test`, 'thief'))
    const ends = Promise.allSettled(silent)
    const fifth = await resolve('receiver.test', 'thief').catch((error: unknown) => error)
    expect(fifth).toBeInstanceOf(Refusal)
    expect(fifth).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retryAfterSeconds: 3 },
    })
    expect(await resolve('receiver.test', 'other')).toEqual(['127.0.0.1'])
    await clock.advance(3_000)
    await ends
    expect(await resolve('receiver.test', 'thief')).toEqual(['127.0.0.1'])
  })
})

describe('parseHosts', () => {
  test('reads aliases, comments and several addresses of a name', () => {
    const hosts = parseHosts('127.0.0.1 localhost # here\n::1 LOCALHOST me\n# x\nnonsense y\n\n')
    expect(Object.fromEntries(hosts)).toEqual({ localhost: ['127.0.0.1', '::1'], me: ['::1'] })
  })
})
