import { Chain, Token } from '@sluice/wire'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answered,
  ETHER,
  ETHEREUM,
  refusalIn,
  SEPOLIA,
  type Tenant,
  toChainId,
  toTokenId,
  USDT,
} from '../../test/support/door.ts'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { upsertEnabled, upsertPaused } from '../orgs/switch-rows.ts'
import { setSwitch } from '../orgs/switches.ts'

const CHAINS = '/organisation/chains'
const TOKENS = '/organisation/tokens'

let desk: Desk
let admin: Signer
let other: Tenant
beforeAll(async () => {
  desk = await openDesk()
  admin = await desk.signer('admin')
  other = await desk.door.found('Other')
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.door.harness.clock.advance(60_000)
})

const chain = (enabled: unknown, as: Signer = admin) =>
  as.ask(CHAINS, 'PATCH', { chainId: ETHEREUM, enabled })
const token = (enabled: unknown, tokenId = ETHER) =>
  admin.ask(TOKENS, 'PATCH', { tokenId, enabled })
const issue = (user: string, key = desk.door.a.key, tokenId = ETHER) =>
  desk.door.ask(`/payments/deposit-address?chainId=${ETHEREUM}&tokenId=${tokenId}&userId=${user}`, {
    key,
  })
const byOperator = (subject: string, enabled: boolean) => {
  const decision = { orgId: desk.orgId, subject: toTokenId(subject), enabled, actor: 'cli:test' }
  return desk.database.transaction((tx) => setSwitch(tx, decision))
}
const decisions = async () =>
  (await desk.database.transaction((tx) => listAudit(tx, { orgId: desk.orgId }))).filter(
    ({ action }) => action === 'switch.set',
  )

describe('PATCH /organisation/chains', () => {
  test('stops new addresses and withdrawals of one organization until it is on again', async () => {
    const off = await chain(false)
    expect(off).toMatchObject({
      status: 200,
      json: {
        chain: {
          id: ETHEREUM,
          enabled: false,
          enabledByOperator: true,
          enabledByOrganization: false,
        },
      },
    })
    expect(Value.Check(Chain, off.json['chain'])).toBe(true)
    expect(refusalIn(await issue('late')).error).toBe('CHAIN_NOT_ENABLED')
    expect(refusalIn(await desk.create()).error).toBe('CHAIN_NOT_ENABLED')
    expect((await issue('late', other.key)).status).toBe(201)
    const { chains } = (await desk.door.ask('/chains')).json as { chains: Chain[] }
    expect(chains.map(({ id }) => id)).not.toContain(ETHEREUM)
    expect((await desk.door.ask(`/chains/${ETHEREUM}`)).json).toEqual(off.json)
    expect((await chain(true)).json).toMatchObject({ chain: { enabled: true } })
    expect((await issue('late')).status).toBe(201)
    expect((await decisions()).slice(0, 2)).toMatchObject(
      [true, false].map((enabled) => ({
        actor: `user:${admin.userId}`,
        object: ETHEREUM,
        details: { enabled },
      })),
    )
  })

  test('keeps the deposits to existing addresses and pays existing withdrawals', async () => {
    const { json } = await issue('early')
    const address = /0x[0-9a-fA-F]{40}/.exec(JSON.stringify(json))?.[0] ?? ''
    const id = await desk.created()
    expect((await chain(false)).status).toBe(200)
    await desk.door.pay(address, [7n])
    const { json: listed } = await desk.door.ask('/payments?userId=early')
    expect(listed['payments']).toMatchObject([{ amount: '7', status: 'Detected' }])
    await desk.tick()
    expect(await desk.read(id)).toMatchObject({ status: 'Processing' })
    await desk.settle(id, true)
    expect(await desk.read(id)).toMatchObject({ status: 'Completed' })
    expect((await chain(true)).status).toBe(200)
  })

  test('cannot switch on what the operator has switched off', async () => {
    await byOperator(ETHEREUM, false)
    for (const enabled of [false, true]) {
      const shown = { enabled: false, enabledByOperator: false, enabledByOrganization: enabled }
      expect((await chain(enabled)).json).toMatchObject({ chain: shown })
      expect(refusalIn(await issue('early')).error).toBe('CHAIN_NOT_ENABLED')
      await desk.door.harness.clock.advance(60_000)
    }
    await chain(false)
    await byOperator(ETHEREUM, true)
    expect((await desk.door.ask(`/chains/${ETHEREUM}`)).json).toMatchObject({
      chain: { enabled: false, enabledByOperator: true, enabledByOrganization: false },
    })
    await desk.door.harness.clock.advance(60_000)
    expect((await chain(true)).json).toMatchObject({ chain: { enabled: true } })
  })

  test('uses a code up only if the switch changes', async () => {
    const before = await decisions()
    const totpCode = await admin.code()
    const send = (enabled: boolean) =>
      desk.door.ask(CHAINS, {
        key: null,
        method: 'PATCH',
        headers: { authorization: admin.authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ chainId: SEPOLIA, enabled, totpCode }),
      })
    expect((await send(true)).status).toBe(200)
    expect(await decisions()).toEqual(before)
    expect((await send(false)).status).toBe(200)
    expect(refusalIn(await send(true))).toMatchObject({ error: 'INVALID_TOTP', statusCode: 401 })
    expect(await decisions()).toHaveLength(before.length + 1)
  })

  test('writes one entry for a decision that is sent twenty times at once', async () => {
    const before = await decisions()
    const body = JSON.stringify({ tokenId: USDT, enabled: false })
    const headers = { 'content-type': 'application/json' }
    const sent: Promise<Answered>[] = Array.from({ length: 20 }, () =>
      desk.door.ask(TOKENS, { method: 'PATCH', headers, body }),
    )
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200)
    expect(await decisions()).toHaveLength(before.length + 1)
    expect((await token(true, USDT)).json).toMatchObject({ token: { enabled: true } })
  })

  test.each([
    ['eip155:2', true, 'INVALID_CHAIN', { providedChainId: 'eip155:2' }],
    ['', true, 'INVALID_CHAIN', {}],
    [ETHEREUM, 'off', 'BAD_REQUEST', {}],
    [ETHEREUM, null, 'BAD_REQUEST', {}],
    [undefined, true, 'BAD_REQUEST', {}],
    [ETHEREUM, undefined, 'BAD_REQUEST', {}],
  ] as const)('refuses chain %j set to %j with %s', async (chainId, enabled, error, details) => {
    const before = await decisions()
    const answer = await admin.ask(CHAINS, 'PATCH', { chainId, enabled })
    expect(refusalIn(answer)).toMatchObject({ error, details })
    expect(await decisions()).toEqual(before)
  })
})

describe('PATCH /organisation/tokens', () => {
  test('stops one token, and leaves the chain and its other tokens', async () => {
    const off = await token(false)
    expect(off).toMatchObject({ status: 200, json: { token: { id: ETHER, enabled: false } } })
    expect(Value.Check(Token, off.json['token'])).toBe(true)
    expect(refusalIn(await issue('early')).error).toBe('TOKEN_NOT_ENABLED')
    expect(refusalIn(await desk.create()).error).toBe('TOKEN_NOT_ENABLED')
    expect((await issue('early', desk.door.a.key, USDT)).status).toBe(200)
    expect((await token(true)).json).toMatchObject({ token: { enabled: true } })
    expect((await issue('early')).status).toBe(200)
  })

  test('cannot switch on a token that only the operator enables', async () => {
    const rare = desk.door.deps.catalogue.tokens.find(
      ({ chainId, enabledByDefault }) => chainId === ETHEREUM && !enabledByDefault,
    )
    const answer = await token(true, rare?.id ?? '')
    expect(answer.json).toMatchObject({
      token: { enabled: false, enabledByOperator: false, enabledByOrganization: true },
    })
  })

  test('accepts a token in lower case, and refuses an unknown token', async () => {
    const [, contract = ''] = USDT.split(':0x')
    const written = USDT.replace(contract, contract.toLowerCase())
    expect((await token(false, written)).json).toMatchObject({ token: { id: USDT } })
    expect((await token(true, written)).json).toMatchObject({ token: { enabled: true } })
    const unknown = `${ETHEREUM}/erc20:0x${'0'.repeat(40)}`
    expect(refusalIn(await token(false, unknown))).toMatchObject({
      error: 'INVALID_TOKEN',
      statusCode: 422,
      details: { tokenId: unknown },
    })
  })
})

describe('the role of the database', () => {
  const decision = { subject: toChainId(SEPOLIA), enabled: true, paused: false }

  test('of requests cannot write the decision of the operator', async () => {
    const { orgId } = desk
    const write = desk.database.forOrg(orgId, (tx) => upsertEnabled(tx, { orgId, ...decision }))
    await expect(write).rejects.toThrow('permission denied')
  })

  test('of commands cannot write the decision of an organization', async () => {
    const { orgId } = desk
    const write = desk.database.transaction((tx) => upsertPaused(tx, { orgId, ...decision }))
    await expect(write).rejects.toThrow('permission denied')
  })

  test('of requests cannot write the decision of another organization [S09]', async () => {
    const { orgId } = other
    const write = desk.database.forOrg(desk.orgId, (tx) => upsertPaused(tx, { orgId, ...decision }))
    await expect(write).rejects.toThrow('row-level security')
  })
})
