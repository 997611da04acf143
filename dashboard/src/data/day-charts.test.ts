import { expect, test } from 'vitest'
import { balanceLines, depositColumns, depositedOf, extentOf, heightOf } from './day-charts.ts'
import type { DayStats } from './reports.ts'

const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03']
const named = { days: DAYS, nameOf: (tokenId: string) => tokenId.toUpperCase(), others: 'Others' }

function stats(day: string, tokenId: string, part: Partial<DayStats> = {}): DayStats {
  return {
    day,
    chainId: 'c',
    tokenId,
    depositCount: 1,
    withdrawalCount: 0,
    deposits: '10',
    fundings: '0',
    withdrawals: '0',
    fees: '0',
    corrections: '0',
    closing: '10',
    Token: { id: tokenId, name: tokenId, symbol: tokenId, decimals: 6, address: '' },
    ...part,
  }
}

test('columns count deposits of each token on each day', () => {
  const { series, columns } = depositColumns(
    [
      stats('2026-01-01', 'a'),
      stats('2026-01-03', 'a'),
      stats('2026-01-03', 'b', { depositCount: 4 }),
      stats('2026-01-03', 'fundedOnly', { depositCount: 0 }),
    ],
    named,
  )
  expect(series).toEqual([
    { key: 'b', name: 'B' },
    { key: 'a', name: 'A' },
  ])
  expect(columns).toEqual([
    { label: '2026-01-01', values: { a: 1 } },
    { label: '2026-01-02', values: {} },
    { label: '2026-01-03', values: { a: 1, b: 4 } },
  ])
  expect(columns.map(heightOf)).toEqual([1, 0, 5])
})

test('the tokens with the fewest deposits share a series, without losing any', () => {
  const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const { series, columns } = depositColumns(
    tokens.map((tokenId, index) => stats('2026-01-01', tokenId, { depositCount: 9 - index })),
    named,
  )
  expect(series.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e', 'others'])
  expect(columns[0]?.values).toEqual({ a: 9, b: 8, c: 7, d: 6, e: 5, others: 7 })
})

test('a balance lasts until the next posting, and starts before the first', () => {
  const large = (2n ** 100n).toString()
  const [line] = balanceLines(
    [
      stats('2026-01-02', 'a', { closing: large, deposits: '10' }),
      stats('2026-01-03', 'a', { closing: '-5' }),
    ],
    DAYS,
  )
  const opening = (2n ** 100n - 10n).toString()
  expect(line?.points.map(({ balance }) => balance)).toEqual([opening, large, '-5'])
  expect(extentOf(line?.points ?? [])).toBe(large)
  expect(extentOf([{ day: '', balance: '-5' }])).toBe('5')
})

test('deposits are added for each token alone', () => {
  expect(
    depositedOf([
      stats('2026-01-01', 'a'),
      stats('2026-01-02', 'a', { deposits: '5' }),
      stats('2026-01-02', 'b', { deposits: '7' }),
      stats('2026-01-02', 'c', { deposits: '0', depositCount: 0 }),
    ]).map(({ tokenId, count, amount }) => [tokenId, count, amount]),
  ).toEqual([
    ['a', 2, '15'],
    ['b', 1, '7'],
  ])
})
