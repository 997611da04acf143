import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'
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

test('K03 the header of an API key never reaches a log line', () => {
  const line = logged((log) => {
    log.info({ headers: { 'x-api-key': CANARY }, req: { headers: { 'x-api-key': CANARY } } })
  })
  expect(line).not.toContain(CANARY)
})

test('K03 a secret prints as such, however it is printed', () => {
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

test('a line is JSON with its level, its time and what was given', () => {
  const line: unknown = JSON.parse(logged((log) => log.warn({ chainId: 'x:1' }, 'words')))
  expect(line).toMatchObject({ level: 'warn', msg: 'words', chainId: 'x:1' })
})
