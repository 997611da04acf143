import { connect } from 'node:net'
import { type Operation, OPERATIONS, type Deposit } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Door, ETHER, ETHEREUM, listenLow, openDoor } from '../../test/support/door.ts'
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import { openServer } from './http/server.ts'

/** Three batches, the last one not full. */
const COUNT = 2_500
const CSV = { accept: 'text/csv' }
const NDJSON = { accept: 'application/x-ndjson' }
const LISTS = Object.entries<Operation>(OPERATIONS).filter(([, one]) => one.export !== undefined)
const HEAD = (OPERATIONS.getPayments.export.columns ?? []).map(({ name }) => name)

let door: Door
beforeAll(async () => {
  door = await openDoor()
  for (const userId of ['=HYPERLINK("x")', 'ann, "the first"']) await issue(userId)
  const address = await issue('-1')
  const amounts = Array.from({ length: COUNT }, (_, n) => BigInt(n + 1))
  await door.pay(address, amounts)
})
afterAll(() => door.close())

async function issue(userId: string): Promise<string> {
  const query = new URLSearchParams({ chainId: ETHEREUM, tokenId: ETHER, userId }).toString()
  const { text } = await door.ask(`/payments/deposit-address?${query}`)
  return /0x[0-9a-fA-F]{40}/.exec(text)?.[0] ?? ''
}

describe('an export', () => {
  test('as CSV has a header, each record of the filter once and the decimal amount', async () => {
    const { headers, text } = await door.ask('/payments?userId=-1', { headers: CSV })
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="payments.csv"',
    })
    const [head, ...lines] = text.trimEnd().split('\r\n')
    expect(head).toBe(HEAD.join(','))
    const rows = lines.map((line) => line.split(','))
    const amounts = rows.map((row) => Number(row[HEAD.indexOf('amount')]))
    expect(new Set(amounts)).toEqual(new Set(Array.from({ length: COUNT }, (_, n) => n + 1)))
    expect(amounts).toHaveLength(COUNT)
    const [seventh] = rows.filter((row) => row[HEAD.indexOf('amount')] === '7')
    expect(seventh?.[HEAD.indexOf('amountDecimal')]).toBe('0.000000000000000007')
    expect(seventh?.[HEAD.indexOf('symbol')]).toBe('ETH')
    expect(seventh?.[HEAD.indexOf('createdAt')]).toBe('2026-01-01T00:00:00.000Z')
    expect(seventh?.[HEAD.indexOf('externalUserId')]).toBe('-1')
  })

  test('as JSON Lines has exactly the records of the JSON list, in its order', async () => {
    const { headers, text } = await door.ask('/payments', { headers: NDJSON })
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Deposit)
    const { json } = await door.ask('/payments')
    expect(records).toEqual(json['payments'])
    expect(records).toHaveLength(COUNT)
  })

  test('neutralises cells that begin like a formula', async () => {
    const { text } = await door.ask('/accounts', { headers: CSV })
    expect(text).toContain(`,"'=HYPERLINK(""x"")",`)
    expect(text).toContain(',"ann, ""the first""",')
  })

  test('of an empty list has the header only, as JSON Lines no line', async () => {
    const path = '/payments?userId=unknown'
    expect((await door.ask(path, { headers: CSV })).text).toBe(`${HEAD.join(',')}\r\n`)
    expect((await door.ask(path, { headers: NDJSON })).text).toBe('')
  })

  test.each(['limit=5', 'cursor=x'])('refuses a page: %s', async (query) => {
    const field = query.split('=')[0]
    const refused = { status: 400, json: { error: 'BAD_REQUEST', details: { field } } }
    expect(await door.ask(`/payments?${query}`, { headers: CSV })).toMatchObject(refused)
  })

  test.each([
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['text/csv;q=0.5, application/x-ndjson;q=0.6', 'application/x-ndjson'],
    ['text/csv, application/json', 'application/json'],
    ['text/csv, */*', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['text/csv;q=7', 'application/json'],
    ['text/html', 'application/json'],
    ['', 'application/json'],
  ])('for "accept: %s" is answered as %s', async (accept, type) => {
    const { headers } = await door.ask('/payments?userId=unknown', { headers: { accept } })
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
  })

  test('is refused in JSON without a credential', async () => {
    const refused = await door.ask('/payments', { key: null, headers: CSV })
    expect(refused).toMatchObject({ status: 401, json: { error: 'UNAUTHORIZED' } })
    expect(refused.headers['content-type']).toContain('application/json')
  })
})

test.each([
  // The last chunk is missing.
  { version: '1.1', isWhole: (text: string) => text.endsWith('\r\n0\r\n\r\n'), resets: 0 },
  // The end of the connection is the end of the response, so it must be an error.
  { version: '1.0', isWhole: (_text: string) => false, resets: 1 },
])('an error in the middle breaks off an export over HTTP/$version', async (protocol) => {
  const flaky = flakyDatabase(door.deps.database)
  const server = openServer({ ...door.deps, database: flaky.database })
  let resets = 0
  server.server.on('connection', (socket) => {
    const reset = socket.resetAndDestroy.bind(socket)
    socket.resetAndDestroy = () => {
      resets += 1
      return reset()
    }
  })
  const origin = await listenLow({ ...door, server })
  try {
    const whole = await read(origin, protocol.version)
    expect(whole.match(/\n/g)?.length).toBeGreaterThan(COUNT)
    expect(resets).toBe(0)
    flaky.failAtLast()
    const cut = await read(origin, protocol.version)
    expect(cut.length).toBeLessThan(whole.length)
    expect({ isWhole: protocol.isWhole(cut), resets }).toEqual({
      isWhole: false,
      resets: protocol.resets,
    })
  } finally {
    await server.close()
  }
})

describe.each(LISTS)('the export of %s', (_name, { export: list, responses, example }) => {
  test('has columns of fields that its records have', () => {
    const [records] = Object.values(Object(example.answers[200])).filter(Array.isArray)
    const [record] = records ?? []
    expect(record).toBeDefined()
    const optional = ['properties.destinationTag', 'properties.xAddress']
    for (const { path } of (list?.columns ?? []).filter((one) => !optional.includes(one.path)))
      expect([
        path,
        path.split('.').reduce((value, name) => Object(value)[name], record),
      ]).not.toEqual([path, undefined])
    const names = list?.columns.map(({ name }) => name) ?? []
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(responses)).toEqual(['200'])
  })
})

/** A database whose last read of a whole export can be made to fail. */
function flakyDatabase(inner: Database) {
  let calls = 0
  let failsAt = Number.POSITIVE_INFINITY
  const database: Database = {
    ...inner,
    forOrg: (orgId, work) => {
      calls += 1
      if (calls === failsAt) throw new Outage('database', 'planned')
      return inner.forOrg(orgId, work)
    },
  }
  const failAtLast = () => {
    failsAt = calls * 2
  }
  return { database, failAtLast }
}

/** A response as it came, to the end of its connection. */
function read(origin: string, version: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    // A reset is not always seen by the client's event loop.
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    const head = `GET /payments HTTP/${version}\r\nhost: x\r\nconnection: close\r\naccept: text/csv`
    socket.write(`${head}\r\nx-api-key: ${door.a.key}\r\n\r\n`)
  })
}
