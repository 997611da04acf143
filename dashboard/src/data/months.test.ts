import { expect, test } from 'vitest'
import {
  dayName,
  daysBetween,
  daysOfMonth,
  isMonth,
  lastDays,
  monthName,
  monthOf,
  monthsUntil,
  timesOfMonth,
} from './months.ts'

test('months are those of UTC', () => {
  expect(monthOf(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11')
  expect(monthOf(Date.parse('2026-12-01T00:30:00+02:00'))).toBe('2026-11')
})

test('earlier months cross years', () => {
  expect(monthsUntil('2026-02', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
})

test('a month has its days, leap years included', () => {
  expect(daysOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(daysOfMonth('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
})

test('a month ends a millisecond before the next', () => {
  expect(timesOfMonth('2026-11')).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-30T23:59:59.999Z',
  })
})

test.each([
  ['2026-01', true],
  ['2026-12', true],
  ['2026-13', false],
  ['2026-1', false],
  ['1926-01', false],
  ['', false],
])('"%s" is a month: %s', (text, isOne) => {
  expect(isMonth(text)).toBe(isOne)
})

test('days are listed with both ends', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ])
  expect(daysBetween('2026-03-01', '2026-02-27')).toEqual([])
  expect(lastDays(2, Date.parse('2026-01-01T00:00:00Z'))).toEqual(['2025-12-31', '2026-01-01'])
})

test('months and days have names', () => {
  expect(monthName('2026-11')).toBe('November 2026')
  expect(dayName('2026-11-01')).toBe('Nov 1')
})
