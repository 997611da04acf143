import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Outage } from './fault.ts'
import { logOutage, logSuccess, openLog } from './log.ts'
import { Secret } from './secret.ts'

const CANARY = 'canary-9f3b71'

function logged(write: (log: ReturnType<typeof openLog>) => void): string {
  let text = ''
  const destination = {
    write: (line: string) => {
      text += line
    },
  }
  write(openLog({ level: 'debug', pretty: false, destination }))
  return text
}

test.each([
  'password',
  'totpCode',
  'totpSecret',
  'apiKey',
  'accessToken',
  'authorization',
  'webhookSigningSecret',
  'secret',
  'seed',
  'mnemonic',
  'passphrase',
  'privateKey',
])('K03 a value named %s never reaches a log line, three levels deep', (name) => {
  const line = logged((log) => {
    log.info({ [name]: CANARY, one: { [name]: CANARY, two: { [name]: CANARY } } }, 'a line')
  })
  expect(line).not.toContain(CANARY)
  expect(line.match(/\[redacted\]/g)).toHaveLength(3)
})

test('the API key header is redacted [K03]', () => {
  const line = logged((log) => {
    log.info({ headers: { 'x-api-key': CANARY }, req: { headers: { 'x-api-key': CANARY } } })
  })
  expect(line).not.toContain(CANARY)
})

test('a secret prints as [secret] in every way of printing [K03]', () => {
  const secret = new Secret(CANARY)
  const prints = [
    String(secret),
    inspect(secret),
    inspect({ deep: { secret } }),
    JSON.stringify({ secret }),
    logged((log) => log.info({ anything: secret }, 'a line')),
  ]
  for (const print of prints) expect(print).not.toContain(CANARY)
  expect(secret.reveal()).toBe(CANARY)
})

test('a line is JSON with its level, time and fields', () => {
  const line: unknown = JSON.parse(logged((log) => log.warn({ chainId: 'x:1' }, 'words')))
  expect(line).toMatchObject({ level: 'warn', msg: 'words', chainId: 'x:1' })
})

/** Log lines of outages, with a clock that the test moves. */
function openOutages() {
  const lines: { level: string; msg: string }[] = []
  const time = { now: 1_000 }
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const log = openLog({ level: 'info', pretty: false, destination })
  const target = { log, clock: { now: () => time.now } }
  const fail = (work: string, outage: Outage) => logOutage(target, { work, outage })
  return { lines, time, log, fail, succeed: (work: string) => logSuccess(target, work) }
}

test('an outage is logged once at its start and once at its end', () => {
  const { lines, time, fail, succeed } = openOutages()
  for (let round = 0; round < 200; round += 1) {
    for (const work of ['scanner', 'spender', 'audit']) {
      fail(work, new Outage('database', 'cannot be reached'))
    }
    time.now += 600
  }
  succeed('scanner')
  succeed('spender')
  expect(lines).toMatchObject([
    { level: 'warn', what: 'database', work: 'scanner', reason: 'database: cannot be reached' },
    { level: 'info', what: 'database', failures: 600, ms: 120_000 },
  ])
})

test('an outage continues while only other work succeeds', () => {
  const { lines, fail, succeed } = openOutages()
  fail('scanner', new Outage('database', 'cannot be reached'))
  succeed('clock')
  fail('scanner', new Outage('database', 'cannot be reached'))
  expect(lines).toHaveLength(1)
})

test('outages of two nodes are logged separately', () => {
  const { lines, fail } = openOutages()
  for (const what of ['a', 'b', 'a', 'b']) fail('scanner', new Outage(what, 'is away'))
  expect(lines).toMatchObject([{ what: 'a' }, { what: 'b' }])
})

test('an outage that is already logged is not logged again', () => {
  const { lines, fail, succeed } = openOutages()
  fail('scanner', new Outage('a', 'is away', { isLogged: true }))
  succeed('scanner')
  expect(lines).toEqual([])
})

test('a bug is logged with its stack, an outage without it', () => {
  const line = logged((log) => log.error({ err: new Error('broken') }, 'a line'))
  expect(line).toContain('log.test.ts')
  for (const key of ['err', 'error']) {
    const cause = new Error('refused')
    const outage = new Outage('node', 'is away', { cause })
    expect(logged((log) => log.warn({ [key]: outage }, 'a line'))).not.toContain('.test.ts')
  }
})
