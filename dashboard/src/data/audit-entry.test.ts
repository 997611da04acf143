import { expect, test } from 'vitest'
import { detailsOf, fieldWords, isTime, objectHref, readActor } from './audit-entry.ts'

test('actors', () => {
  expect(readActor('user:u1')).toEqual({ kind: 'user', value: 'u1' })
  expect(readActor('cli:root')).toEqual({ kind: 'operator', value: 'root' })
  expect(readActor('audit')).toEqual({ kind: 'service', value: 'audit' })
})

test('a change of fields shows those that changed, with the value before', () => {
  const from = { name: 'Books', scopes: ['read'], expiresAt: null }
  const to = { name: 'Books', scopes: ['read', 'deposits'], expiresAt: '2027-01-01T10:00:00.000Z' }
  expect(detailsOf({ action: 'api-key.change', details: { from, to, lastFour: 'pEHg' } })).toEqual([
    { name: 'scopes', value: ['read', 'deposits'], before: ['read'] },
    { name: 'expiresAt', value: '2027-01-01T10:00:00.000Z', before: null },
    { name: 'lastFour', value: 'pEHg' },
  ])
})

test('a change of one value', () => {
  expect(detailsOf({ action: 'min-signers.set', details: { from: 1, to: 2 } })).toEqual([
    { name: '', value: 2, before: 1 },
  ])
})

test('a partial update shows only the fields that it names', () => {
  const details = { from: { url: 'a', isPaused: false }, to: { isPaused: true } }
  expect(detailsOf({ action: 'webhook-endpoint.update', details })).toEqual([
    { name: 'isPaused', value: true, before: false },
  ])
})

test('the times of a selection of events are no change', () => {
  const details = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' }
  expect(detailsOf({ action: 'events.redeliver', details })).toEqual([
    { name: 'from', value: details.from },
    { name: 'to', value: details.to },
  ])
})

test('the page of an object', () => {
  const hrefOf = (action: string, object: string) => objectHref({ action, object })
  expect(hrefOf('withdrawal.approve', 'w1')).toBe('/withdrawals/w1')
  expect(hrefOf('session.begin', 'u1')).toBe('/people/u1')
  expect(hrefOf('switch.set', 'eip155:1')).toBe('/chains/eip155:1')
  expect(hrefOf('switch.set', 'eip155:1/slip44:60')).toBe('/tokens?q=eip155%3A1%2Fslip44%3A60')
  expect(hrefOf('alert.acknowledge', 'a1')).toBe('/alerts/a1')
  expect(hrefOf('deposit.propose-assignment', 'p1')).toBe('/unattributed')
  expect(hrefOf('toString.set', 'x')).toBeNull()
})

test('names of fields, and times', () => {
  expect(fieldWords('minWithdrawalSigners')).toBe('Min withdrawal signers')
  expect(fieldWords('tokenId')).toBe('Token')
  expect(isTime('2027-01-01T10:00:00.000Z')).toBe(true)
  expect(isTime('2027')).toBe(false)
})
