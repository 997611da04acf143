import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, ask, query, until } from './world/ask.ts'
import { tenantOf, theWorld } from './world/given.ts'
import { payerOf } from './world/pay.ts'
import { expectRefusal } from './world/refusal.ts'
import { CHAIN } from './world/state.ts'

const lists = tenantOf('lists')
const key = lists.apiKey
const { coin, usd } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const ACCOUNTS = 103
const WITHDRAWALS = 23
const PAYMENTS = 7

/** The lists of decisions, section 9: path, named key, its filters with bad values of each. */
const LISTS: [path: string, name: string, bad: Readonly<Record<string, readonly string[]>>][] = [
  ['/accounts', 'accounts', { chainId: ['', 'eip155:2', 'nonsense'] }],
  [
    '/withdrawals',
    'withdrawals',
    {
      status: ['', 'pending', 'Done', 'Pending,', 'Pending,Done'],
      chainId: ['', 'eip155:2'],
      tokenId: ['', 'nonsense'],
      txnHash: ['', '0x1', 'nonsense'],
      q: [''],
      from: ['', 'yesterday', '2026-13-01', '1', '2026-02-30'],
      to: ['now', '2026-01-01T25:00:00Z'],
    },
  ],
  [
    '/payments',
    'payments',
    {
      status: ['', 'confirmed', 'Pending'],
      chainId: ['', 'eip155:2'],
      tokenId: ['', 'nonsense'],
      txnHash: ['', '0x', 'nonsense'],
      from: ['', 'yesterday'],
      to: ['x'],
    },
  ],
]

beforeAll(async () => {
  const payer = payerOf(4)
  const users = Array.from({ length: ACCOUNTS }, (_, at) => `user-${at}`)
  const addresses = await Promise.all(users.map(addressOf))
  for (const address of addresses.slice(0, PAYMENTS)) await payer.pay(coin, address, 9n)
  await payer.fund(lists, { [usd]: 10n ** 6n })
  const path = '/organisation/min-withdrawal-signers'
  await ask(path, { key, method: 'PATCH', body: { minWithdrawalSigners: 2 } })
  await Promise.all(Array.from({ length: WITHDRAWALS }, withdraw))
  await until('the payments', async () => {
    return (await rows('/payments', 'payments')).length === PAYMENTS ? true : null
  })
})

async function addressOf(userId: string): Promise<string> {
  const parameters = { chainId: CHAIN, tokenId: coin, userId }
  const { json } = await ask(`/payments/deposit-address${query(parameters)}`, { key })
  return (json['address'] as { properties: { address: string } }).properties.address
}

async function withdraw(): Promise<void> {
  const reference = randomUUID()
  const body = { chainId: CHAIN, tokenId: usd, amount: '1', recipient: RECIPIENT, reference }
  expect((await ask('/withdrawals', { key, method: 'POST', body })).status).toBe(201)
}

async function page(path: string, parameters: Record<string, string>): Promise<Json> {
  const { status, json } = await ask(`${path}${query(parameters)}`, { key })
  expect({ path, parameters, status }).toEqual({ path, parameters, status: 200 })
  return json
}

async function rows(path: string, name: string): Promise<Json[]> {
  return (await page(path, {}))[name] as Json[]
}

/** All rows, by pages of so many. */
async function walk(path: string, name: string, limit: number): Promise<Json[]> {
  const found: Json[] = []
  let cursor: string | null = null
  do {
    const parameters = { limit: String(limit), ...(cursor === null ? {} : { cursor }) }
    const json: Json = await page(path, parameters)
    expect(Object.keys(json).sort()).toEqual([name, 'nextCursor'].sort())
    const some = json[name] as Json[]
    expect(some.length).toBeLessThanOrEqual(limit)
    found.push(...some)
    cursor = json['nextCursor'] as string | null
  } while (cursor !== null)
  return found
}

/** Looks until no block came meanwhile: with each the confirmations of all payments grow. */
async function whileStill(
  path: string,
  name: string,
  look: (all: Json[]) => Promise<() => void>,
): Promise<void> {
  await until('a look while no block came', async () => {
    const all = await rows(path, name)
    const judge = await look(all)
    if (!isDeepStrictEqual(await rows(path, name), all)) return null
    judge()
    return true
  })
}

describe.each(LISTS)('%s', (path, name, bad) => {
  test('a list without paging is complete and newest first, under its documented key', async () => {
    const json = await page(path, {})
    expect(Object.keys(json)).toEqual([name])
    const times = (json[name] as Json[]).map(({ createdAt }) => String(createdAt))
    const counts: Record<string, number> = {
      accounts: ACCOUNTS,
      withdrawals: WITHDRAWALS,
      payments: PAYMENTS,
    }
    expect(times).toHaveLength(counts[name] ?? 0)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test.each([1, 5, 50, 500])('a list by pages of %i is the same', async (limit) => {
    // A page of one row is walked only where that is not a hundred requests.
    const step = limit === 1 && name === 'accounts' ? 20 : limit
    await whileStill(path, name, async (all) => {
      const walked = await walk(path, name, step)
      return () => expect(walked).toEqual(all)
    })
  })

  test('a cursor without a limit returns a hundred, and the end returns null', async () => {
    await whileStill(path, name, async (all) => {
      const first = await page(path, { limit: '2' })
      const rest = await page(path, { cursor: String(first['nextCursor']) })
      return () => {
        expect(rest[name]).toEqual(all.slice(2, 102))
        expect(rest['nextCursor'] === null).toBe(all.length <= 102)
      }
    })
  })

  test('a page continues at its cursor when new items arrive', async () => {
    const before = await rows(path, name)
    const first = await page(path, { limit: '3' })
    if (name === 'accounts') await addressOf(randomUUID())
    if (name === 'withdrawals') await withdraw()
    const next = await page(path, { limit: '3', cursor: String(first['nextCursor']) })
    expect(idsOf(next[name])).toEqual(idsOf(before.slice(3, 6)))
  })

  test.each(['0', '501', '-1', '1.5', '', ' 1', '1e2', '0x10', 'all', '９', '1'.repeat(400)])(
    'a list refuses the limit %j',
    async (limit) => {
      expectRefusal(await ask(`${path}${query({ limit })}`, { key }), 'BAD_REQUEST')
    },
  )

  test.each(['', 'nonsense', '0', 'null', '{}', 'x'.repeat(2000), '\u0000', '%', '=='])(
    'a list refuses the cursor %j',
    async (cursor) => {
      expectRefusal(await ask(`${path}${query({ cursor })}`, { key }), 'BAD_REQUEST')
    },
  )

  test('a list refuses bad values of its filters, and repeated filters', async () => {
    for (const [filter, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await ask(`${path}${query({ [filter]: value })}`, { key })
        expect([filter, value, answer.json['error']]).toEqual([filter, value, 'BAD_REQUEST'])
        expectRefusal(answer, 'BAD_REQUEST')
      }
      for (const twice of [`${filter}=a&${filter}=b`, `${filter}[]=a`, `${filter}[x]=a`])
        expectRefusal(await ask(`${path}?${twice}`, { key }), 'BAD_REQUEST')
    }
  })

  test('a list refuses an unknown parameter by its name', async () => {
    for (const field of ['nonsense', 'order', 'Limit', 'sort'])
      expectRefusal(await ask(`${path}?${field}=1`, { key }), 'BAD_REQUEST', { field })
  })
})

test.each(['', 'x'.repeat(256), '\u0000', 'a\nb'])('an end user %j is invalid', async (userId) => {
  for (const path of ['/accounts', '/payments'])
    expectRefusal(await ask(`${path}${query({ userId })}`, { key }), 'INVALID_USER_ID')
  if (userId === '') return
  const path = `/payments/${encodeURIComponent(userId)}/deposits`
  expectRefusal(await ask(path, { key }), 'INVALID_USER_ID')
})

function idsOf(items: unknown): unknown[] {
  return (items as Json[]).map(({ id, orgDepositAccountId }) => id ?? orgDepositAccountId)
}
