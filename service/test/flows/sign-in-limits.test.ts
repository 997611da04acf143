import { expect, onTestFinished, test } from 'vitest'
import type { ServerDeps } from '../../src/api/http/deps.ts'
import { openPeers } from '../../src/api/http/peer.ts'
import { parseNetwork } from '../../src/orgs/network.ts'
import { systemRandom } from '../../src/base/random.ts'
import { Outage } from '../../src/base/fault.ts'
import { openServiceKey } from '../../src/keys/service-key.ts'
import { openLimits, type Rates } from '../../src/orgs/limits.ts'
import { openPasswordChecks } from '../../src/orgs/password-checks.ts'
import { ManualClock } from '../support/clock.ts'
import { type Answered, type Asking, type Door, openDoor, SETTINGS } from '../support/door.ts'
import { addPerson, logInAt, officeOf, signIn } from '../support/sign-in.ts'

const MINUTE = 60_000
const UNLIMITED: Rates = { reads: 0, writes: 0, depositAddresses: 0 }
const NEVER = { password: 'x', totpCode: '000000' }

/** An API with the limits of an installation, or with the limits of the test. */
async function limitedDoor(
  rates: Rates = UNLIMITED,
  changes: Partial<ServerDeps> = {},
): Promise<Door> {
  // A stopped clock: the limits themselves decide when a minute ends.
  const clock = new ManualClock()
  const serviceKey = openServiceKey({ key: systemRandom.bytes(32), random: systemRandom })
  const door = await openDoor({
    limits: openLimits({ clock, serviceKey, rates }),
    settings: { ...SETTINGS, logInRates: { perUser: 5, perAddress: 20 } },
    ...changes,
  })
  onTestFinished(() => door.close())
  return door
}

/** Sends a request from an address other than 127.0.0.1. */
async function askFrom(
  door: Door,
  remoteAddress: string,
  attempt: { path?: string; headers?: Record<string, string>; username: string },
): Promise<{ status: number; retryAfter: unknown }> {
  const { path = '/auth/login', headers = {}, username } = attempt
  const { statusCode, headers: answered } = await door.server.inject({
    method: 'POST',
    url: path,
    remoteAddress,
    headers,
    payload: { username, ...NEVER },
  })
  return { status: statusCode, retryAfter: answered['retry-after'] }
}

function statuses(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('sign-in attempts of an address are limited to 20 a minute [S12]', async () => {
  const door = await limitedDoor()
  const answers = []
  for (let at = 0; at < 1_000; at += 1) {
    const lie = `10.${at % 250}.${Math.floor(at / 250)}.1`
    const headers = {
      'x-forwarded-for': lie,
      forwarded: `for=${lie}`,
      'x-real-ip': lie,
      'x-client-ip': lie,
      'cf-connecting-ip': lie,
      'true-client-ip': lie,
    }
    answers.push(await askFrom(door, '203.0.113.7', { headers, username: `name-${at}` }))
  }
  expect(statuses(answers)).toEqual({ 401: 20, 429: 980 })
  const refused = answers.filter(({ status }) => status === 429)
  for (const { retryAfter } of refused) expect(String(retryAfter)).toMatch(/^[1-9]\d*$/)
})

test('a sign-in response states the remaining attempts of the nearest limit [S12]', async () => {
  const door = await limitedDoor()
  const told = async (username: string) => {
    const { statusCode, headers } = await door.server.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { username, ...NEVER },
    })
    const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining } = headers
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0)
    return [statusCode, Number(limit), Number(remaining)]
  }
  for (const left of [4, 3, 2, 1, 0]) expect(await told('ann')).toEqual([401, 5, left])
  expect(await told('ann')).toEqual([429, 5, 0])
  // Six of the 20 attempts of the address are used.
  for (let at = 0; at < 10; at += 1) expect(await told(`b${at}x`)).toEqual([401, 5, 4])
  expect(await told('cem')).toEqual([401, 20, 3])
})

test('addresses of one /64 share a limit [S12]', async () => {
  const door = await limitedDoor()
  const answers = []
  for (let at = 0; at < 60; at += 1) {
    const address = `2001:db8:1:2::${at.toString(16)}`
    answers.push(await askFrom(door, address, { username: `name-${at}` }))
  }
  expect(statuses(answers)).toEqual({ 401: 20, 429: 40 })
  const next = await askFrom(door, '2001:db8:1:3::1', { username: 'another' })
  expect(next.status).toBe(401)
})

test('another spelling of the path does not bypass the limit [S12]', async () => {
  const door = await limitedDoor()
  for (const path of [
    '/auth/login/',
    '/Auth/Login',
    '/AUTH/LOGIN',
    '//auth/login',
    '/auth//login',
    '/auth%2Flogin',
    '/auth/login;x=1',
    '/auth/login%00',
  ]) {
    const answers = []
    for (let at = 0; at < 25; at += 1)
      answers.push(await askFrom(door, '203.0.113.9', { path, username: `name-${at}` }))
    expect([path, Object.keys(statuses(answers))]).toEqual([path, ['404']])
  }
  // An escaped letter is the same path, and a query is rejected; both count with the plain path.
  const mixed = []
  for (let at = 0; at < 10; at += 1)
    for (const path of ['/auth/log%69n', '/auth/login', '/auth/login?x=1'])
      mixed.push(await askFrom(door, '203.0.113.9', { path, username: `name-${mixed.length}` }))
  expect(statuses(mixed)).toEqual({ 400: 6, 401: 14, 429: 10 })
})

test('clients behind a trusted proxy have separate limits [S12]', async () => {
  const trusted = ['127.0.0.1'].map((text) => parseNetwork(text)).filter((one) => one !== null)
  const door = await limitedDoor(UNLIMITED, { peerOf: openPeers(trusted) })
  for (const client of ['198.51.100.1', '198.51.100.2']) {
    const answers = []
    for (let at = 0; at < 30; at += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${at}, ${client}` }
      answers.push(await askFrom(door, '127.0.0.1', { headers, username: `${client}-${at}` }))
    }
    expect(statuses(answers)).toEqual({ 401: 20, 429: 10 })
  }
})

test('sign-in attempts for a name are limited to five a minute in total [S12]', async () => {
  const door = await limitedDoor()
  const answers = []
  for (let at = 0; at < 12; at += 1)
    answers.push(await askFrom(door, `203.0.113.${at}`, { username: 'Somebody' }))
  expect(statuses(answers)).toEqual({ 401: 5, 429: 7 })
})

test('10,000 guesses from 200 addresses are checked at one per minute [S04]', async () => {
  const door = await limitedDoor(UNLIMITED, { passwords: openPasswordChecks(100) })
  const ann = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'admin' })
  const { username, password } = ann
  const guess = async (at: number) => {
    const totpCode = String(at % 1_000_000).padStart(6, '0')
    const { statusCode } = await door.server.inject({
      method: 'POST',
      url: '/auth/login',
      remoteAddress: `203.0.113.${at % 200}`,
      payload: { username, password, totpCode },
    })
    return { status: statusCode }
  }
  const answers = []
  // The limit of attempts alone would allow five per minute; the test covers fifteen minutes.
  for (let minute = 0; minute < 15; minute += 1) {
    // In waves: a loaded machine would answer some of a single burst with 503.
    for (let wave = 0; wave < 12; wave += 1) {
      const first = (minute * 12 + wave) * 56
      const guesses = Array.from({ length: 56 }, (_, at) => guess(first + at))
      answers.push(...(await Promise.all(guesses)))
    }
    await door.harness.clock.advance(MINUTE - 1)
  }
  const looked = answers.filter(({ status }) => status !== 429)
  expect(answers.length).toBeGreaterThan(10_000)
  // Five in each of the first two minutes; then the name is slowed down.
  expect(looked.length).toBeGreaterThanOrEqual(10)
  expect(looked.length).toBeLessThanOrEqual(10 + 14)
}, 120_000)

test('requests are limited per credential, and responses state the rest [S12]', async () => {
  const door = await limitedDoor({ reads: 5, writes: 2, depositAddresses: 3 })
  const ann = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'admin' })
  const as = await signIn(door, ann)
  const seen = []
  for (let at = 0; at < 7; at += 1) seen.push(leftOf(await door.ask('/chains')))
  expect(seen).toEqual([
    [200, '5', '4'],
    [200, '5', '3'],
    [200, '5', '2'],
    [200, '5', '1'],
    [200, '5', '0'],
    [429, '5', '0'],
    [429, '5', '0'],
  ])
  const refused = await door.ask('/organisation')
  expect(refused.json['error']).toBe('RATE_LIMIT_EXCEEDED')
  expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset'])
  // Other credentials, kinds of credentials and organizations are counted separately.
  expect((await door.ask('/chains', as)).status).toBe(200)
  expect((await door.ask('/chains', { key: door.b.key })).status).toBe(200)
  const rotate = () => door.ask('/organisation/webhook/signing-secret', { method: 'PATCH' })
  expect([await rotate(), await rotate(), await rotate()].map(({ status }) => status)).toEqual([
    200, 200, 429,
  ])
  const missing = await door.ask('/payments/deposit-address')
  expect(leftOf(missing)).toEqual([400, '3', '2'])
})

test('wrong credentials count for their address, and do not affect valid ones [S12]', async () => {
  const door = await limitedDoor({ reads: 5, writes: 5, depositAddresses: 5 })
  const wrongs: Asking[] = [
    { key: null },
    { key: 'slk_wrong' },
    { key: null, headers: { authorization: 'Bearer x' } },
  ]
  const answers = []
  for (let at = 0; at < 9; at += 1) answers.push(await door.ask('/chains', wrongs[at % 3]))
  expect(statuses(answers)).toEqual({ 401: 5, 429: 4 })
  expect((await door.ask('/chains')).status).toBe(200)
})

test('health checks have no limit [S12]', async () => {
  const door = await limitedDoor({ reads: 1, writes: 1, depositAddresses: 1 })
  for (let at = 0; at < 5; at += 1) {
    const { status, headers } = await door.ask('/healthz', { key: null })
    expect([status, headers['ratelimit-limit']]).toEqual([200, undefined])
  }
})

test('sign-in fails and reads continue while the counters are unavailable [S13]', async () => {
  const door = await limitedDoor({ reads: 100, writes: 100, depositAddresses: 100 })
  const ann = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'admin' })
  const as = await signIn(door, ann)
  const asApi = door.deps.database.asApi.bind(door.deps.database)
  const away = async () => Promise.reject(new Outage('database', 'the counters are unavailable'))
  // Keys are looked up over the same connection; sessions are not.
  door.deps.database.asApi = away
  const { username, password } = ann
  const answer = await logInAt(door, { username, password, totpCode: await ann.code() })
  expect([answer.status, answer.json['error']]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect((await door.ask('/organisation', as)).status).toBe(200)
  await expect(
    door.deps.limits.settle({ ...door.deps.database, transaction: away }),
  ).rejects.toThrow(Outage)
  expect((await door.ask('/organisation', as)).status).toBe(200)
  door.deps.database.asApi = asApi
  const again = await logInAt(door, { username, password, totpCode: await ann.code() })
  expect(again.status).toBe(200)
})

function leftOf({ status, headers }: Answered): unknown[] {
  return [status, headers['ratelimit-limit'], headers['ratelimit-remaining']]
}
