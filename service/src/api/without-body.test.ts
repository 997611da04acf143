import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Door, openDoor, refusalIn } from '../../test/support/door.ts'

const WEBHOOK = '/organisation/webhook'

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

test.each([
  ['application/json', '{bad'],
  ['application/json', JSON.stringify({ much: 'x'.repeat(70_000) })],
  ['json', '{}'],
  ['text/plain', 'x'],
])('an unknown endpoint is not found with any body: %s [V08]', async (type, body) => {
  for (const path of ['/nope', '/chains']) {
    const headers = { 'content-type': type }
    const answer = await door.ask(path, { method: 'POST', headers, body, key: null })
    expect(refusalIn(answer)).toMatchObject({ error: 'NOT_FOUND', statusCode: 404 })
  }
})

test.each(['application/x-www-form-urlencoded', 'text/plain', 'application/json', ''])(
  'a request without a body may name a type: %j',
  async (type) => {
    for (const length of [{}, { 'content-length': '0' }]) {
      const headers = { 'content-type': type, ...length }
      const asked = { method: 'PATCH', headers } as const
      expect((await door.ask(`${WEBHOOK}/signing-secret`, asked)).status).toBe(200)
    }
  },
)
