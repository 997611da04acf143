import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TokenId } from '@sluice/wire'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { TokenFacts } from '../chains/port.ts'
import type { Chains } from '../chains/registry.ts'
import { CHAINS } from './chains.ts'
import { openCatalogue } from './find.ts'
import type { Catalogue } from './find.ts'
import { operatorToken } from './operator-token.ts'
import { readTokenChecks, recordTokenCheck, resumeToken, suspendToken } from './token-check.ts'
import { verifyTokens } from './verify-tokens.ts'
import type { TokenFinding } from './verify-tokens.ts'

const A = 'eip155:11155111/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3'
const B = 'eip155:97/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3'
const HOUR = 3_600_000

describe('verifying tokens', () => {
  let world: TestDatabase
  let catalogue: Catalogue
  let answers: Map<string, TokenFacts | null | Error>
  let asked: string[]

  beforeAll(async () => {
    world = await openTestDatabase()
    catalogue = catalogueWith(6)
  })
  afterAll(() => world.close())
  beforeEach(() => {
    asked = []
    // Every token of the catalogue answers as it should, unless a test says otherwise.
    answers = new Map(
      catalogue.tokens.map(({ id, decimals, symbol }) => [id, { decimals, symbol }]),
    )
  })

  const tick = (which = catalogue) =>
    verifyTokens({ database: world.database, chains: chainsOf(which, answers, asked) }, which)
  const stateOf = async (tokenId: string) => {
    const checks = await world.database.transaction(readTokenChecks)
    return checks.find((check) => check.tokenId === tokenId)
  }

  test('checks every contract token of the chains with nodes, but no native currency', async () => {
    const findings = await tick()
    expect(findings.every((finding) => finding.state === 'verified')).toBe(true)
    const mine = catalogue.tokens.filter(
      (one) => !one.native && catalogue.isConfigured(one.chainId),
    )
    expect(asked.sort()).toEqual(mine.map((token) => token.id).sort())
    expect(await stateOf(A)).toMatchObject({ state: 'verified', found: '6 OWN', suspendedAt: null })
    expect(of(findings, A)).toMatchObject({ before: null, expected: '6 OWN' })
  })

  test('checks a verified token again after an hour', async () => {
    expect(await tick()).toEqual([])
    expect(asked).toEqual([])
    await world.clock.advance(HOUR)
    expect(await tick()).not.toEqual([])
    expect(asked).toContain(A)
  })

  test('finds a token with other decimals or another symbol [E10]', async () => {
    await world.clock.advance(HOUR)
    answers.set(A, { decimals: 18, symbol: 'OWN' })
    answers.set(B, { decimals: 6, symbol: 'FAKE' })
    const findings = await tick()
    expect(of(findings, A)).toMatchObject({ state: 'mismatch', found: '18 OWN' })
    expect(of(findings, B)).toMatchObject({
      state: 'mismatch',
      found: '6 FAKE',
      before: 'verified',
    })
    expect(await stateOf(A)).toMatchObject({ state: 'mismatch', found: '18 OWN' })
  })

  test('checks a mismatch at every tick, and verifies it when it agrees', async () => {
    answers.set(B, null)
    const findings = await tick()
    expect(findings.map((finding) => finding.tokenId).sort()).toEqual([A, B].sort())
    expect(of(findings, A)).toMatchObject({ state: 'verified', before: 'mismatch' })
    expect(of(findings, B)).toMatchObject({ state: 'mismatch', found: 'no token' })
    answers.set(B, { decimals: 6, symbol: 'OWN' })
    await tick()
    expect((await stateOf(B))?.state).toBe('verified')
  })

  test('accepts another known symbol, USDT0 for USDT on Polygon', async () => {
    const polygon = openCatalogue({ chains: chainIds('eip155:137'), tokens: [] })
    const usdt = polygon.tokens.find((one) => one.name === 'Tether USD (USDT0)')?.id ?? ''
    for (const { id, decimals, symbol } of polygon.tokens) answers.set(id, { decimals, symbol })
    answers.set(usdt, { decimals: 6, symbol: 'USDT0' })
    expect(of(await tick(polygon), usdt)).toMatchObject({ state: 'verified', found: '6 USDT0' })
    expect(await tick(polygon)).toEqual([])
  })

  test('keeps a token verified during an outage, and checks it again', async () => {
    await world.clock.advance(HOUR)
    answers.set(A, new Outage('node', 'refused'))
    expect(of(await tick(), A)).toMatchObject({ state: 'unreachable', before: 'verified' })
    expect((await stateOf(A))?.state).toBe('verified')
    expect((await tick()).map((finding) => finding.tokenId)).toEqual([A])
    answers.set(A, { decimals: 6, symbol: 'OWN' })
    expect(of(await tick(), A)?.state).toBe('verified')
    expect(await tick()).toEqual([])
  })

  test('keeps a mismatch during an outage', async () => {
    answers.set(A, { decimals: 7, symbol: 'OWN' })
    await world.clock.advance(HOUR)
    await tick()
    answers.set(A, new Outage('node', 'refused'))
    await tick()
    expect((await stateOf(A))?.state).toBe('mismatch')
  })

  test('verifies the tokens of other chains when one chain has an outage', async () => {
    await world.clock.advance(HOUR)
    for (const token of catalogue.tokensOf('eip155:97'))
      answers.set(token.id, new Outage('node', 'refused'))
    const findings = await tick()
    expect(of(findings, B)?.state).toBe('unreachable')
    expect(of(findings, A)?.state).toBe('verified')
  })

  test('checks at once when the configuration has changed', async () => {
    const changed = catalogueWith(8)
    expect(of(await tick(changed), A)).toMatchObject({ state: 'mismatch', expected: '8 OWN' })
    expect((await stateOf(A))?.state).toBe('mismatch')
  })

  test('stores only a short, printable part of a symbol', async () => {
    answers.set(A, { decimals: 6, symbol: `\u0000\n<b>${'x'.repeat(500)}` })
    const finding = of(await tick(), A)
    expect(finding?.state).toBe('mismatch')
    expect(finding?.found).toMatch(/^6 \?\?<b>x+$/)
    expect(finding?.found.length).toBeLessThan(80)
  })

  test('throws a bug of the adapter', async () => {
    answers.set(A, new TypeError('a bug'))
    await expect(tick()).rejects.toThrow('a bug')
  })

  test('keeps a token suspended until it is resumed [E07]', async () => {
    const [tokenId, chainId] = idsOf(catalogue, A)
    const suspend = (cause: string) =>
      world.database.transaction((tx) => suspendToken(tx, { tokenId, chainId, cause }))
    expect(await suspend('moved 0, said 100')).toBe(true)
    expect(await suspend('again')).toBe(false)
    await tick()
    expect(await stateOf(A)).toMatchObject({
      state: 'verified',
      suspendedAt: world.clock.now(),
      suspendedCause: 'moved 0, said 100',
    })
    const resume = () => world.database.transaction((tx) => resumeToken(tx, { tokenId }))
    expect([await resume(), await resume()]).toEqual([true, false])
    expect(await stateOf(A)).toMatchObject({ suspendedAt: null, suspendedCause: '' })
  })

  test('suspends a token without a check [E07]', async () => {
    const [tokenId, chainId] = idsOf(catalogue, 'eip155:11155111/slip44:60')
    const given = { tokenId, chainId, cause: 'the balance does not cover the ledger' }
    expect(await world.database.transaction((tx) => suspendToken(tx, given))).toBe(true)
    expect(await stateOf(tokenId)).toMatchObject({ state: 'pending', suspendedCause: given.cause })
  })

  test('verifies an unreachable token when it answers', async () => {
    const [tokenId, chainId] = idsOf(
      catalogue,
      'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7',
    )
    const record = (state: 'unreachable' | 'verified', found: string) =>
      world.database.transaction((tx) => recordTokenCheck(tx, { tokenId, chainId, state, found }))
    await record('unreachable', 'refused')
    expect((await stateOf(tokenId))?.state).toBe('unreachable')
    await record('verified', '6 USDT')
    expect(await stateOf(tokenId)).toMatchObject({ state: 'verified', found: '6 USDT' })
  })
})

function catalogueWith(decimals: number): Catalogue {
  const tokens = [A, B].map((id) => operatorToken({ id, name: 'Own', symbol: 'OWN', decimals }))
  const good = tokens.flatMap((token) => ('problem' in token ? [] : [token]))
  return openCatalogue({ chains: chainIds('eip155:11155111', 'eip155:97'), tokens: good })
}

function chainIds(...ids: string[]) {
  return CHAINS.filter((chain) => ids.includes(chain.id)).map(({ id }) => ({ id }))
}

function idsOf(catalogue: Catalogue, id: string) {
  const token = catalogue.token(id)
  if (token === null) throw new Error(`no token ${id}`)
  return [token.id, token.chainId] as const
}

function of(findings: readonly TokenFinding[], tokenId: string): TokenFinding | undefined {
  return findings.find((finding) => finding.tokenId === tokenId)
}

function chainsOf(
  catalogue: Catalogue,
  answers: ReadonlyMap<string, TokenFacts | null | Error>,
  asked: string[],
): Chains {
  const adapters = catalogue.chains
    .filter((chain) => catalogue.isConfigured(chain.id))
    .map((chain) => adapterOf(chain.id, answers, asked))
  const get = (id: string) => adapters.find((one) => one.chainId === id) ?? null
  return { get, all: () => adapters, close: async () => {} }
}

function adapterOf(
  chainId: ChainAdapter['chainId'],
  answers: ReadonlyMap<string, TokenFacts | null | Error>,
  asked: string[],
): ChainAdapter {
  const never = () => Promise.reject(new Error('not asked in this test'))
  const inspectToken = async (tokenId: TokenId) => {
    asked.push(tokenId)
    const answer = answers.get(tokenId)
    if (answer instanceof Error) throw answer
    return answer ?? null
  }
  const pure = (): never => {
    throw new Error('not asked in this test')
  }
  const reads = {
    blockAt: never,
    transaction: never,
    hashAt: never,
    dissent: never,
    balanceOf: never,
    supplyOf: never,
  }
  const prices = { quote: never, feeRate: never, feeEstimate: never }
  const kind = { paymentModel: 'nonce', balancesAt: 'named-block' } as const
  const spends = { nonces: never, fate: never, broadcast: never, craft: pure, combine: pure }
  const contracts = { isContract: never }
  const rest = {
    ...prices,
    ...spends,
    ...contracts,
    decode: pure,
    bump: pure,
    rateNamed: pure,
    listen: pure,
    close: async () => {},
  }
  return { ...kind, chainId, identify: never, tip: never, ...reads, inspectToken, ...rest }
}
