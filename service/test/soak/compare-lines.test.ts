import { describe, expect, test } from 'vitest'
import { unlike } from './compare-lines.ts'

describe('lines of the ledger and of a rescan', () => {
  test('are equal in any order', () => {
    expect(unlike('a deposit', ['a', 'b', 'b'], ['b', 'a', 'b'])).toEqual([])
  })

  test.each([
    ['known alone', ['a', 'b'], ['a'], 'a deposit is not found by a rescan', 'b'],
    ['found alone', ['a'], ['a', 'b'], 'a deposit is found by a rescan alone', 'b'],
    ['known twice', ['a', 'a'], ['a'], 'a deposit is not found by a rescan', 'a'],
    ['found twice', ['a'], ['a', 'a'], 'a deposit is found by a rescan alone', 'a'],
  ])('reports a line that is %s', (_name, ledger, fresh, what, details) => {
    expect(unlike('a deposit', ledger, fresh)).toEqual([{ what, details }])
  })
})
