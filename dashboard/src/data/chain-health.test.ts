import type { Chain, ChainStatus } from '@sluice/client'
import { expect, test } from 'vitest'
import {
  confirmationsOf,
  healthOf,
  isTroubled,
  matchingChains,
  rowsOf,
  runningOf,
} from './chain-health.ts'
import { useOf } from './decisions.ts'

const CHAIN: Chain = {
  id: 'eip155:1',
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
    carriesMemo: false,
    explorer: null,
    blockTimeSeconds: 12,
    requiredConfirmations: 12,
  },
}
const AT = '2026-11-28T20:00:00.000Z'
const STATUS: ChainStatus = {
  chainId: 'eip155:1',
  name: 'Ethereum',
  condition: 'running',
  tip: { height: 100, hash: '0xaa', time: AT },
  head: 101,
  final: 90,
  lag: { blocks: 1, seconds: 12 },
  nodes: { answering: 2, total: 2, checkedAt: AT },
  lastReorg: null,
  enabled: true,
  deposits: true,
  withdrawals: true,
}
const OFF: Chain = {
  ...CHAIN,
  id: 'eip155:137',
  name: 'Polygon PoS',
  enabled: false,
  enabledByOperator: false,
}
const OWN: Chain = { ...CHAIN, id: 'tron:shasta', name: 'TRON', enabled: false }

function rowWith(change: Partial<ChainStatus>) {
  return { chain: CHAIN, status: { ...STATUS, ...change } }
}

test('used chains come first, chains without nodes last', () => {
  const status = { ...STATUS, chainId: 'tron:shasta' }
  const rows = rowsOf([OFF, OWN, CHAIN], [status, STATUS])
  expect(rows.map(({ chain }) => chain.id)).toEqual(['eip155:1', 'tron:shasta', 'eip155:137'])
  expect(rows.map((row) => row.status?.chainId)).toEqual(['eip155:1', 'tron:shasta', undefined])
})

test('the health of a chain', () => {
  expect(healthOf(rowWith({}))).toBe('running')
  expect(healthOf(rowWith({ condition: 'frozen' }))).toBe('frozen')
  expect(healthOf(rowWith({ lag: { blocks: 900, seconds: 10_800 } }))).toBe('lagging')
  const silent = { answering: 0, total: 2, checkedAt: AT }
  expect(healthOf(rowWith({ nodes: silent }))).toBe('unanswered')
  expect(healthOf(rowWith({ nodes: silent, condition: 'halted' }))).toBe('halted')
  expect(healthOf(rowWith({ nodes: null }))).toBe('running')
  expect(healthOf({ chain: CHAIN, status: null })).toBe('absent')
})

test('only chains in use need attention', () => {
  expect(isTroubled(rowWith({ condition: 'halted' }))).toBe(true)
  expect(isTroubled({ chain: OWN, status: { ...STATUS, condition: 'halted' } })).toBe(false)
  expect(isTroubled(rowWith({}))).toBe(false)
})

test('what runs', () => {
  expect(runningOf({ deposits: true, withdrawals: true })).toBe('both')
  expect(runningOf({ deposits: true, withdrawals: false })).toBe('depositsOnly')
  expect(runningOf({ deposits: false, withdrawals: true })).toBe('withdrawalsOnly')
  expect(runningOf({ deposits: false, withdrawals: false })).toBe('neither')
})

test('the decision of the operator counts first', () => {
  expect(useOf(CHAIN)).toBe('on')
  expect(useOf({ enabledByOperator: true, enabledByOrganization: false })).toBe('offByOrganization')
  expect(useOf({ enabledByOperator: false, enabledByOrganization: false })).toBe('offByOperator')
})

test('filters of the list', () => {
  const rows = rowsOf([CHAIN, OFF], [STATUS])
  const named = (filter: Parameters<typeof matchingChains>[1]) =>
    matchingChains(rows, filter).map(({ chain }) => chain.name)
  expect(named({})).toEqual(['Ethereum', 'Polygon PoS'])
  expect(named({ q: 'poly' })).toEqual(['Polygon PoS'])
  expect(named({ q: 'EIP155:1' })).toEqual(['Ethereum', 'Polygon PoS'])
  expect(named({ health: 'absent' })).toEqual(['Polygon PoS'])
  expect(named({ use: 'on', q: 'pol' })).toEqual([])
})

test('confirmations of a chain, where the service names them', () => {
  expect(confirmationsOf(CHAIN)).toBe(12)
  const { requiredConfirmations: _, ...properties } = CHAIN.properties
  expect(confirmationsOf({ ...CHAIN, properties })).toBeNull()
})
