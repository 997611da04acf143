import { expect, test } from 'vitest'
import { Outage } from '../base/fault.ts'
import { Doubt } from '../chains/doubt.ts'
import { LeaseLost } from '../store/lease.ts'
import { endsRound } from './failure.ts'

test('a Doubt about one sweep does not end the round, an Outage does [W20]', () => {
  expect(endsRound(new Doubt('node', 'contradicts others'))).toBe(false)
  expect(endsRound(new Error('of one sweep'))).toBe(false)
  expect(endsRound(new Outage('node', 'away'))).toBe(true)
  expect(endsRound(new LeaseLost('spender', 'held by another'))).toBe(true)
})
