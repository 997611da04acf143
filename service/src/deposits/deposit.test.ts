import { describe, expect, test } from 'vitest'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { confirmationsAt, MOVES, positionIndex } from './deposit.ts'
import { depositPayload } from './payload.ts'

describe('a deposit', () => {
  test.each([
    ['log:5', 5],
    ['out:3', 3],
    ['call:0', 0],
    ['tx', 0],
  ])('has the number in its position as its index: %s', (position, index) => {
    expect(positionIndex(position)).toBe(index)
  })

  test.each(['', 'log:', 'log:-1', 'in:1', 'tx:1'])('has no such position: %j', (position) => {
    expect(() => positionIndex(position)).toThrow('a position of no known form')
  })

  test('R08 has 0 confirmations in its own block and never fewer', () => {
    const deposit = depositOf({ block: { height: 9, hash: '0x09' } })
    expect([8, 9, 10, 12].map((tip) => confirmationsAt(deposit, tip))).toEqual([0, 0, 1, 3])
  })

  test('E22 is told with its amount as text, exactly', () => {
    const amount = 2n ** 256n - 1n
    const token = { id: 'x', name: 'X', symbol: 'X', decimals: 18, address: '' }
    const payload = depositPayload(depositOf({ amount, position: 'log:7' }), {
      token,
      tipHeight: 11,
    })
    expect(payload).toMatchObject({ amount: amount.toString(), index: 7, confirmations: 2 })
  })

  test('leaves every state by a move, and no move stays where it is', () => {
    const moves = Object.values(MOVES)
    const left = new Set(moves.flatMap(({ from }) => from))
    expect([...left].sort()).toEqual(['BelowMinimum', 'Confirmed', 'Detected', 'Held', 'Orphaned'])
    for (const { from, to } of moves) expect(from).not.toContain(to)
  })

  test('R04 that is credited moves by a reorg alone', () => {
    const names = Object.entries(MOVES).flatMap(([name, { from }]) =>
      from.some((status) => status === 'Confirmed') ? [name] : [],
    )
    expect(names).toEqual(['orphan'])
  })
})
