import { OPERATIONS, type Operation } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'

let desk: Desk
let admin: Signer
beforeAll(async () => {
  desk = await openDesk()
  admin = await desk.signer('admin')
})
afterAll(() => desk.close())

const ALL: [name: string, operation: Operation][] = Object.entries(OPERATIONS)
const STRICT = ALL.filter(([, operation]) => operation.ignoresQuery !== true)
const IDS = { id: 'eip155:1', userId: 'ann' }

function send({ method, path, credential }: Operation, query: string, body?: unknown) {
  const at = path.replaceAll(/:([A-Za-z]+)/g, (_all, name: 'id' | 'userId') => IDS[name]) + query
  if (credential === 'bearer') return admin.ask(at, method, body)
  return desk.door.ask(at, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
}

describe.each(STRICT)('%s', (_name, operation) => {
  test.each(['order=asc', 'nonsense=', 'Limit=1', 'limit%5B%5D=1'])(
    'refuses an unknown query parameter: %s',
    async (query) => {
      const field = decodeURIComponent(query.slice(0, query.indexOf('=')))
      const isKnown = 'limit' in Object(Object(operation.query).properties)
      expect(await send(operation, `?${query}`)).toMatchObject({
        status: 400,
        json: {
          error: 'BAD_REQUEST',
          details: { field: isKnown && field === 'limit[]' ? 'limit' : field },
        },
      })
    },
  )
})

test.each(['/healthz', '/readyz', '/openapi.json'])(
  '%s answers a probe that adds a query',
  async (path) => {
    const [plain, probed] = await Promise.all(
      ['', '?t=1&t=2'].map((query) => desk.door.ask(path + query, { key: null })),
    )
    expect(plain?.status).toBe(200)
    expect(probed?.status).toBe(200)
  },
)
