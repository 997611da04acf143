import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answered,
  type Door,
  ETHER,
  ETHEREUM,
  listenLow,
  openDoor,
  refusalIn,
  sendRaw,
  USDT,
} from '../../test/support/door.ts'

const NUL = '\u0000'

let door: Door
let origin: string

beforeAll(async () => {
  door = await openDoor()
  origin = await listenLow(door)
})
afterAll(() => door.close())

function issue(query: Record<string, string>): Promise<Answered> {
  const whole = { chainId: ETHEREUM, tokenId: ETHER, userId: 'ann', ...query }
  return door.ask(`/payments/deposit-address?${new URLSearchParams(whole).toString()}`)
}

const CHAIN_IDS = [
  '',
  ' ',
  'eip155',
  'eip155:',
  ':1',
  'eip155:01',
  'eip155:0x1',
  'eip155:1/',
  'eip155:1 ',
  ' eip155:1',
  'eip155:1\n',
  `eip155:1${NUL}`,
  NUL,
  'EIP155:1',
  'Eip155:1',
  'eip155;1',
  'eip155%3A1',
  'eip155:１',
  'eip155:١',
  'еip155:1',
  'eip155:1,eip155:56',
  'eip155:99999999999999999999',
  'eip155:-1',
  'eip155:1e0',
  'eip155:5',
  'eip155:31337',
  'bip122:1',
  'bip122:000000000019D6689C085AE165831E93',
  'tron:0x0',
  'tron:mainnet',
  'xrpl:0',
  'XRPL:mainnet',
  'xrpl:main',
  'solana:mainnet',
  'cosmos:cosmoshub-4',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  '[object Object]',
  '../eip155:1',
  "eip155:1' or '1'='1",
  'eip155:1; drop table accounts',
  '${jndi:ldap://x}',
  '<script>',
  '%00',
  '\u202Eeip155:1',
  'eip155:1\u200B',
  '\uFEFFeip155:1',
  '\u{1F600}',
  'x'.repeat(5_000),
]

const TOKEN_IDS = [
  '',
  ' ',
  'ETH',
  'eip155:1',
  'eip155:1/',
  'eip155:1/slip44',
  'eip155:1/slip44:',
  'eip155:1/slip44:0',
  'eip155:1/slip44:61',
  'eip155:1/slip44:060',
  'eip155:1/slip44:60 ',
  'eip155:1/SLIP44:60',
  'EIP155:1/slip44:60',
  'eip155:01/slip44:60',
  'eip155:2/slip44:60',
  `eip155:1/slip44:60${NUL}`,
  'eip155:1/erc20:',
  'eip155:1/erc20:0x',
  'eip155:1/erc20:0x0',
  'eip155:1/erc20:0x0000000000000000000000000000000000000000',
  'eip155:1/erc20:0xDAC17F958D2ee523a2206206994597C13D831ec7',
  'eip155:1/erc20:dAC17F958D2ee523a2206206994597C13D831ec7',
  'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec70',
  'eip155:1/erc721:0xdAC17F958D2ee523a2206206994597C13D831ec7',
  'eip155:1/trc20:0xdAC17F958D2ee523a2206206994597C13D831ec7',
  'eip155:1//erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7',
  `${USDT}/1`,
  `${USDT}\n`,
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '\u{1F600}',
  'x'.repeat(5_000),
]

describe('bad ids', () => {
  test.each(CHAIN_IDS)('an invalid chain id is refused: %j [V06]', async (chainId) => {
    const details = { providedChainId: chainId.slice(0, 100) }
    const expected = { error: 'INVALID_CHAIN', statusCode: 422, details }
    expect(refusalIn(await issue({ chainId }))).toMatchObject(expected)
    const encoded = encodeURIComponent(chainId)
    if (chainId !== '' && encoded.length < 4_096)
      expect(refusalIn(await door.ask(`/chains/${encoded}`))).toMatchObject(expected)
    expect(refusalIn(await door.ask(`/tokens?chainId=${encoded}`))).toMatchObject(expected)
    for (const list of ['/payments', '/accounts', '/payments/ann/deposits'])
      expect(refusalIn(await door.ask(`${list}?chainId=${encoded}`))).toMatchObject({
        error: 'BAD_REQUEST',
        statusCode: 400,
        details: { field: 'chainId' },
      })
  })

  test.each(TOKEN_IDS)('an invalid token id is refused: %j [V06]', async (tokenId) => {
    expect(refusalIn(await issue({ tokenId }))).toMatchObject({
      error: 'INVALID_TOKEN',
      statusCode: 422,
    })
  })

  test('refused ids leave no rows [V06]', async () => {
    const other = await openDoor()
    const path = '/payments/deposit-address'
    for (const id of CHAIN_IDS.map(encodeURIComponent))
      await other.ask(`${path}?chainId=${id}&tokenId=${ETHER}&userId=ann`)
    for (const id of TOKEN_IDS.map(encodeURIComponent))
      await other.ask(`${path}?chainId=${ETHEREUM}&tokenId=${id}&userId=ann`)
    for (const table of ['accounts', 'watched_addresses', 'wallets', 'events'])
      expect(await other.count(table)).toBe(0)
    await other.close()
  })

  test('spellings of a contract with a valid checksum are the same token [V06]', async () => {
    const first = await issue({ userId: 'case', tokenId: USDT })
    for (const tokenId of [
      USDT.toLowerCase(),
      `${USDT.slice(0, 17)}${USDT.slice(17).toUpperCase()}`,
    ]) {
      const again = await issue({ userId: 'case', tokenId })
      expect([again.status, again.json]).toEqual([200, first.json])
    }
  })

  test.each([
    'chainId=eip155:1&chainId=eip155:1',
    'chainId=eip155:1&chainId=eip155:56',
    'chainId[]=eip155:1',
    'chainId[0]=eip155:1',
    'chainId[$ne]=x',
    'chainId%5B%5D=eip155:1',
    'chainId.x=eip155:1',
  ])('a repeated parameter or a list is refused: %s [V06]', async (chain) => {
    const path = `/payments/deposit-address?${chain}&tokenId=${ETHER}&userId=ann`
    expect(refusalIn(await door.ask(path))).toMatchObject({
      error: 'BAD_REQUEST',
      details: { field: 'chainId' },
    })
  })
})

const EMOJI = '\u{1F600}'
const GOOD_USERS = [
  'a',
  'x'.repeat(255),
  EMOJI.repeat(255),
  '\u05D0\u05D1',
  'a\u202Eb',
  '../../etc/passwd',
  'a/b',
  'a\\b',
  '%00',
  '%2e%2e%2f',
  "'; drop table accounts; --",
  '$$',
  '__proto__',
  'constructor',
  'null',
  '?a=b&c=d#e',
  ' a ',
  'a+b',
  'caf\u00E9',
  'cafe\u0301',
  '\uE000',
]
const BAD_USERS = [
  '',
  ' ',
  '\u00A0\u2003',
  'x'.repeat(256),
  EMOJI.repeat(256),
  'x'.repeat(3_000),
  NUL,
  `a${NUL}`,
  'a\tb',
  'a\nb',
  '\r',
  '\u001B[0m',
  '\u007F',
  '\u0085',
  '\u009F',
]

describe('external user ids', () => {
  test.each(GOOD_USERS)(
    'are accepted unchanged in the query and the path: %j [V07]',
    async (userId) => {
      const made = await issue({ userId })
      expect([made.status, made.json['address']]).toMatchObject([201, { externalUserId: userId }])
      await door.pay(addressIn(made), [5n])
      const list = await door.ask(`/payments/${encodeURIComponent(userId)}/deposits`)
      expect(list.json).toMatchObject({ deposits: [{ externalUserId: userId, amount: '5' }] })
      const filtered = await door.ask(`/payments?${new URLSearchParams({ userId }).toString()}`)
      expect(filtered.json['payments']).toEqual(list.json['deposits'])
      const accounts = await door.ask(`/accounts?${new URLSearchParams({ userId }).toString()}`)
      expect(accounts.json).toEqual({ accounts: [made.json['address']] })
    },
  )

  test('may be a dot or two dots in the path [V07]', async () => {
    for (const userId of ['.', '..']) {
      await door.pay(addressIn(await issue({ userId })), [5n])
      for (const segment of [userId, userId.replaceAll('.', '%2e')]) {
        const path = `/payments/${segment}/deposits`
        const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${door.a.key}`
        const text = await sendRaw(origin, head)
        expect(text).toMatch(/^HTTP\/1\.1 200 /)
        expect(text).toContain(`"externalUserId":"${userId}"`)
      }
      // Clients that follow the URL standard cannot send such a path; they use the query.
      expect(new URL('/payments/%2e%2e/deposits', origin).pathname).toBe('/deposits')
      const { json } = await door.ask(`/payments?userId=${userId}`)
      expect(json['payments']).toMatchObject([{ externalUserId: userId }])
    }
  })

  test.each(BAD_USERS)('are refused with INVALID_USER_ID: %j [V07]', async (userId) => {
    const before = await door.count('accounts')
    const expected = { error: 'INVALID_USER_ID', statusCode: 422 }
    expect(refusalIn(await issue({ userId }))).toMatchObject(expected)
    const encoded = encodeURIComponent(userId)
    for (const list of ['/payments', '/accounts'])
      expect(refusalIn(await door.ask(`${list}?userId=${encoded}`))).toMatchObject(expected)
    if (userId !== '')
      expect(refusalIn(await door.ask(`/payments/${encoded}/deposits`))).toMatchObject(expected)
    expect(await door.count('accounts')).toBe(before)
  })

  test('in a malformed path are a bad request [V07]', async () => {
    const answer = await door.ask(`/payments/${'x'.repeat(4_097)}/deposits`)
    expect(refusalIn(answer)).toMatchObject({ error: 'BAD_REQUEST', details: { field: 'path' } })
  })
})

const PATHS = ['/payments', '/payments/ann/deposits', '/payments/deposit-address', '/accounts']
const MORE_PATHS = [
  '/chains',
  '/chains/eip155:1',
  '/tokens',
  '/organisation',
  '/users',
  '/users/ann',
  '/nope',
  '/',
]
const NAMES = ['chainId', 'tokenId', 'userId', 'limit', 'cursor', 'status', 'from', 'to', 'address']
const VALUES = [
  ETHEREUM,
  ETHER,
  USDT,
  'ann',
  '1',
  'true',
  '2026-01-01',
  '',
  '%00',
  '%ff',
  'Detected',
]
const JUNK = ['/', '?', '&', '=', '[]', '%', '%2F', '..', ';', '#', "'", '"', '\\', '//', ':']

describe('random requests', () => {
  const junk = fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.constantFrom(...JUNK) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  )
  const name = fc.constantFrom(...NAMES, 'txnHash', 'enabledOnly', 'unknown')
  const value = fc.constantFrom(...VALUES)
  const pair = fc.tuple(name, junk, value, junk).map(([n, a, v, b]) => `${n}${a}=${v}${b}`)
  const paths = fc
    .tuple(fc.constantFrom(...PATHS, ...MORE_PATHS), junk, fc.array(pair, { maxLength: 4 }))
    .map(([path, more, pairs]) => `${path}${more}?${pairs.join('&')}`)

  test('get a documented status without internal details [S17]', async () => {
    const statuses = new Set<string>()
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const line = `GET ${path.replaceAll(/[\r\n]/g, '')} HTTP/1.1`
        const text = await sendRaw(origin, `${line}\r\nHost: x\r\nx-api-key: ${door.a.key}`)
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? ''
        statuses.add(status)
        expect(['200', '201', '400', '404', '422']).toContain(status)
        if (!status.startsWith('2')) expect(text).toMatch(/\{"error":"[A-Z_]+","message":"/)
        expect(text).not.toMatch(/\bselect\b|node_modules|\.ts:\d|postgres/i)
      }),
      { numRuns: 1_000 },
    )
    expect([...statuses].sort()).toEqual(expect.arrayContaining(['200', '400', '404']))
  })
})

function addressIn({ json }: Answered): string {
  return parseAddressIn(json)
}

function parseAddressIn(json: Record<string, unknown>): string {
  const { address } = json as { address: { properties: { address: string } } }
  return address.properties.address
}
