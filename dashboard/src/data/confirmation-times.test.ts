import { expect, test } from 'vitest'
import { histogramOf, quantile, timesOf } from './confirmation-times.ts'

const WORDS = {
  labelOf: ({ from, to }: { from: number; to: number }) => `${from}-${to}`,
  nameOf: (chainId: string) => chainId.toUpperCase(),
  others: 'Others',
}
const time = (seconds: number, chainId = 'a') => ({ seconds, chainId })

test('a time is that from detection to credit, never negative', () => {
  const createdAt = '2026-01-01T00:00:00.000Z'
  expect(
    timesOf([
      { chainId: 'a', createdAt, confirmedAt: '2026-01-01T00:00:09.600Z' },
      { chainId: 'a', createdAt, confirmedAt: '2025-12-31T23:59:59.000Z' },
      { chainId: 'b', createdAt, confirmedAt: null },
    ]),
  ).toEqual([time(10), time(0)])
})

test('each time is in one column, at the upper end of it included', () => {
  const { series, columns } = histogramOf([time(0), time(5), time(6), time(15, 'b')], WORDS)
  expect(series).toEqual([
    { key: 'a', name: 'A' },
    { key: 'b', name: 'B' },
  ])
  expect(columns).toEqual([
    { label: '0-5', values: { a: 2 } },
    { label: '5-15', values: { a: 1, b: 1 } },
  ])
})

test('empty columns stay between others and are left out at the ends', () => {
  const { columns } = histogramOf([time(20), time(100)], WORDS)
  expect(columns.map(({ label }) => label)).toEqual(['15-30', '30-60', '60-120'])
  expect(histogramOf([], WORDS).columns).toEqual([])
})

test('the longest times have a column without an end', () => {
  expect(histogramOf([time(90_000)], WORDS).columns).toEqual([
    { label: '7200-Infinity', values: { a: 1 } },
  ])
})

test('many chains share the last series', () => {
  const times = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((chainId) => time(1, chainId))
  const { series, columns } = histogramOf(times, WORDS)
  expect(series.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e', 'others'])
  expect(columns[0]?.values['others']).toBe(2)
})

test('a quantile is a time that occurred', () => {
  const times = [time(4), time(1), time(3), time(2)]
  expect(quantile(times, 0.5)).toBe(2)
  expect(quantile(times, 0.95)).toBe(4)
  expect(quantile([], 0.5)).toBeNull()
})
