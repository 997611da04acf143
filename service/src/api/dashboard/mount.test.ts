import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Door, openDoor } from '../../../test/support/door.ts'
import { openServer } from '../http/server.ts'

let door: Door

beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

const ask = (url: string) => door.server.inject({ url })
const addressesIn = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, address = '']) => address)
    .filter((address) => !address.startsWith('data:'))

describe('the dashboard', () => {
  test('is where a browser is sent that opens the service', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml' }
    const root = await door.server.inject({ url: '/', headers })
    expect([root.statusCode, root.headers.location]).toEqual([302, 'dashboard/'])
    expect((await ask('/')).statusCode).toBe(404)
    const bare = await ask('/dashboard')
    expect([bare.statusCode, bare.headers.location]).toEqual([308, 'dashboard/'])
  })

  test('allows no code but its own files, without exceptions', async () => {
    const { headers } = await ask('/dashboard/')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;" +
        "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none';" +
        "require-trusted-types-for 'script'",
    )
    expect(headers['x-frame-options']).toBe('DENY')
  })

  test.each(['/dashboard/', '/dashboard/deposits', '/dashboard/deposits/dep_1?x=1'])(
    '%s loads its files, which never change under their names',
    async (path) => {
      const page = await ask(path)
      expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-cache'])
      const addresses = addressesIn(page.body)
      expect(addresses.length).toBeGreaterThan(1)
      for (const address of addresses) {
        const { pathname } = new URL(address, `http://sluice.example${path}`)
        const file = await ask(pathname)
        expect([pathname, file.statusCode]).toEqual([pathname, 200])
        expect(file.headers['cache-control']).toContain('immutable')
      }
    },
  )

  test('loads at most 230 kB of compressed code before its first page', async () => {
    const page = await ask('/dashboard/')
    const scripts = addressesIn(page.body).filter((address) => address.endsWith('.js'))
    const sizes = await Promise.all(
      scripts.map(async (address) => {
        const file = await ask(new URL(address, 'http://sluice.example/dashboard/').pathname)
        return gzipSync(file.rawPayload).length
      }),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(230_000)
  })

  test('answers NOT_FOUND for a file that it does not have', async () => {
    const answer = await ask('/dashboard/assets/index-old.js')
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      expect.objectContaining({ error: 'NOT_FOUND' }),
    ])
  })

  test('may read the codes of test persons in a sandbox only', async () => {
    expect((await ask('/dashboard/settings.json')).json()).toEqual({ testCodesUrl: '' })
    const testCodesUrl = 'http://127.0.0.1:8090/totp'
    const settings = { ...door.deps.settings, testCodesUrl }
    const sandbox = openServer({ ...door.deps, settings })
    const told = await sandbox.inject({ url: '/dashboard/settings.json' })
    expect(told.json()).toEqual({ testCodesUrl })
    const { headers } = await sandbox.inject({ url: '/dashboard/' })
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' http://127.0.0.1:8090;",
    )
    await sandbox.close()
  })
})
