import { describe, expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const originsOf = (text: string) =>
  readSettings([], { SANDBOX_WEBHOOK_ORIGINS: text }).webhookOrigins

describe('custom receivers of webhooks', () => {
  test('custom receivers are empty by default', () => {
    expect(readSettings([], {}).webhookOrigins).toEqual([])
    expect(originsOf('')).toEqual([])
  })

  test('custom receivers are normalized as in the service', () => {
    expect(originsOf('http://127.0.0.1:3000, HTTPS://Localhost:443/')).toEqual([
      'http://127.0.0.1:3000',
      'https://localhost',
    ])
  })

  test.each(['127.0.0.1:3000', 'ftp://x', 'http://127.0.0.1:3000/hook', 'http://a:b@127.0.0.1'])(
    'custom receivers are origins, which %s is not',
    (text) => {
      expect(() => originsOf(text)).toThrow(/SANDBOX_WEBHOOK_ORIGINS must be origins/)
    },
  )
})
