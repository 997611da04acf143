import type { Token } from '@sluice/client'
import { expect, test } from 'vitest'
import { matchingTokens, maximumOf, minimumOf, usedFirst } from './token-filter.ts'

const USDT: Token = {
  id: 'eip155:1/erc20:0xdAC1',
  chainId: 'eip155:1',
  name: 'Tether USD',
  symbol: 'USDT',
  decimals: 6,
  address: '0xdAC1',
  enabled: false,
  enabledByOperator: true,
  enabledByOrganization: false,
  minimumAmount: '1',
  properties: { maximumWithdrawalAmount: '5000000' },
}
const ETH: Token = {
  ...USDT,
  id: 'eip155:1/slip44:60',
  name: 'Ether',
  symbol: 'ETH',
  address: '',
  enabled: true,
  enabledByOrganization: true,
  properties: { maximumWithdrawalAmount: null },
}
const TRX: Token = {
  ...ETH,
  id: 'tron:1/slip44:195',
  chainId: 'tron:1',
  symbol: 'TRX',
  name: 'TRON',
}

test('used tokens come first, otherwise in their order', () => {
  expect(usedFirst([USDT, TRX, ETH])).toEqual([TRX, ETH, USDT])
})

test('filters of the list', () => {
  const symbols = (filter: Parameters<typeof matchingTokens>[1]) =>
    matchingTokens([ETH, USDT, TRX], filter).map(({ symbol }) => symbol)
  expect(symbols({})).toEqual(['ETH', 'USDT', 'TRX'])
  expect(symbols({ q: '0xdac1' })).toEqual(['USDT'])
  expect(symbols({ q: 'eip155:1/slip44:60' })).toEqual(['ETH'])
  expect(symbols({ chainId: 'tron:1' })).toEqual(['TRX'])
  expect(symbols({ use: 'offByOrganization' })).toEqual(['USDT'])
})

test('the smallest deposit, or none if one base unit is credited', () => {
  expect(minimumOf({ minimumAmount: '546' })).toBe('546')
  expect(minimumOf({ minimumAmount: '1' })).toBeNull()
})

test('the largest withdrawal, or none', () => {
  expect(maximumOf(USDT)).toBe('5000000')
  expect(maximumOf(ETH)).toBeNull()
  expect(maximumOf({ properties: {} })).toBeNull()
})
