import { expect, test } from 'vitest'
import { dayRange } from './days.ts'

test('a day is included from its first to its last millisecond in the zone of the person', () => {
  const { from = '', to = '' } = dayRange({ from: '2026-11-28', to: '2026-11-28' })
  expect(Date.parse(to) - Date.parse(from)).toBe(86_399_999)
  expect(new Date(from).getHours()).toBe(0)
})

test('a full time and a wrong date are left as they are', () => {
  const time = '2026-11-28T10:00:00Z'
  expect(dayRange({ from: time, to: '2026-13-99' })).toEqual({ from: time, to: '2026-13-99' })
  expect(dayRange({})).toEqual({})
})
