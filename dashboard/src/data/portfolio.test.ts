import type { PortfolioEntry } from '@sluice/client'
import { expect, test } from 'vitest'
import { holdingsOf, isHeld } from './portfolio.ts'

const SEPOLIA = 'eip155:11155111'
const ETHER = `${SEPOLIA}/slip44:60`
const ENTRY: PortfolioEntry = {
  id: 'settlement',
  orgId: 'org',
  chainId: SEPOLIA,
  tokenId: ETHER,
  accountId: '0xde709f2102306220921060314715629080e2fb77',
  accountType: 'settlement',
  balance: '900',
  available: '1000000000000000000001',
  reserved: '20',
  heldForFees: '0',
  unconfirmed: '5',
  belowMinimum: '0',
  held: '0',
  unattributed: '0',
  gas: '300',
  unswept: '1000000000000000000026',
  asOf: { height: 7, hash: '0x', time: '2026-01-31T00:00:00.000Z' },
  Token: { id: ETHER, name: 'Ether', symbol: 'ETH', decimals: 18, address: '' },
  lastUpdated: '',
  createdAt: '',
  updatedAt: '',
}
const NO_CLAIMS = { available: '0', reserved: '0', unconfirmed: '0', gas: '0' }
const GAS: PortfolioEntry = { ...ENTRY, ...NO_CLAIMS, accountType: 'gas', balance: '-600' }
const DEPOSITS: PortfolioEntry = {
  ...ENTRY,
  ...NO_CLAIMS,
  accountType: 'deposits',
  balance: '1000000000000000000026',
}

test('the places and the purposes of a token add up to the same total', () => {
  const [chain] = holdingsOf([ENTRY, GAS, DEPOSITS])
  const [holding] = chain?.holdings ?? []
  expect(chain?.asOf?.height).toBe(7)
  expect(holding).toMatchObject({
    total: '1000000000000000000326',
    places: { settlement: '900', deposits: '1000000000000000000026', gas: '-600' },
    purposes: { available: '1000000000000000000001', reserved: '20', unconfirmed: '5', gas: '300' },
    isBalanced: true,
  })
})

test('a difference between places and purposes is noticed', () => {
  const [chain] = holdingsOf([ENTRY, DEPOSITS])
  expect(chain?.holdings[0]?.isBalanced).toBe(false)
})

test('tokens are kept apart and listed by chain', () => {
  const other = { ...ENTRY, tokenId: `${SEPOLIA}/erc20:0x1`, balance: '1' }
  const bitcoin = { ...ENTRY, chainId: 'bip122:1', tokenId: 'bip122:1/slip44:0' }
  const chains = holdingsOf([ENTRY, bitcoin, other])
  expect(chains.map(({ chainId, holdings }) => [chainId, holdings.length])).toEqual([
    [SEPOLIA, 2],
    ['bip122:1', 1],
  ])
})

test('a token without any amount is not held', () => {
  const none = { ...ENTRY, ...NO_CLAIMS, balance: '0' }
  expect(holdingsOf([none])[0]?.holdings.map(isHeld)).toEqual([false])
  expect(holdingsOf([ENTRY])[0]?.holdings.map(isHeld)).toEqual([true])
})
