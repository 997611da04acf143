import { expect, test } from 'vitest'
import { closingOf, daysOf, type DayStats, isBlank, openingOf, statsQuery } from './reports.ts'

const TOKEN = { id: 't', name: 'Ether', symbol: 'ETH', decimals: 18, address: '' }
const FLOWS = {
  deposits: '250000000000000000',
  fundings: '5',
  withdrawals: '100000000000000000',
  fees: '420000000000000',
  corrections: '-1',
}
const LINE = { chainId: 'c', tokenId: 't', opening: '1000000000000000000', ...FLOWS, Token: TOKEN }
const CLOSING = '1149580000000000004'

test('a statement line adds up to the base unit', () => {
  expect(closingOf(LINE)).toBe(CLOSING)
})

test('the opening of a day is its closing without its flows', () => {
  const { opening: _opening, ...day } = LINE
  const stats: DayStats = {
    ...day,
    day: '2026-01-31',
    depositCount: 1,
    withdrawalCount: 1,
    closing: CLOSING,
  }
  expect(openingOf(stats)).toBe(LINE.opening)
})

test('a line is blank if all of its amounts are 0', () => {
  const zero = { deposits: '0', fundings: '0', withdrawals: '0', fees: '0', corrections: '0' }
  expect(isBlank({ ...LINE, ...zero, opening: '0', closing: '0' })).toBe(true)
  expect(isBlank({ ...LINE, ...zero, opening: '1', closing: '1' })).toBe(false)
})

test('the days of a report end with the last moment of the month', () => {
  const days = daysOf({ month: '2026-02', tokenId: 't' })
  expect(statsQuery(days)).toEqual({
    from: '2026-02-01',
    to: '2026-02-28T23:59:59.999Z',
    tokenId: 't',
  })
})
