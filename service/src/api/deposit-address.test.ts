import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answered,
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  refusalIn,
  SEPOLIA,
  SEPOLIA_ETHER,
  toChainId,
  toTokenId,
  UNREACHED,
  USDT,
  WITHOUT_NODES,
} from '../../test/support/door.ts'
import { setCondition } from '../catalogue/chain-state.ts'
import { suspendToken } from '../catalogue/token-check.ts'
import { setSwitch } from '../orgs/switches.ts'

const NUL = '\u0000'
/** In the catalogue, and never checked on its chain. */
const UNVERIFIED = 'eip155:11155111/erc20:0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'

let door: Door

beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

type Query = Partial<Record<'chainId' | 'tokenId' | 'userId', string>>

function issue(query: Query, key?: string): Promise<Answered> {
  const whole = { chainId: ETHEREUM, tokenId: ETHER, userId: 'ann', ...query }
  const text = new URLSearchParams(Object.entries(whole).filter(([, value]) => value !== OMIT))
  return door.ask(`/payments/deposit-address?${text.toString()}`, key === undefined ? {} : { key })
}

const OMIT = 'left out'

describe('GET /payments/deposit-address', () => {
  test('returns an account of section 2.4 with 201, or 200 when it exists', async () => {
    const first = await issue({ userId: 'shape' })
    expect(first.status).toBe(201)
    expect(first.json).toEqual({
      address: {
        orgId: door.a.orgId,
        chainId: ETHEREUM,
        externalUserId: 'shape',
        orgDepositAccountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        properties: { address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    })
    const again = await issue({ userId: 'shape' })
    expect([again.status, again.json]).toEqual([200, first.json])
  })

  test('returns one address for all tokens of a chain, and another on each chain', async () => {
    const ether = await issue({ userId: 'tokens' })
    const token = await issue({ userId: 'tokens', tokenId: USDT })
    expect([token.status, token.json]).toEqual([200, ether.json])
    const other = await issue({ userId: 'tokens', chainId: SEPOLIA, tokenId: SEPOLIA_ETHER })
    expect(other.status).toBe(201)
    expect(addressIn(other)).not.toBe(addressIn(ether))
  })

  test('500 concurrent calls for 250 users create 250 accounts', async () => {
    const tenant = await door.found('Crowd')
    const users = Array.from({ length: 500 }, (_, n) => `crowd-${n % 250}`)
    const answers = await Promise.all(users.map((userId) => issue({ userId }, tenant.key)))
    const made = answers.filter(({ status }) => status === 201)
    expect(answers.filter(({ status }) => status !== 201 && status !== 200)).toEqual([])
    expect(made).toHaveLength(250)
    expect(new Set(answers.map(addressIn)).size).toBe(250)
    const pairs = new Set(answers.map((answer, n) => `${users[n]} ${addressIn(answer)}`))
    expect(pairs.size).toBe(250)
  })

  test.each([
    ['chainId', { chainId: OMIT }],
    ['tokenId', { tokenId: OMIT }],
    ['userId', { userId: OMIT }],
  ])('a request without %s is a bad request that names it [V06]', async (field, query) => {
    expect(refusalIn(await issue(query))).toMatchObject({
      error: 'BAD_REQUEST',
      statusCode: 400,
      details: { field },
    })
  })
})

describe('refusals of deposit-address follow their order', () => {
  /** Each request has all the faults of those below it, and one more. */
  const bad = { userId: NUL }
  test.each([
    ['BAD_REQUEST', 400, { chainId: 'x', tokenId: OMIT, ...bad }],
    ['INVALID_CHAIN', 422, { chainId: 'x', tokenId: 'x', ...bad }],
    ['CHAIN_NOT_ENABLED', 422, { chainId: WITHOUT_NODES, tokenId: 'x', ...bad }],
    ['INVALID_TOKEN', 422, { tokenId: 'x', ...bad }],
    ['INVALID_TOKEN_CHAIN', 422, { tokenId: UNVERIFIED, ...bad }],
    ['SERVICE_UNAVAILABLE', 503, { chainId: SEPOLIA, tokenId: UNVERIFIED, ...bad }],
    ['INVALID_USER_ID', 422, { chainId: UNREACHED, tokenId: `${UNREACHED}/slip44:60`, ...bad }],
    ['SERVICE_UNAVAILABLE', 503, { chainId: UNREACHED, tokenId: `${UNREACHED}/slip44:60` }],
  ])('%s', async (error, statusCode, query) => {
    const before = await door.count('accounts')
    expect(refusalIn(await issue(query))).toMatchObject({ error, statusCode })
    expect(await door.count('accounts')).toBe(before)
  })

  test('details repeat the refused value and the known ones', async () => {
    const chain = refusalIn(await issue({ chainId: 'eip155:2' })).details
    expect(chain).toMatchObject({
      providedChainId: 'eip155:2',
      supportedChains: expect.arrayContaining([ETHEREUM, SEPOLIA]),
    })
    expect(refusalIn(await issue({ tokenId: SEPOLIA_ETHER })).details).toMatchObject({
      tokenId: SEPOLIA_ETHER,
      chainId: ETHEREUM,
      tokenChainId: SEPOLIA,
    })
  })

  test('a contract token is unavailable when its chain was never reached', async () => {
    const token = door.deps.catalogue
      .tokensOf(UNREACHED)
      .find((one) => !one.native && one.enabledByDefault)
    const answer = await issue({ chainId: UNREACHED, tokenId: token?.id ?? '' })
    expect(refusalIn(answer)).toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/not been reached/),
    })
    expect(answer.headers['retry-after']).toBe('5')
  })

  test('a disabled switch affects one organization only, and its existing accounts', async () => {
    const { orgId, key } = await door.found('Switched')
    expect((await issue({}, key)).status).toBe(201)
    const turn = (subject: string, enabled: boolean) =>
      door.harness.database.transaction((tx) =>
        setSwitch(tx, { orgId, subject: toChainId(subject), enabled, actor: 'cli:test' }),
      )
    await turn(ETHER, false)
    expect(refusalIn(await issue({}, key)).error).toBe('TOKEN_NOT_ENABLED')
    expect((await issue({ tokenId: USDT }, key)).status).toBe(200)
    await turn(ETHEREUM, false)
    expect(refusalIn(await issue({ tokenId: USDT }, key)).error).toBe('CHAIN_NOT_ENABLED')
    await turn(ETHER, true)
    await turn(ETHEREUM, true)
    expect((await issue({}, key)).status).toBe(200)
    expect((await issue({ userId: 'switched' })).status).toBe(201)
  })

  test('a halted chain and a suspended token are refused', async () => {
    const other = await openDoor()
    const chainId = toChainId(ETHEREUM)
    const given = { tokenId: toTokenId(USDT), chainId, cause: 'it lied' }
    await other.harness.database.transaction((tx) => suspendToken(tx, given))
    const path = (tokenId: string) =>
      `/payments/deposit-address?chainId=${ETHEREUM}&tokenId=${tokenId}&userId=ann`
    expect(refusalIn(await other.ask(path(USDT))).error).toBe('TOKEN_NOT_ENABLED')
    expect((await other.ask(path(ETHER))).status).toBe(201)
    const stop = (condition: 'frozen' | 'halted') =>
      other.harness.database.transaction((tx) =>
        setCondition(tx, { chainId, condition, cause: 'test' }),
      )
    await stop('frozen')
    expect((await other.ask(path(ETHER))).status).toBe(200)
    await stop('halted')
    expect(refusalIn(await other.ask(path(ETHER))).error).toBe('CHAIN_NOT_ENABLED')
    await other.close()
  })
})

function addressIn({ json }: Answered): string {
  return parseAddressIn(json)
}

function parseAddressIn(json: Record<string, unknown>): string {
  const { address } = json as { address: { properties: { address: string } } }
  return address.properties.address
}
