import type { Alert, Chain, ChainStatus, WebhookEndpoint } from '@sluice/client'
import { expect, test } from 'vitest'
import {
  brokenEndpoints,
  failedDeliveries,
  failedWithdrawals,
  inOrder,
  isLagging,
  openAlerts,
  ownApprovals,
  troubledChains,
} from './attention.ts'

const SEPOLIA: Chain = {
  id: 'eip155:11155111',
  name: 'Ethereum Sepolia',
  namespace: 'eip155',
  reference: '11155111',
  enabled: true,
  isTestnet: true,
  enabledByOperator: true,
  enabledByOrganization: true,
  properties: {
    nativeCurrency: 'ETH',
    decimals: 18,
    carriesMemo: false,
    blockTimeSeconds: 12,
    explorer: null,
  },
}
const CHAINS = new Map([[SEPOLIA.id, SEPOLIA]])
const RUNNING: ChainStatus = {
  chainId: SEPOLIA.id,
  name: SEPOLIA.name,
  condition: 'running',
  tip: null,
  head: null,
  final: null,
  lag: { blocks: 0, seconds: 500 },
  nodes: null,
  lastReorg: null,
  enabled: true,
  deposits: true,
  withdrawals: true,
}
const ENDPOINT: WebhookEndpoint = {
  id: 'e',
  isDefault: true,
  url: 'https://hooks.example.com/sluice?key=1',
  eventTypes: null,
  state: 'active',
  pausedAt: null,
  pendingDeliveries: 3,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null,
  createdAt: '',
  updatedAt: '',
}
const alert = (id: string, code: string, subject = 's'): Alert => ({
  id,
  code,
  subject,
  message: `Message ${id}.`,
  times: 1,
  raisedAt: '',
  lastAt: '',
  resolvedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
})

test('approvals are counted in one sentence', () => {
  expect(ownApprovals(0)).toEqual([])
  expect(ownApprovals(1)[0]?.text).toBe('A withdrawal waits for your approval.')
  expect(ownApprovals(2)).toMatchObject([
    { text: '2 withdrawals wait for your approval.', href: '/approvals' },
  ])
})

test('a count of one page says that there are more', () => {
  const page = { items: [1, 2], nextCursor: 'c' }
  expect(failedWithdrawals(page, '2026-11-21')[0]?.text).toBe(
    '2+ withdrawals failed in the last 7 days.',
  )
})

test('failures link to their filtered lists', () => {
  const page = { items: [1], nextCursor: null }
  expect(failedWithdrawals(page, '2026-11-21')[0]?.href).toBe(
    '/withdrawals?status=Failed&from=2026-11-21',
  )
  expect(failedDeliveries(page, '2026-11-21')[0]?.href).toBe(
    '/events?delivery=failed&from=2026-11-21',
  )
  expect(failedDeliveries({ items: [], nextCursor: null }, '2026-11-21')).toEqual([])
})

test('a failing endpoint is named by its host, without what its URL may hide', () => {
  const failing = { ...ENDPOINT, failingSince: '2026-11-28T00:00:00.000Z' }
  const [item] = brokenEndpoints([ENDPOINT, failing])
  expect(item?.text).toBe('hooks.example.com does not accept events: 3 deliveries wait.')
  expect(brokenEndpoints([{ ...failing, state: 'paused' }])).toEqual([])
  expect(brokenEndpoints([{ ...ENDPOINT, state: 'tampered' }])).toHaveLength(1)
})

test('low gas names the chain and the coin to send, other alerts their message', () => {
  const items = [
    alert('1', 'account.tampered'),
    alert('2', 'gas.low', `${SEPOLIA.id} org`),
    alert('3', 'webhook.failed'),
  ]
  expect(openAlerts({ items, nextCursor: null }, CHAINS)).toEqual([
    {
      id: '2',
      tone: 'warning',
      text: 'The gas wallet on Ethereum Sepolia is low: send ETH to it.',
      href: '/gas-station',
    },
    {
      id: '1',
      tone: 'warning',
      text: 'Message 1.',
      href: '/alerts/1',
    },
  ])
})

test('many alerts are counted', () => {
  const items = ['1', '2', '3', '4', '5', '6'].map((id) => alert(id, 'account.tampered'))
  const shown = openAlerts({ items, nextCursor: null }, CHAINS)
  expect(shown).toHaveLength(5)
  expect(shown.at(-1)?.text).toBe('2 more alerts are open.')
})

test('alerts of a common code share a sentence', () => {
  const items = ['1', '2'].map((id) => alert(id, 'deposit.held'))
  expect(openAlerts({ items, nextCursor: null }, CHAINS)).toMatchObject([
    {
      text: '2 deposits are held and wait for an operator.',
      href: '/deposits?status=Held',
    },
  ])
  const funding = ['1', '2'].map((id) => alert(id, 'funding.held'))
  expect(openAlerts({ items: funding, nextCursor: null }, CHAINS)).toMatchObject([
    { href: '/alerts?open=true&code=funding.held' },
  ])
})

test('a chain that is stopped or lags is shown unless it is not used', () => {
  const frozen: ChainStatus = { ...RUNNING, condition: 'frozen' }
  const late: ChainStatus = { ...RUNNING, lag: { blocks: 40, seconds: 500 } }
  expect(troubledChains([RUNNING], CHAINS)).toEqual([])
  expect(troubledChains([{ ...frozen, enabled: false }], CHAINS)).toEqual([])
  expect(troubledChains([frozen, late], CHAINS)).toMatchObject([
    { tone: 'danger', href: '/chains' },
    { tone: 'warning', text: 'Ethereum Sepolia lags by 40 blocks.' },
  ])
})

test('a lag counts from ten block times and from a minute on', () => {
  expect(isLagging({ lag: { blocks: 3, seconds: 120 } }, SEPOLIA)).toBe(false)
  expect(isLagging({ lag: { blocks: 3, seconds: 121 } }, SEPOLIA)).toBe(true)
  expect(isLagging({ lag: { blocks: 3, seconds: 60 } }, undefined)).toBe(false)
  expect(isLagging({ lag: null }, SEPOLIA)).toBe(false)
})

test('danger comes first, the rest stays in order', () => {
  const item = (id: string, tone: 'danger' | 'warning') => ({ id, tone, text: '', href: '' })
  const items = [item('a', 'warning'), item('b', 'danger'), item('c', 'warning')]
  expect(inOrder(items).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
})
