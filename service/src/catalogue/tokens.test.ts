import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { parseChainId } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { canonicalTokenId } from '../chains/format-address.ts'
import { ALL_CHAINS, CHAINS, nativeTokenId } from './chains.ts'
import { TOKENS } from './tokens.ts'

describe('the chains of the catalogue', () => {
  test('are the eleven of the interface, each once', () => {
    const ids = CHAINS.map((chain) => `${chain.isTestnet ? 'test' : 'main'} ${chain.id}`)
    expect(ids.sort()).toEqual([
      'main bip122:000000000019d6689c085ae165831e93',
      'main eip155:1',
      'main eip155:137',
      'main eip155:56',
      'main tron:0x00000000000000000000000000000000',
      'main xrpl:mainnet',
      'test bip122:000000000933ea01ad0ee984209779ba',
      'test eip155:11155111',
      'test eip155:97',
      'test tron:shasta',
      'test xrpl:testnet',
    ])
  })

  test('have the namespace and reference of their id', () => {
    for (const { id, namespace, reference } of CHAINS)
      expect(parseChainId(id)).toEqual({ namespace, reference })
  })

  test('have the documented finality rules', () => {
    const rules = Object.fromEntries(CHAINS.map(({ id, finality }) => [id, finality]))
    expect(rules).toMatchObject({
      'eip155:1': 'depth-or-final',
      'eip155:137': 'final',
      'eip155:56': 'final',
      'eip155:11155111': 'depth-or-final',
      'eip155:97': 'depth-or-final',
      'bip122:000000000019d6689c085ae165831e93': 'depth',
      'tron:shasta': 'final',
      'xrpl:mainnet': 'final',
    })
  })
})

describe('the tokens of the catalogue', () => {
  test('are 56, with distinct ids', () => {
    expect(TOKENS).toHaveLength(56)
    expect(new Set(TOKENS.map((token) => token.id)).size).toBe(56)
  })

  test('contain the native currency of every chain once, with its coin type', () => {
    const native = TOKENS.filter((token) => token.native)
    expect(native.map((token) => token.id)).toEqual(ALL_CHAINS.map(nativeTokenId))
    for (const token of native) {
      const chain = ALL_CHAINS.find((entry) => entry.id === token.chainId)
      expect(token).toMatchObject({ decimals: chain?.decimals, symbol: chain?.nativeCurrency })
      expect(token.address).toBe('')
    }
    expect(native.map((token) => token.id)).toContain('eip155:137/slip44:60')
    expect(native.map((token) => token.id)).toContain('tron:shasta/slip44:195')
  })

  test('have contract addresses with valid checksums [E10]', () => {
    const tronAddress = createBase58check(sha256)
    for (const { id, address, chainId } of TOKENS.filter((token) => !token.native)) {
      expect(id.endsWith(`:${address}`)).toBe(true)
      expect(canonicalTokenId(id)).toBe(id)
      if (chainId.startsWith('tron:')) expect(tronAddress.decode(address)[0]).toBe(0x41)
    }
  })

  test('distinguish USDC and bridged USDC.e on Polygon, and have 18 decimals on BSC [E10]', () => {
    const bySymbol = (chainId: string, symbol: string) =>
      TOKENS.find((token) => token.chainId === chainId && token.symbol === symbol)
    expect(bySymbol('eip155:137', 'USDC')?.enabledByDefault).toBe(true)
    expect(bySymbol('eip155:137', 'USDC.e')?.enabledByDefault).toBe(false)
    expect(bySymbol('eip155:56', 'USDT')?.decimals).toBe(18)
    expect(bySymbol('eip155:1', 'USDT')?.decimals).toBe(6)
    expect(bySymbol('eip155:1', 'GUSD')?.decimals).toBe(2)
  })

  test('have a minimum of one base unit, and of the dust limit on Bitcoin', () => {
    for (const token of TOKENS) {
      const chain = ALL_CHAINS.find((entry) => entry.id === token.chainId)
      expect(token.minimumAmount).toBe(chain?.minimumAmount)
    }
    const minimums = new Map(TOKENS.map((token) => [token.id.split('/')[0], token.minimumAmount]))
    expect(minimums.get('bip122:000000000933ea01ad0ee984209779ba')).toBe(546n)
    expect(minimums.get('eip155:1')).toBe(1n)
  })
})
