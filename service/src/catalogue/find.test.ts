import type { ChainId } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { CHAINS, UNLISTED_CHAINS } from './chains.ts'
import type { ChainEntry } from './chains.ts'
import { openCatalogue } from './find.ts'
import { operatorToken } from './operator-token.ts'
import type { TokenEntry } from './tokens.ts'

const OWN = 'eip155:11155111/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3'
const USDT = 'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7'

describe('a catalogue', () => {
  const sepolia = chainOf('eip155:11155111')
  const catalogue = openCatalogue({
    chains: [{ id: sepolia.id, confirmations: 7 }, { id: chainOf('eip155:97').id }],
    tokens: [entryOf({ id: OWN, name: 'Own', symbol: 'OWN', decimals: 6 })],
  })

  test('finds a chain by its exact id only', () => {
    expect(catalogue.chain('eip155:11155111')?.name).toBe('Ethereum Sepolia')
    for (const id of ['EIP155:1', 'eip155:2', 'eip155', '', '__proto__'])
      expect(catalogue.chain(id)).toBeNull()
  })

  test('finds a token in every spelling with a valid checksum, and returns EIP-55', () => {
    const lower = USDT.toLowerCase()
    expect(catalogue.token(USDT)?.symbol).toBe('USDT')
    expect(catalogue.token(lower)?.id).toBe(USDT)
    expect(catalogue.token(OWN.toLowerCase())?.id).toBe(OWN)
  })

  test('returns null for an invalid checksum and an unlisted token', () => {
    expect(catalogue.token(USDT.replace('dAC17', 'DAC17'))).toBeNull()
    expect(catalogue.token(USDT.replace('/erc20:', '/trc20:'))).toBeNull()
    expect(catalogue.token('eip155:1/slip44:0')).toBeNull()
    expect(catalogue.token('eip155:1')).toBeNull()
  })

  test('lists a chain for development only if it has nodes', () => {
    const regtest = UNLISTED_CHAINS[0]?.id ?? sepolia.id
    expect(catalogue.chain(regtest)).toBeNull()
    expect(catalogue.token(`${regtest}/slip44:0`)).toBeNull()
    const named = openCatalogue({ chains: [{ id: regtest }], tokens: [] })
    expect(named.chain(regtest)?.name).toBe('Bitcoin Regtest')
    expect(named.chains.map(({ id }) => id)).toEqual([...CHAINS.map(({ id }) => id), regtest])
    expect(named.nativeToken(regtest)).toMatchObject({ symbol: 'tBTC', minimumAmount: 546n })
  })

  test('lists a chain without nodes as not configured', () => {
    expect(catalogue.chains).toHaveLength(11)
    expect(catalogue.isConfigured('eip155:97')).toBe(true)
    expect(catalogue.isConfigured('eip155:1')).toBe(false)
    expect(catalogue.isConfigured('eip155:2')).toBe(false)
  })

  test('knows which chains log what their own transactions move', () => {
    const logging = CHAINS.filter(({ logsOwnMoves }) => logsOwnMoves)
    expect(logging.map(({ name }) => name)).toEqual(['Polygon PoS'])
  })

  test('requires the configured confirmations, or the default of the chain', () => {
    expect(catalogue.required('eip155:11155111')).toBe(7)
    expect(catalogue.required('eip155:97')).toBe(3)
    expect(catalogue.required('eip155:56')).toBe(100)
  })

  test('returns the tokens of a chain, including native and operator tokens', () => {
    const ids = catalogue.tokensOf('eip155:11155111').map((token) => token.id)
    expect(ids).toContain('eip155:11155111/slip44:60')
    expect(ids).toContain(OWN)
    expect(ids).not.toContain(USDT)
    expect(catalogue.nativeToken('eip155:97').symbol).toBe('tBNB')
    expect(catalogue.tokens).toHaveLength(54)
  })

  test('returns only the summary fields of a token', () => {
    expect(catalogue.summary('eip155:11155111/slip44:60')).toEqual({
      id: 'eip155:11155111/slip44:60',
      name: 'Sepolia Ether',
      symbol: 'ETH',
      decimals: 18,
      address: '',
    })
  })

  test('returns a summary of a token that is no longer configured', () => {
    const gone = 'eip155:97/erc20:0x5FbDB2315678afecb367f032d93F642f64180aa3'
    expect(catalogue.summary(gone)).toMatchObject({ id: gone, address: gone.slice(16) })
  })

  test('returns the confirmations of a chain that is no longer configured', () => {
    for (const { id, confirmations } of UNLISTED_CHAINS)
      expect([catalogue.chain(id), catalogue.required(id)]).toEqual([null, confirmations])
    expect(() => catalogue.required('eip155:2')).toThrow('a chain that is not in the catalogue')
  })

  test('fails to open with nodes of an unknown chain', () => {
    const strange = { ...sepolia, id: `${sepolia.id}0` as ChainEntry['id'] }
    expect(() => openCatalogue({ chains: [strange], tokens: [] })).toThrow('unknown chain')
  })
})

describe('a token of the operator', () => {
  const MRC20 = 'eip155:137/erc20:0x0000000000000000000000000000000000001010'
  const good = { id: OWN, name: 'Own', symbol: 'OWN', decimals: 6 }

  test('is enabled by default with a minimum of one base unit', () => {
    expect(operatorToken({ ...good, id: OWN.toLowerCase() })).toEqual({
      id: OWN,
      chainId: 'eip155:11155111',
      name: 'Own',
      symbol: 'OWN',
      decimals: 6,
      address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      native: false,
      minimumAmount: 1n,
      maximumWithdrawalAmount: null,
      enabledByDefault: true,
      source: 'operator',
    })
  })

  test('keeps its limits', () => {
    const limits = { minimumAmount: 5n, maximumWithdrawalAmount: 9n }
    expect(operatorToken({ ...good, ...limits })).toMatchObject(limits)
  })

  test.each([
    ['an id without an asset', { id: 'eip155:1' }, 'id is not'],
    ['an unknown chain', { id: OWN.replace('11155111', '5') }, 'id is not'],
    ['a wrong checksum', { id: OWN.replace('5FbDB', '5fbDB') }, 'checksum'],
    ['a short address', { id: 'eip155:1/erc20:0x1234' }, 'malformed'],
    ['another family’s asset', { id: OWN.replace('erc20', 'trc20') }, 'malformed'],
    ['a coin type that is no currency here', { id: 'eip155:1/slip44:61' }, 'erc20'],
    ['the contract of POL itself', { id: MRC20 }, 'own coin'],
    ['no name', { name: '' }, 'name'],
    ['no symbol', { symbol: '' }, 'symbol'],
    ['half a decimal', { decimals: 6.5 }, 'decimals'],
    ['more decimals than an amount has digits', { decimals: 78 }, 'decimals'],
    ['a minimum of nothing', { minimumAmount: 0n }, 'minimumAmount'],
    ['a maximum below the minimum', { minimumAmount: 5n, maximumWithdrawalAmount: 4n }, 'below'],
  ])('is refused for %s', (_what, change, says) => {
    expect(operatorToken({ ...good, ...change })).toEqual({
      problem: expect.stringContaining(says),
    })
  })

  test('is accepted at an address that is the native currency of another chain only', () => {
    const id = MRC20.replace('eip155:137', 'eip155:1')
    expect(operatorToken({ ...good, id })).toMatchObject({ chainId: 'eip155:1' })
  })

  test('overrides the name and limits of a catalogue token, and enables it', () => {
    const weth = 'eip155:11155111/erc20:0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14'
    const token = entryOf({ id: weth, name: 'W', symbol: 'W', decimals: 18, minimumAmount: 9n })
    expect(token).toMatchObject({ minimumAmount: 9n, enabledByDefault: true, source: 'catalogue' })
    expect(token.alsoKnownAs).toContain('WETH')
    const changed = openCatalogue({ chains: [], tokens: [token] })
    expect(changed.token(weth)?.minimumAmount).toBe(9n)
    expect(changed.tokens).toHaveLength(53)
  })

  test('a chain without catalogue tokens keeps its native currency', () => {
    const id = 'eip155:11155111' as ChainId
    const bare = openCatalogue({ chains: [{ id, catalogueTokens: false }], tokens: [] })
    expect(bare.tokensOf(id).map((token) => token.id)).toEqual([`${id}/slip44:60`])
    const usual = openCatalogue({ chains: [{ id }], tokens: [] })
    expect(usual.tokensOf(id).length).toBeGreaterThan(1)
    expect(bare.tokensOf('eip155:1')).toEqual(usual.tokensOf('eip155:1'))
  })

  test('cannot change the decimals of a catalogue token', () => {
    const answer = operatorToken({ id: USDT, name: 'Tether', symbol: 'USDT', decimals: 18 })
    expect(answer).toEqual({ problem: 'decimals of this token are 6' })
  })
})

function chainOf(id: string): ChainEntry {
  const entry = CHAINS.find((chain) => chain.id === id)
  if (entry === undefined) throw new Error(`no chain ${id}`)
  return entry
}

function entryOf(given: Parameters<typeof operatorToken>[0]): TokenEntry {
  const answer = operatorToken(given)
  if ('problem' in answer) throw new Error(answer.problem)
  return answer
}
