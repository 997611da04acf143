import { describe, expect, test } from 'vitest'
import { type ChainId, formatTokenId, parseChainId, parseTokenId } from './caip.ts'

const SUPPORTED = [
  'eip155:1',
  'eip155:137',
  'eip155:56',
  'eip155:11155111',
  'eip155:97',
  'bip122:000000000019d6689c085ae165831e93',
  'bip122:000000000933ea01ad0ee984209779ba',
  'tron:0x00000000000000000000000000000000',
  'tron:shasta',
  'xrpl:mainnet',
  'xrpl:testnet',
]

describe('chain ids', () => {
  test.each(SUPPORTED)('%s is taken apart and is whole again', (id) => {
    const parts = parseChainId(id)
    expect(`${parts?.namespace}:${parts?.reference}`).toBe(id)
  })

  test.each([
    '',
    ':',
    'eip155',
    'eip155:',
    ':1',
    'EIP155:1',
    'eip155:1/',
    'eip155:1 ',
    ' eip155:1',
    'eip155:1\n',
    'eip155:1:2',
    'cosmos:hub',
    '__proto__',
    'constructor',
    'eip155:é',
    `eip155:${'1'.repeat(10_000)}`,
    'eip155:1\u0000',
  ])('V06 %j is no chain id', (text) => {
    expect(parseChainId(text)).toBeNull()
  })
})

describe('token ids', () => {
  test.each([
    'eip155:1/slip44:60',
    'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7',
    'tron:shasta/trc20:TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs',
    'xrpl:mainnet/slip44:144',
  ])('%s is taken apart and is whole again', (id) => {
    const parts = parseTokenId(id)
    expect(parts && formatTokenId(parts)).toBe(id)
  })

  test.each([
    '',
    '/',
    'eip155:1',
    'eip155:1/',
    'eip155:1/erc20',
    'eip155:1/erc20:',
    'eip155/erc20:0x1',
    'eip155:1/erc721:0x1',
    'foo:1/erc20:0x1',
    'eip155:1//erc20:0x1',
    'eip155:1/erc20:0x1/2',
    'eip155:1/erc20:0x1\n',
  ])('V06 %j is no token id', (text) => {
    expect(parseTokenId(text)).toBeNull()
  })

  test('the parts name the chain and the asset', () => {
    expect(parseTokenId('eip155:97/slip44:60')).toEqual({
      chainId: 'eip155:97' as ChainId,
      assetNamespace: 'slip44',
      assetReference: '60',
    })
  })
})
