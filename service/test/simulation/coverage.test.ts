import { DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from '@sluice/wire'
import { expect, test } from 'vitest'
import { Coverage, coverageTable, emptyCells } from './coverage.ts'

test('the table counts the states that a fault met and lists the combinations never met', () => {
  const coverage = new Coverage()
  coverage.note('kill', { withdrawals: new Set(WITHDRAWAL_STATUSES), deposits: new Set(['Held']) })
  coverage.note('kill', { withdrawals: new Set(['Pending']), deposits: new Set() })
  const other = new Coverage()
  other.note('kill', { withdrawals: new Set(), deposits: new Set(DEPOSIT_STATUSES.slice(0, 3)) })
  coverage.add(other.counted())
  expect(coverage.counted()['kill W:Pending']).toBe(2)
  expect(emptyCells(coverage, ['kill'])).toEqual(['kill D:Orphaned'])
  expect(coverageTable(coverage, ['kill'])).toMatch(/empty: kill D:Orphaned$/)
  coverage.add({ 'kill D:Orphaned': 1 })
  expect(coverageTable(coverage, ['kill'])).toMatch(/no cell is empty$/)
})
