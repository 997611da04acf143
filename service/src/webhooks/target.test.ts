import { describe, expect, test } from 'vitest'
import { Outage, Refusal } from '../base/fault.ts'
import { checkTarget } from './target.ts'
import type { Resolve, TargetRules } from './target.ts'

const STRICT: TargetRules = { allowHttp: false, allowPrivate: false, devOrigins: [] }
const PUBLIC = '93.184.216.34'

describe('webhook URL', () => {
  test.each([
    ['loopback', ['127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['mapped loopback', ['::ffff:7f00:1']],
    ['one private among public ones', [PUBLIC, '10.0.0.1', '2606:4700::1111']],
  ])('a webhook URL whose name has a %s address is refused [H01]', async (_what, addresses) => {
    const url = 'https://hooks.acme.com/sluice'
    expect(await reasonOf(url, STRICT, async () => addresses)).toBe('NOT_A_PUBLIC_ADDRESS')
  })

  test.each([
    'https://hooks.acme.com',
    'https://hooks.acme.com/sluice?tenant=7&x=%20',
    'https://hooks.acme.com:8443/',
    'https://bücher.example/haken',
    'https://xn--bcher-kva.example/',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]:8443/',
    'https://myinternal.com/',
    'https://localhost.acme.com/',
  ])('webhook URL %s is accepted', async (url) => {
    expect(await reasonOf(url, STRICT, async () => [PUBLIC])).toBeNull()
  })

  test('a webhook URL whose name does not resolve is accepted', async () => {
    const away: Resolve = async () => {
      throw new Outage('name service', 'no answer')
    }
    expect(await reasonOf('https://not-yet.acme.com/', STRICT, away)).toBeNull()
    expect(await reasonOf('https://not-yet.acme.com/', STRICT, async () => [])).toBeNull()
  })

  test('HTTP and private addresses can each be allowed for development', async () => {
    const local: Resolve = async () => ['127.0.0.1']
    const http = { ...STRICT, allowHttp: true }
    const near = { ...STRICT, allowPrivate: true }
    expect(await reasonOf('http://hooks.acme.com/', http, async () => [PUBLIC])).toBeNull()
    expect(await reasonOf('http://127.0.0.1/', http, local)).toBe('NOT_A_PUBLIC_ADDRESS')
    expect(await reasonOf('https://receiver/', near, local)).toBeNull()
    expect(await reasonOf('https://127.0.0.1:8443/', near, local)).toBeNull()
    expect(await reasonOf('http://127.0.0.1:8443/', near, local)).toBe('NOT_HTTPS')
    expect(await reasonOf('https://127.0.0.1:6379/', near, local)).toBe('PORT')
  })

  test('a development origin is accepted, and no other origin', async () => {
    const rules = { ...STRICT, devOrigins: ['http://127.0.0.1:8091'] }
    const reason = (url: string) => reasonOf(url, rules, async () => ['127.0.0.1'])
    expect(await reason('http://127.0.0.1:8091/hook')).toBeNull()
    expect(await reason('http://0x7f.1:8091/hook')).toBeNull()
    expect(await reason('http://user@127.0.0.1:8091/hook')).toBe('CREDENTIALS')
    expect(await reason('http://127.0.0.1:8092/hook')).toBe('NOT_HTTPS')
    expect(await reason('https://127.0.0.1:8091/hook')).toBe('NOT_A_PUBLIC_ADDRESS')
    expect(await reason('http://127.0.0.2:8091/hook')).toBe('NOT_HTTPS')
    expect(await reason('https://hooks.acme.com/')).toBe('NOT_A_PUBLIC_ADDRESS')
  })
})

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
