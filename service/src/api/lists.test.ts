import type { Account, Deposit } from '@sluice/wire'
import { Deposit as DepositShape, Account as AccountShape } from '@sluice/wire'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Door,
  ETHER,
  ETHEREUM,
  listenLow,
  openDoor,
  REGTEST,
  REGTEST_COIN,
  refusalIn,
  sendRaw,
  SEPOLIA,
  SEPOLIA_ETHER,
  type Tenant,
  TIP,
  toChainId,
  toTokenId,
  USDT,
} from '../../test/support/door.ts'
import { Outage } from '../base/fault.ts'
import { openCatalogue } from '../catalogue/find.ts'

let door: Door

beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

describe('GET /payments', () => {
  let tenant: Tenant
  let ann: Account
  let bob: Account

  beforeAll(async () => {
    tenant = await door.found('Payments')
    ann = await issue(tenant, 'ann')
    bob = await issue(tenant, 'bob', SEPOLIA, SEPOLIA_ETHER)
    await door.pay(ann.properties.address, [1n, 2n], { height: TIP - 5 })
    await door.harness.clock.advance(60_000)
    await door.pay(ann.properties.address, [3n], { tokenId: toTokenId(USDT) })
    await door.harness.clock.advance(60_000)
    const sepolia = { chainId: toChainId(SEPOLIA), tokenId: toTokenId(SEPOLIA_ETHER) }
    await door.pay(bob.properties.address, [4n], sepolia)
  })

  const list = async (query: string, path = '/payments'): Promise<Deposit[]> => {
    const { status, json } = await door.ask(path + query, { key: tenant.key })
    expect(status).toBe(200)
    return parseList<Deposit>(json[path === '/payments' ? 'payments' : 'deposits'])
  }
  const amounts = async (query: string, path?: string) =>
    (await list(query, path)).map(({ amount }) => amount)

  test('returns deposits of section 2.3, newest first', async () => {
    const [newest, token] = await list('')
    expect(await amounts('')).toEqual(expect.arrayContaining(['4', '3', '2', '1']))
    expect(newest).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      index: 0,
      chainId: SEPOLIA,
      txnHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      tokenId: SEPOLIA_ETHER,
      amount: '4',
      accountChainId: SEPOLIA,
      externalUserId: 'bob',
      senderAddress: '0x00000000000000000000000000000000000000AA',
      status: 'Detected',
      confirmations: 0,
      requiredConfirmations: 3,
      blockNumber: TIP,
      blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      confirmedAt: null,
      Token: { id: SEPOLIA_ETHER, name: 'Sepolia Ether', symbol: 'ETH', decimals: 18, address: '' },
      createdAt: '2026-01-01T00:02:00.000Z',
      updatedAt: '2026-01-01T00:02:00.000Z',
    })
    expect(token).toMatchObject({
      tokenId: USDT,
      Token: { symbol: 'USDT', decimals: 6, address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
    })
    for (const deposit of await list('')) expect(Value.Check(DepositShape, deposit)).toBe(true)
  })

  test('counts confirmations from our tip', async () => {
    const old = (await list('?chainId=eip155:1&tokenId=eip155:1/slip44:60')).map(
      ({ confirmations, requiredConfirmations }) => [confirmations, requiredConfirmations],
    )
    expect(old).toEqual([
      [5, 12],
      [5, 12],
    ])
  })

  test('filters by each parameter, and by all of them together', async () => {
    const [newest] = await list('')
    const hash = newest?.txnHash ?? ''
    expect(await amounts('?userId=bob')).toEqual(['4'])
    expect(await amounts('?userId=nobody')).toEqual([])
    expect(await amounts(`?chainId=${SEPOLIA}`)).toEqual(['4'])
    expect(await amounts('?chainId=xrpl:mainnet')).toEqual([])
    expect(await amounts(`?tokenId=${USDT}`)).toEqual(['3'])
    expect(await amounts(`?tokenId=${USDT.toLowerCase()}`)).toEqual(['3'])
    expect(await amounts(`?txnHash=${hash}`)).toEqual(['4'])
    expect(await amounts(`?txnHash=0x${hash.slice(2).toUpperCase()}`)).toEqual(['4'])
    expect(await amounts(`?txnHash=0x${'0'.repeat(64)}`)).toEqual([])
    expect(await amounts('?status=Confirmed')).toEqual([])
    expect(await amounts('?status=Detected')).toHaveLength(4)
    expect(await amounts('?from=2026-01-01T00:01:00.000Z')).toEqual(['4', '3'])
    expect(await amounts('?from=2026-01-01T00:01:00Z&to=2026-01-01T00:01:00Z')).toEqual(['3'])
    expect(await amounts('?to=2025-12-31')).toEqual([])
    expect(await amounts(`?userId=ann&chainId=${ETHEREUM}&status=Detected&limit=500`)).toHaveLength(
      3,
    )
  })

  test('of one user returns only deposits of that user, and refuses another user', async () => {
    expect(await amounts('', '/payments/bob/deposits')).toEqual(['4'])
    expect(await door.ask('/payments/bob/deposits?userId=ann', { key: tenant.key })).toMatchObject({
      status: 400,
      json: { error: 'BAD_REQUEST', details: { field: 'userId' } },
    })
    expect(await amounts(`?tokenId=${USDT}`, '/payments/ann/deposits')).toEqual(['3'])
    expect(await amounts('', '/payments/nobody/deposits')).toEqual([])
  })

  test('searches by id, transaction and user', async () => {
    const [newest] = await list('')
    expect(await amounts(`?q=${newest?.id}`)).toEqual(['4'])
    expect(await amounts(`?q=${newest?.txnHash}`)).toEqual(['4'])
    expect(await amounts(`?q=${newest?.txnHash.slice(2).toUpperCase()}`)).toEqual(['4'])
    expect(await amounts('?q=bob')).toEqual(['4'])
    expect(await amounts('?q=ann')).toHaveLength(3)
    expect(await amounts(`?q=ann&tokenId=${USDT}`)).toEqual(['3'])
    expect(await amounts('?q=nobody')).toEqual([])
    expect(await amounts('?q=ann', '/payments/bob/deposits')).toEqual([])
    const first = await door.ask('/payments?q=ann&limit=2', { key: tenant.key })
    const cursor = String(first.json['nextCursor'])
    const second = await door.ask(`/payments?q=ann&limit=2&cursor=${cursor}`, { key: tenant.key })
    expect(parseList(first.json['payments'])).toHaveLength(2)
    expect(parseList(second.json['payments'])).toHaveLength(1)
    const other = await door.found('Search')
    const theirs = await door.ask(`/payments?q=${newest?.txnHash}`, { key: other.key })
    expect(theirs.json['payments']).toEqual([])
  })

  test('pages every deposit exactly once while new ones arrive', async () => {
    const crowd = await door.found('Pages')
    const { address } = (await issue(crowd, 'ann')).properties
    for (let round = 0; round < 5; round += 1) {
      await door.pay(
        address,
        Array.from({ length: 9 }, () => 1n),
      )
      await door.harness.clock.advance(1)
    }
    const all = parseList<Deposit>(
      (await door.ask('/payments', { key: crowd.key })).json['payments'],
    )
    const found: Deposit[] = []
    let cursor: string | null = null
    do {
      const after = cursor === null ? '' : `&cursor=${cursor}`
      const { json } = await door.ask(`/payments?limit=7${after}`, { key: crowd.key })
      found.push(...parseList<Deposit>(json['payments']))
      cursor = parseCursorIn(json)
      await door.pay(address, [2n])
      await door.harness.clock.advance(1)
    } while (cursor !== null)
    expect(all).toHaveLength(45)
    expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  })

  test('refuses a cursor of another list [V06]', async () => {
    const { json } = await door.ask('/payments?limit=1', { key: tenant.key })
    const cursor = String(parseCursorIn(json))
    for (const path of ['/withdrawals', '/accounts', '/events', '/payments/ann/deposits']) {
      const answer = await door.ask(`${path}?cursor=${cursor}`, { key: tenant.key })
      expect(refusalIn(answer)).toMatchObject({
        error: 'BAD_REQUEST',
        details: { field: 'cursor' },
      })
    }
  })

  test('returns nextCursor only when pages are requested', async () => {
    const ask = async (query: string) =>
      (await door.ask(`/payments${query}`, { key: tenant.key })).json
    expect(await ask('')).not.toHaveProperty('nextCursor')
    expect(await ask('?limit=4')).toMatchObject({ nextCursor: null })
    const first = await ask('?limit=3')
    expect(first).toMatchObject({ nextCursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/) })
    const last = await ask(`?cursor=${String(first['nextCursor'])}`)
    expect(last).toMatchObject({ payments: { length: 1 }, nextCursor: null })
  })
})

describe('a development chain that was removed from the configuration', () => {
  const chains = [ETHEREUM, REGTEST].map((id) => ({ id: toChainId(id) }))
  const [ethereum] = chains
  const left = openCatalogue({ chains: ethereum === undefined ? [] : [ethereum], tokens: [] })
  let before: Door
  let hash: string

  beforeAll(async () => {
    before = await openDoor({ catalogue: openCatalogue({ chains, tokens: [] }) })
    const coin = { chainId: toChainId(REGTEST), tokenId: toTokenId(REGTEST_COIN) }
    const issued = new URLSearchParams({ ...coin, userId: 'ann' }).toString()
    const { json } = await before.ask(`/payments/deposit-address?${issued}`)
    await before.pay(parseAccount(json['address']).properties.address, [5n], coin)
    const [deposit] = parseList<Deposit>((await before.ask('/payments')).json['payments'])
    hash = deposit?.txnHash ?? ''
  })
  afterAll(() => before.close())

  test.each(['', '?limit=5', '?userId=ann', `?txnHash=`])(
    'leaves its deposits readable by GET /payments%s',
    async (query) => {
      const path = `/payments${query.endsWith('=') ? query + hash : query}`
      const { status, json } = await before.askWith({ catalogue: left }, path)
      expect(status).toBe(200)
      expect(json['payments']).toMatchObject([
        { chainId: REGTEST, tokenId: REGTEST_COIN, amount: '5', requiredConfirmations: 1 },
      ])
    },
  )

  test.each([
    ['/payments/ann/deposits', 'deposits', 1],
    ['/accounts', 'accounts', 1],
    ['/events', 'events', 2],
    ['/withdrawals', 'withdrawals', 0],
  ])('leaves %s readable', async (path, key, length) => {
    const { status, json } = await before.askWith({ catalogue: left }, path)
    expect([status, json[key]]).toMatchObject([200, { length }])
  })
})

describe('bad values', () => {
  const NAMES = [
    'limit',
    'cursor',
    'chainId',
    'tokenId',
    'status',
    'txnHash',
    'from',
    'to',
    'address',
  ]
  const BAD: Record<string, readonly string[]> = {
    limit: ['0', '-1', '501', '1.0', 'abc', '', '1e1', '%00', '9'.repeat(500)],
    cursor: ['x', '', '%00', 'MS4x', 'AAAA', '../..'],
    chainId: ['', 'x', '%00', 'eip155:2', '__proto__'],
    tokenId: ['', 'x', '%00', 'eip155:1/erc20:0x1', 'USDT'],
    status: ['', 'Foo', 'detected', 'Pending', '%00', 'Detected,Confirmed'],
    txnHash: ['', '0x', '0x12', '%00', `${'a'.repeat(64)}%00`, 'g'.repeat(64)],
    from: ['', '0', 'now', '%00', '2026-02-30', '2026-01-01T00:00:00'],
    to: ['', '1767225600', 'tomorrow', '%00', '2026-13-01'],
    address: ['', 'x', '%00', '0x1', `0x${'a'.repeat(41)}`, 'ann.eth'],
  }
  const LISTS: Record<string, readonly string[]> = {
    '/payments': NAMES.filter((name) => name !== 'address'),
    '/payments/ann/deposits': NAMES.filter((name) => name !== 'address'),
    '/accounts': ['limit', 'cursor', 'chainId', 'address'],
  }
  const cases = Object.entries(LISTS).flatMap(([path, names]) =>
    names.flatMap((name) => (BAD[name] ?? []).map((value) => ({ path, name, value }))),
  )

  test.each(cases)(
    '$path?$name=$value is a 400 that names it [V06]',
    async ({ path, name, value }) => {
      expect(refusalIn(await door.ask(`${path}?${name}=${value}`))).toMatchObject({
        error: 'BAD_REQUEST',
        statusCode: 400,
        details: { field: name },
      })
      expect(refusalIn(await door.ask(`${path}?${name}=a&${name}=b`))).toMatchObject({
        error: 'BAD_REQUEST',
        details: { field: name },
      })
    },
  )
})

describe('GET /accounts', () => {
  test('returns accounts of section 2.4, newest first, by user, chain and address', async () => {
    const tenant = await door.found('Accounts')
    const ann = await issue(tenant, 'ann')
    await door.harness.clock.advance(1)
    const bob = await issue(tenant, 'bob')
    await door.harness.clock.advance(1)
    const there = await issue(tenant, 'ann', SEPOLIA, SEPOLIA_ETHER)
    const list = async (query: string) =>
      parseList<Account>(
        (await door.ask(`/accounts${query}`, { key: tenant.key })).json['accounts'],
      )
    expect(await list('')).toEqual([there, bob, ann])
    for (const account of await list('')) expect(Value.Check(AccountShape, account)).toBe(true)
    expect(await list('?userId=ann')).toEqual([there, ann])
    expect(await list(`?chainId=${ETHEREUM}`)).toEqual([bob, ann])
    expect(await list(`?userId=ann&chainId=${ETHEREUM}`)).toEqual([ann])
    const { address } = ann.properties
    expect(await list(`?address=${address}`)).toEqual([ann])
    expect(await list(`?address=${address.toLowerCase()}`)).toEqual([ann])
    expect(await list(`?address=${address}&chainId=${SEPOLIA}`)).toEqual([])
    expect(await list(`?address=0x${'0'.repeat(40)}`)).toEqual([])
    expect(await list('?limit=2')).toEqual([there, bob])
  })
})

describe('a long list', () => {
  const COUNT = 4_321
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await door.found('Long')
    const { address } = (await issue(tenant, 'ann')).properties
    for (let left = COUNT; left > 0; left -= 1_000) {
      const amounts = Array.from({ length: Math.min(left, 1_000) }, (_, n) => BigInt(left - n))
      await door.pay(address, amounts)
      await door.harness.clock.advance(1)
    }
  })

  test('has each deposit once, read in batches of a thousand', async () => {
    const { database } = door.harness
    let transactions = 0
    const counted = {
      ...database,
      forOrg: <T>(...given: Parameters<typeof database.forOrg<T>>) => {
        transactions += 1
        return database.forOrg(...given)
      },
    }
    const other = await openDoor({ database: counted })
    const answer = await other.ask('/payments', { key: tenant.key })
    const deposits = parseList<Deposit>(answer.json['payments'])
    expect(new Set(deposits.map(({ id }) => id)).size).toBe(COUNT)
    expect(new Set(deposits.map(({ amount }) => amount)).size).toBe(COUNT)
    const times = deposits.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(answer.headers['transfer-encoding']).toBe('chunked')
    expect(transactions).toBe(5)
    await other.close()
  })

  test('closes the connection when it fails halfway', async () => {
    const { database } = door.harness
    let reads = 0
    const failing = {
      ...database,
      forOrg: <T>(...given: Parameters<typeof database.forOrg<T>>) => {
        reads += 1
        if (reads > 2) return Promise.reject(new Outage('database', 'gone'))
        return database.forOrg(...given)
      },
    }
    const other = await openDoor({ database: failing })
    const origin = await listenLow(other)
    const head = `GET /payments HTTP/1.1\r\nHost: x\r\nx-api-key: ${tenant.key}`
    const text = await sendRaw(origin, head)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    expect(text.endsWith('0\r\n\r\n')).toBe(false)
    expect(text).not.toMatch(/\]\}/)
    reads = 2
    const early = await other.ask('/payments', { key: tenant.key })
    expect(refusalIn(early).error).toBe('SERVICE_UNAVAILABLE')
    await other.close()
  })
})

async function issue(
  tenant: Tenant,
  userId: string,
  chainId = ETHEREUM,
  tokenId = ETHER,
): Promise<Account> {
  const query = new URLSearchParams({ chainId, tokenId, userId }).toString()
  const { json } = await door.ask(`/payments/deposit-address?${query}`, { key: tenant.key })
  return parseAccount(json['address'])
}

function parseCursorIn({ nextCursor }: Record<string, unknown>): string | null {
  return nextCursor as string | null
}

function parseAccount(value: unknown): Account {
  return value as Account
}

function parseList<T>(value: unknown): T[] {
  expect(Array.isArray(value)).toBe(true)
  return value as T[]
}
