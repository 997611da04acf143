import { describe, expect, test } from 'vitest'
import type { ChainState } from './chain-state.ts'
import { CHAINS } from './chains.ts'
import { chainEnabled, tokenEnabled } from './enabled.ts'
import type { Switches } from './enabled.ts'
import { openCatalogue } from './find.ts'
import { chainsOfScope, watchScope } from './scope.ts'
import type { TokenCheck } from './token-check.ts'

const CHAIN = CHAINS.filter((entry) => entry.id === 'eip155:137')
const chainId = 'eip155:137'
const NATIVE = 'eip155:137/slip44:60'
const USDC = 'eip155:137/erc20:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const BRIDGED = 'eip155:137/erc20:0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'

const catalogue = openCatalogue({ chains: CHAIN.map(({ id }) => ({ id })), tokens: [] })

describe('a chain', () => {
  const ask = (state: ChainState | null, set: Record<string, boolean> = {}) =>
    chainEnabled({ catalogue, chainId, state, switches: switchesOf(set) })

  test('is enabled while running and switched on', () => {
    expect(ask(stateOf('running'))).toBe(true)
    expect(ask(stateOf('running'), { [chainId]: true })).toBe(true)
  })

  test('is enabled before first contact and while frozen', () => {
    expect(ask(null)).toBe(true)
    expect(ask(stateOf('frozen'))).toBe(true)
  })

  test('is not enabled while switched off, halted, or without nodes', () => {
    expect(ask(stateOf('running'), { [chainId]: false })).toBe(false)
    expect(ask(stateOf('halted'))).toBe(false)
    const switches = switchesOf({})
    expect(chainEnabled({ catalogue, chainId: 'eip155:1', state: null, switches })).toBe(false)
  })
})

describe('a token', () => {
  const ask = (tokenId: string, check: TokenCheck | null, set: Record<string, boolean> = {}) =>
    tokenEnabled({
      catalogue,
      tokenId,
      state: stateOf('running'),
      check,
      switches: switchesOf(set),
    })

  test('is enabled when its contract agrees with the catalogue', () => {
    expect(ask(USDC, checkOf('verified'))).toBe(true)
  })

  test('is disabled before the check and after a mismatch', () => {
    expect(ask(USDC, null)).toBe(false)
    for (const state of ['pending', 'mismatch', 'unreachable'] as const)
      expect(ask(USDC, checkOf(state))).toBe(false)
  })

  test('is enabled without a check when it is the native currency', () => {
    expect(ask(NATIVE, null)).toBe(true)
    expect(ask(NATIVE, null, { [NATIVE]: false })).toBe(false)
  })

  test('is disabled when suspended, even if verified', () => {
    expect(ask(USDC, { ...checkOf('verified'), suspendedAt: 1 })).toBe(false)
    expect(ask(NATIVE, { ...checkOf('pending'), suspendedAt: 1 })).toBe(false)
  })

  test('is disabled by default until the organization switches it on', () => {
    expect(ask(BRIDGED, checkOf('verified'))).toBe(false)
    expect(ask(BRIDGED, checkOf('verified'), { [BRIDGED]: true })).toBe(true)
    expect(ask(USDC, checkOf('verified'), { [USDC]: false })).toBe(false)
  })

  test('is disabled on a disabled chain, and when unknown', () => {
    expect(ask(USDC, checkOf('verified'), { [chainId]: false })).toBe(false)
    expect(ask('eip155:137/slip44:1', null)).toBe(false)
  })
})

describe('the scope of an address', () => {
  test('is all EVM main networks, all EVM test networks, or the chain alone', () => {
    const scopes = Object.fromEntries(CHAINS.map((entry) => [entry.id, watchScope(entry)]))
    expect(scopes).toMatchObject({
      'eip155:1': 'eip155/mainnet',
      'eip155:56': 'eip155/mainnet',
      'eip155:97': 'eip155/testnet',
      'xrpl:testnet': 'xrpl:testnet',
    })
  })

  test('returns its chains', () => {
    const ids = (scope: string) => chainsOfScope(scope).map((entry) => entry.id)
    expect(ids('eip155/testnet')).toEqual(['eip155:11155111', 'eip155:97'])
    expect(ids('eip155/mainnet')).toEqual(['eip155:1', 'eip155:137', 'eip155:56'])
    expect(ids('tron:shasta')).toEqual(['tron:shasta'])
    expect(ids('eip155')).toEqual([])
  })
})

function switchesOf(set: Record<string, boolean>): Switches {
  return { isOn: (subject, whenUnset = true) => set[subject] ?? whenUnset }
}

function stateOf(condition: ChainState['condition']): ChainState {
  const [entry] = CHAIN
  if (entry === undefined) throw new Error('no chain')
  const tip = { height: 1, hash: '0x01' }
  const times = { tipTime: 0, updatedAt: 0 }
  const undone = { cause: '', isUndoing: false, lastReorg: null }
  const rest = { genesis: '0x00', startHeight: 1, headHeight: 1, final: null, ...undone }
  return { chainId: entry.id, tip, condition, ...rest, ...times }
}

function checkOf(state: TokenCheck['state']): TokenCheck {
  const token = catalogue.token(USDC)
  if (token === null) throw new Error('no token')
  const rest = { found: '6 USDC', suspendedAt: null, suspendedCause: '', checkedAt: 0 }
  return { tokenId: token.id, chainId: token.chainId, state, ...rest }
}
