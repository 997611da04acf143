import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { SeededRandom, silentLog } from '../../test/support/clock.ts'
import { openCatalogue } from '../catalogue/find.ts'
import { type OperatorToken, operatorToken } from '../catalogue/operator-token.ts'
import {
  readChecksInForce,
  recordTokenCheck,
  resumeToken,
  suspendToken,
} from '../catalogue/token-check.ts'
import type { ChainReader } from '../chains/chain-adapter.ts'
import type { TokenFacts } from '../chains/port.ts'
import { type Chains, openChains } from '../chains/registry.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from '../orgs/create-organization.ts'
import { setSwitch } from '../orgs/switches.ts'
import { parseChain, parseToken } from '../../test/adapters/brands.ts'
import { watchTokens } from './token-watch.ts'

const CHAIN = parseChain('eip155:11155111')
const OWN = parseToken(`${CHAIN}/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3`)
const OTHER = parseToken(`${CHAIN}/erc20:0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512`)

const SERVICE_KEY = openServiceKey({
  key: new Uint8Array(32).fill(7),
  random: new SeededRandom('tokens'),
})

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('alerts of a token are resolved when the configuration no longer lists it', async () => {
  await mismatch(OWN)
  await mismatch(OTHER)
  await tick([OWN, OTHER])
  expect(await open()).toEqual([`token.mismatch ${OWN}`, `token.mismatch ${OTHER}`])
  expect(await inForce([OWN, OTHER])).toEqual([OWN, OTHER])
  await tick([OTHER])
  expect(await open()).toEqual([`token.mismatch ${OTHER}`])
  expect(await inForce([OTHER])).toEqual([OTHER])
  await tick([], [])
  expect(await open()).toEqual([])
  expect(await inForce([], [])).toEqual([])
})

test('a suspended token has an alert whenever the configuration lists it', async () => {
  const suspended = { tokenId: OWN, chainId: CHAIN, cause: 'it moved 99 for 100' }
  await db.database.transaction(async (tx) => {
    await suspendToken(tx, suspended)
    await raiseAlert(tx, { code: 'token.suspended', subject: OWN, message: suspended.cause })
  })
  await tick([OWN])
  expect(await open()).toEqual([`token.suspended ${OWN}`])
  await tick([])
  expect(await open()).toEqual([])
  await tick([OWN])
  await tick([OWN])
  const [again] = await alerts()
  expect(again).toMatchObject({
    code: 'token.suspended',
    message: `The token ${OWN} is suspended: it moved 99 for 100.`,
    times: 1,
  })
  await db.database.transaction((tx) => resumeToken(tx, { tokenId: OWN }))
  await tick([OWN])
  expect(await open()).toEqual([])
})

test('a contract with other decimals has an alert until they match [O09]', async () => {
  const facts = { decimals: 18, symbol: 'OWN' }
  const asked = async () => {
    await watchTokens({
      database: db.database,
      chains: answering(facts),
      catalogue: catalogueOf([OWN], [{ id: CHAIN, catalogueTokens: false }]),
    })
    return (await alerts()).map(({ code, subject, message }) => ({ code, subject, message }))
  }
  const message = `${OWN}: the contract reports "18 OWN"; the catalogue has "6 OWN".`
  expect(await asked()).toEqual([{ code: 'token.mismatch', subject: OWN, message }])
  facts.decimals = 6
  expect(await asked()).toEqual([])
})

test('catalogue tokens raise no alert unless they are configured or switched on', async () => {
  const catalogue = catalogueOf([])
  const facts = { decimals: 1, symbol: 'NONE' }
  const watch = async (chains: Chains) => {
    await watchTokens({ database: db.database, chains, catalogue })
    return open()
  }
  expect(await watch(answering(facts))).toEqual([])
  const [usdc, usdt] = catalogue.tokensOf(CHAIN).filter(({ native }) => !native)
  if (usdc === undefined || usdt === undefined) throw new Error('no catalogue tokens')
  await db.database.transaction(async (tx) => {
    const draft = { name: 'Acme', actor: 'cli:test', random: new SeededRandom('tokens') }
    const { organization } = await createOrganization(tx, SERVICE_KEY, draft)
    const { id: orgId } = organization
    await setSwitch(tx, { orgId, subject: usdc.id, enabled: true, actor: 'test' })
    const told = { tokenId: usdt.id, chainId: CHAIN, found: '6 USDT' }
    await recordTokenCheck(tx, { ...told, state: 'verified' })
  })
  await db.clock.advance(3_600_000)
  // One token that an organization has switched on, and one that matched the catalogue before.
  expect(await watch(answering(facts))).toEqual(
    [usdc, usdt].map(({ id }) => `token.mismatch ${id}`).toSorted(),
  )
})

test('two contracts with one supply have an alert until one is no longer listed', async () => {
  const watch = (tokens: readonly string[]) =>
    watchTokens({
      database: db.database,
      chains: answering({ decimals: 6, symbol: 'OWN' }, { supplyOf: async () => 900n }),
      catalogue: catalogueOf(tokens, [{ id: CHAIN, catalogueTokens: false }]),
    })
  await tick([])
  await db.database.transaction(async (tx) => {
    for (const tokenId of [OWN, OTHER])
      await recordTokenCheck(tx, { tokenId, chainId: CHAIN, state: 'mismatch', found: '' })
  })
  await watch([OWN, OTHER])
  expect(await open()).toEqual([`token.duplicate ${OWN} ${OTHER}`])
  await db.database.transaction((tx) =>
    recordTokenCheck(tx, { tokenId: OWN, chainId: CHAIN, state: 'mismatch', found: '' }),
  )
  await watch([OWN])
  expect(await open()).toEqual([])
})

/** Nodes whose token contracts all return these facts. */
function answering(facts: TokenFacts, answers: Partial<ChainReader> = {}): Chains {
  const chains = openChains({
    chains: [
      {
        chainId: CHAIN,
        nodes: [{ url: 'http://127.0.0.1:1' }],
        traces: 'off',
        completeness: 'logs',
        timeoutMs: 1_000,
        finalityTag: true,
      },
    ],
    clock: db.clock,
    random: new SeededRandom('tokens'),
    log: silentLog(),
  })
  const inspectToken = async () => facts
  const adapters = chains.all().map((one) => ({ ...one, inspectToken, ...answers }))
  const get = (id: string) => adapters.find(({ chainId }) => chainId === id) ?? null
  return { get, all: () => adapters, close: () => chains.close() }
}

/** One run of the loop with these tokens in the configuration and without nodes. */
async function tick(tokens: readonly string[], chains = [{ id: CHAIN }]): Promise<void> {
  const none = { all: () => [], get: () => null, close: async () => undefined }
  await watchTokens({
    database: db.database,
    chains: none,
    catalogue: catalogueOf(tokens, chains),
  })
}

function catalogueOf(
  tokens: readonly string[],
  chains: { id: typeof CHAIN; catalogueTokens?: boolean }[] = [{ id: CHAIN }],
) {
  const entries = tokens.map((id) => {
    const draft: OperatorToken = { id, name: 'Own', symbol: 'OWN', decimals: 6 }
    const entry = operatorToken(draft)
    if ('problem' in entry) throw new Error(entry.problem)
    return entry
  })
  return openCatalogue({ chains, tokens: entries })
}

async function mismatch(tokenId: typeof OWN): Promise<void> {
  await db.database.transaction(async (tx) => {
    await recordTokenCheck(tx, { tokenId, chainId: CHAIN, state: 'mismatch', found: '18 OWN' })
    await raiseAlert(tx, { code: 'token.mismatch', subject: tokenId, message: '18, not 6' })
  })
}

async function inForce(tokens: readonly string[], chains = [{ id: CHAIN }]): Promise<string[]> {
  const checks = await db.database.transaction((tx) =>
    readChecksInForce(tx, catalogueOf(tokens, chains)),
  )
  return checks.map(({ tokenId }) => tokenId)
}

const alerts = () => db.database.transaction((tx) => listAlerts(tx, { open: true }))

async function open(): Promise<string[]> {
  return (await alerts()).map(({ code, subject }) => `${code} ${subject}`).toSorted()
}
