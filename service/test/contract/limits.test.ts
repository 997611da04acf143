import { freePort, seeded } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Question, ask } from './world/ask.ts'
import { type Cuttable, openCuttable } from './world/cut-off.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { type Serving, serve } from './world/programs.ts'
import { expectRefusal } from './world/refusal.ts'

const tenant = tenantOf('limits')
const READS = 40
const PER_USER = 5
const PER_ADDRESS = 20
/** How far processes may count on before they learn of each other. */
const SLACK = 1.5
/** Processes exchange counts about once a second. */
const LEARNING_MS = 6_000
const MINUTE_MS = 60_000
const TRIES_MAX = 4

/** The limits of decisions, section 11, but for reads, which would be many. */
const LIMITS = {
  SLUICE_LIMIT_READS: String(READS),
  SLUICE_LIMIT_WRITES: '120',
  SLUICE_LIMIT_DEPOSIT_ADDRESSES: '300',
  SLUICE_LIMIT_LOG_INS_PER_USER: String(PER_USER),
  SLUICE_LIMIT_LOG_INS_PER_ADDRESS: String(PER_ADDRESS),
}

let processes: Serving[] = []
let behindProxy: Serving
let cuttable: Cuttable

beforeAll(async () => {
  const start = async (env: Record<string, string>) =>
    serve(theWorld().config, { port: await freePort(), args: ['--roles', 'api'], env })
  const trusting = { ...LIMITS, SLUICE_TRUSTED_PROXIES: '127.0.0.0/8' }
  const started = await Promise.all([start(LIMITS), start(LIMITS), start(trusting)])
  processes = started.slice(0, 2)
  behindProxy = started[2]
  cuttable = await openCuttable()
})
afterAll(async () => {
  await Promise.all([...processes, behindProxy].map((one) => one.stop()))
  await cuttable.close()
})

/** The processes in turns. */
function baseUrl(number: number): string {
  return processes[number % processes.length]?.baseUrl ?? ''
}

/** Windows are minutes of the clock: work that saw one turn is done again. */
async function inOneMinute<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const before = Math.floor(Date.now() / MINUTE_MS)
    const done = await work(attempt)
    if (Math.floor(Date.now() / MINUTE_MS) === before || attempt === TRIES_MAX) return done
  }
}

function logIn(
  username: string,
  { path = '/auth/login', ...question }: Omit<Question, 'body'> & { path?: string },
): Promise<Answer> {
  const body = { username, password: 'wrong', totpCode: '000000' }
  return ask(path, { ...question, method: 'POST', body })
}

/** Spellings of the log-in path that might be counted separately. */
const SPELLINGS = ['/auth/login/', '/AUTH/login', '//auth/login', '/auth/%6cogin', '/auth/login;x']

/** An address of this machine that no other test uses. */
function place(host: number, attempt: number): string {
  return `127.0.${host}.${attempt + 1}`
}

/** All headers that might be trusted to name the source of a request. */
function liesOf(number: number): Record<string, string> {
  const random = seeded(`lies ${number}`)
  const ip = () => Array.from({ length: 4 }, () => random.int(256)).join('.')
  const ipv6 = `2001:db8:${random.hex(2)}:${random.hex(2)}::${random.hex(2)}`
  return {
    'x-forwarded-for': random.pick([ip(), `${ip()}, ${ip()}`, ipv6, '127.0.0.1', 'unknown']),
    'x-real-ip': ip(),
    forwarded: `for=${ip()};proto=https`,
    'x-client-ip': ip(),
    'true-client-ip': ip(),
    'cf-connecting-ip': ip(),
    'x-forwarded-host': `${random.hex(4)}.example.com`,
  }
}

describe('S12 limits are shared by all processes', () => {
  test('log-ins under one name are limited to five a minute despite forged headers', async () => {
    const answers = await inOneMinute(async (attempt) => {
      const told: Answer[] = []
      // One after the other: those that come at once may be a few more.
      for (let number = 0; number < 30; number += 1) {
        const name = `somebody-${attempt}`
        const username = number % 3 === 0 ? name.toUpperCase() : name
        told.push(await logIn(username, { ...questionOf(number), from: place(1, attempt) }))
      }
      return told
    })
    const evaluated = answers.filter(({ status }) => status === 401)
    expect(evaluated).toHaveLength(PER_USER)
    for (const answer of answers.slice(PER_USER)) expectTooMany(answer)
  })

  test('log-ins from one address are limited to twenty a minute under any names', async () => {
    let spelt: number[] = []
    const answers = await inOneMinute(async (attempt) => {
      const told: Answer[] = []
      for (let number = 0; number < 120; number += 1) {
        const username = `name-${attempt}-${number}`
        told.push(await logIn(username, { ...questionOf(number), from: place(2, attempt) }))
      }
      spelt = await Promise.all(
        SPELLINGS.map(async (path) => {
          const question = { path, ...questionOf(0), from: place(2, attempt) }
          return (await logIn('anybody', question)).status
        }),
      )
      return told
    })
    const evaluated = answers.filter(({ status }) => status === 401)
    expect(evaluated).toHaveLength(PER_ADDRESS)
    for (const answer of answers.slice(PER_ADDRESS)) expectTooMany(answer)
    expect(spelt.filter((status) => status !== 404 && status !== 429)).toEqual([])
  })

  test('each address behind a trusted proxy is counted separately', async () => {
    const statuses = await inOneMinute(async (attempt) => {
      const told: number[] = []
      for (let number = 0; number < 3; number += 1) {
        const headers = { 'x-forwarded-for': `198.51.${attempt}.${number}` }
        const asked = { headers, baseUrl: behindProxy.baseUrl }
        told.push((await logIn(`proxied-${attempt}-${number}`, asked)).status)
      }
      return told
    })
    expect(statuses).toEqual([401, 401, 401])
  })

  test('reads of one credential are counted together, key and person separately', async () => {
    const { accessToken } = personOf(tenant, 'viewer')
    const answers = await inOneMinute(async () => {
      const told: Answer[] = []
      for (let number = 0; number < 3 * READS; number += 1) {
        told.push(await ask('/chains', { key: tenant.apiKey, baseUrl: baseUrl(number) }))
        if (number % READS === READS - 1) await pause()
      }
      return told
    })
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeLessThanOrEqual(READS * SLACK)
    for (const answer of answers.slice(-READS)) expectTooMany(answer)
    const other = await ask('/chains', { token: accessToken, baseUrl: baseUrl(0) })
    expect(other.status).toBe(200)
  })

  test('a stranger is limited by address, and health is not limited', async () => {
    const answers = await inOneMinute(async (attempt) => {
      const told: Answer[] = []
      for (let number = 0; number < 3 * READS; number += 1) {
        const question = { headers: liesOf(number), baseUrl: baseUrl(0), from: place(3, attempt) }
        told.push(await ask('/chains', { ...question, key: `slk_${number}` }))
      }
      return told
    })
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(READS)
    expectTooMany(answers.at(-1))
    for (const path of ['/healthz', '/readyz'])
      expect((await ask(path, { baseUrl: baseUrl(0) })).status).toBe(200)
  })
})

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LEARNING_MS))
}

/** A request to one process, with forged source headers. */
function questionOf(number: number): Question {
  return { headers: liesOf(number), baseUrl: baseUrl(number) }
}

/** Refused, with the start of the next minute. */
function expectTooMany(answer: Answer | undefined): void {
  if (answer === undefined) throw new Error('there is no answer')
  expectRefusal(answer, 'RATE_LIMIT_EXCEEDED')
  const seconds = Number(answer.headers['retry-after'])
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(60)
  const reset = answer.headers['ratelimit-reset']
  if (reset !== undefined) expect(Number(reset)).toBe(seconds)
}

describe('S13 during a database outage', () => {
  test('sign-in fails, no limit refuses, and health answers', async () => {
    await cuttable.whileCut(async (url) => {
      for (let number = 0; number < 10; number += 1) {
        expectRefusal(await logIn('anybody', { baseUrl: url }), 'SERVICE_UNAVAILABLE')
        const answer = await ask('/chains', { key: tenant.apiKey, baseUrl: url })
        expectRefusal(answer, 'SERVICE_UNAVAILABLE')
        expect(answer.headers['retry-after']).toMatch(/^\d+$/)
      }
      expect((await ask('/healthz', { baseUrl: url })).status).toBe(200)
      expect((await ask('/readyz', { baseUrl: url })).status).toBe(503)
    })
  })
})
