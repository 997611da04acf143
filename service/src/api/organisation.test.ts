import { Chain, Organization, Token } from '@sluice/wire'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  refusalIn,
  SEPOLIA,
  toChainId,
  UNREACHED,
  USDT,
  WITHOUT_NODES,
} from '../../test/support/door.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { setSwitch } from '../orgs/switches.ts'

const WEBHOOK = '/organisation/webhook'

let door: Door

beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

const patch = (path: string, body?: unknown) =>
  door.ask(path, {
    method: 'PATCH',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

describe('GET /organisation', () => {
  test('returns the organization of section 2.7, not wrapped', async () => {
    const { status, json } = await door.ask('/organisation')
    expect(status).toBe(200)
    expect(Value.Check(Organization, json)).toBe(true)
    expect(json).toEqual({
      id: door.a.orgId,
      name: 'Alpha',
      webhookUrl: '',
      webhookSigningSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      minWithdrawalSigners: 1,
      minHumanApprovals: 0,
      permissions: [
        'read',
        'issueAddresses',
        'createWithdrawals',
        'configure',
        'sendEvents',
        'acknowledgeAlerts',
      ],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
  })
})

describe('PATCH /organisation/webhook', () => {
  test('sets the URL, and the audit log has the user', async () => {
    const webhookUrl = 'https://hooks.example.org/sluice?a=1'
    const answer = await patch(WEBHOOK, { webhookUrl })
    expect([answer.status, answer.json]).toEqual([200, {}])
    expect((await door.ask('/organisation')).json).toMatchObject({ webhookUrl })
    const audit = await door.harness.database.transaction((tx) =>
      listAudit(tx, { orgId: door.a.orgId }),
    )
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'webhook.set', actor: expect.stringMatching(/^user:/) }),
    )
  })

  test.each([
    '',
    ' ',
    'x',
    'http://example.org/',
    'ftp://example.org/',
    'javascript:alert(1)',
    'https://',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user:password@example.org/',
    'https://example.org:22/',
    'https://example.org\\@127.0.0.1/',
    'https://exa mple.org/',
    'https://example.org/\u0000',
    'https://example.org/\ud800',
    `https://example.org/${'x'.repeat(3_000)}`,
    '__proto__',
  ])('refuses with INVALID_WEBHOOK_URL, and keeps the URL: %j [H01]', async (webhookUrl) => {
    const before = (await door.ask('/organisation')).json['webhookUrl']
    expect(refusalIn(await patch(WEBHOOK, { webhookUrl }))).toMatchObject({
      error: 'INVALID_WEBHOOK_URL',
      statusCode: 422,
      details: { reason: expect.any(String) },
    })
    expect((await door.ask('/organisation')).json['webhookUrl']).toBe(before)
  })

  test('refuses a name that currently resolves to a private address [H01]', async () => {
    const other = await openDoor({ resolve: async () => ['93.184.215.14', '10.0.0.1'] })
    const answer = await other.ask(WEBHOOK, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"webhookUrl":"https://hooks.example.org/"}',
    })
    expect(refusalIn(answer).details).toMatchObject({ reason: 'NOT_A_PUBLIC_ADDRESS' })
    await other.close()
  })
})

describe('PATCH /organisation/webhook/signing-secret', () => {
  test('returns a new secret, which becomes the current secret [H09]', async () => {
    const { webhookSigningSecret: before, updatedAt } = (await door.ask('/organisation')).json
    await door.harness.clock.advance(1_000)
    const { status, json } = await patch(`${WEBHOOK}/signing-secret`)
    expect(status).toBe(200)
    expect(json).toEqual({ webhookSigningSecret: expect.stringMatching(/^whsec_.{44}$/) })
    const now = (await door.ask('/organisation')).json
    expect(now['webhookSigningSecret']).toBe(json['webhookSigningSecret'])
    expect(now['webhookSigningSecret']).not.toBe(before)
    expect(Date.parse(String(now['updatedAt']))).toBe(Date.parse(String(updatedAt)) + 1_000)
  })

  test('leaves one current secret after twenty concurrent calls [H09]', async () => {
    const path = `${WEBHOOK}/signing-secret`
    const given = await Promise.all(Array.from({ length: 20 }, () => patch(path)))
    const secrets = given.map(({ json }) => json['webhookSigningSecret'])
    expect(new Set(secrets).size).toBe(20)
    expect(secrets).toContain((await door.ask('/organisation')).json['webhookSigningSecret'])
  })
})

describe('GET /chains', () => {
  const idsOf = async (query: string) => {
    const { chains } = parseChains((await door.ask(`/chains${query}`)).json)
    for (const chain of chains) expect(Value.Check(Chain, chain)).toBe(true)
    return chains.map(({ id }) => id)
  }

  test('returns enabled chains, and all eleven on request', async () => {
    expect(await idsOf('')).toEqual([ETHEREUM, UNREACHED, SEPOLIA])
    expect(await idsOf('?enabledOnly=true')).toEqual([ETHEREUM, UNREACHED, SEPOLIA])
    expect(await idsOf('?enabledOnly=false')).toHaveLength(11)
  })

  test.each(['', 'maybe', 'TRUE', '1', '0', 'no', '%00'])(
    'enabledOnly=%s is a bad request, on chains and tokens [V06]',
    async (value) => {
      for (const path of ['/chains', '/tokens'])
        expect(refusalIn(await door.ask(`${path}?enabledOnly=${value}`))).toMatchObject({
          error: 'BAD_REQUEST',
          details: { field: 'enabledOnly' },
        })
    },
  )

  test('returns a chain of section 2.5, its id plain or encoded, enabled or not', async () => {
    const expected = {
      id: ETHEREUM,
      name: 'Ethereum',
      namespace: 'eip155',
      reference: '1',
      enabled: true,
      enabledByOperator: true,
      enabledByOrganization: true,
      isTestnet: false,
      properties: {
        nativeCurrency: 'ETH',
        decimals: 18,
        blockTimeSeconds: 12,
        requiredConfirmations: 12,
        carriesMemo: false,
        explorer: {
          tx: 'https://etherscan.io/tx/{hash}',
          address: 'https://etherscan.io/address/{address}',
        },
      },
    }
    for (const path of ['/chains/eip155:1', '/chains/eip155%3A1', '/chains/%65ip155%3a1'])
      expect((await door.ask(path)).json).toEqual({ chain: expected })
    const off = await door.ask(`/chains/${WITHOUT_NODES}`)
    expect(off.json).toMatchObject({ chain: { id: WITHOUT_NODES, enabled: false } })
  })
})

describe('GET /tokens', () => {
  const tokensOf = async (query: string, key = door.a.key) => {
    const { tokens } = parseTokens((await door.ask(`/tokens${query}`, { key })).json)
    for (const token of tokens) expect(Value.Check(Token, token)).toBe(true)
    return tokens
  }

  test('returns enabled tokens of section 2.6: verified ones and the native currency', async () => {
    const tokens = await tokensOf(`?chainId=${ETHEREUM}`)
    expect(tokens.map(({ id }) => id)).toEqual([ETHER, USDT])
    expect(tokens[1]).toEqual({
      id: USDT,
      chainId: ETHEREUM,
      name: 'Tether USD',
      symbol: 'USDT',
      decimals: 6,
      address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      enabled: true,
      enabledByOperator: true,
      enabledByOrganization: true,
      minimumAmount: '1',
      properties: { maximumWithdrawalAmount: null },
    })
  })

  test('returns all tokens of a chain, or of all chains, on request', async () => {
    const all = await tokensOf('?enabledOnly=false')
    const here = await tokensOf(`?enabledOnly=false&chainId=${ETHEREUM}`)
    expect(all.length).toBe(door.deps.catalogue.tokens.length)
    expect(here.length).toBe(door.deps.catalogue.tokensOf(ETHEREUM).length)
    expect(here.filter(({ enabled }) => enabled).map(({ id }) => id)).toEqual([ETHER, USDT])
    expect(await tokensOf(`?chainId=${WITHOUT_NODES}`)).toEqual([])
  })

  test('follows the switches of the calling organization', async () => {
    const { orgId, key } = await door.found('Switches')
    await door.harness.database.transaction((tx) =>
      setSwitch(tx, { orgId, subject: toChainId(ETHEREUM), enabled: false, actor: 'cli:test' }),
    )
    expect(await tokensOf(`?chainId=${ETHEREUM}`, key)).toEqual([])
    expect(await tokensOf(`?chainId=${ETHEREUM}`)).toHaveLength(2)
    const { json } = await door.ask(`/chains/${ETHEREUM}`, { key })
    expect(json).toMatchObject({ chain: { enabled: false } })
  })
})

function parseChains(json: Record<string, unknown>): { chains: Chain[] } {
  return json as { chains: Chain[] }
}

function parseTokens(json: Record<string, unknown>): { tokens: Token[] } {
  return json as { tokens: Token[] }
}
