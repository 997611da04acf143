import { describe, expect, test } from 'vitest'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { openCatalogue } from '../catalogue/find.ts'
import { MOVES, confirmationsAt, gasOf, placeOf, positionIndex } from './deposit.ts'
import { depositPayload } from './emit.ts'

describe('a deposit', () => {
  test.each([
    ['log:5', 5],
    ['out:3', 3],
    ['call:0', 0],
    ['tx', 0],
  ])('has the number in its position as its index: %s', (position, index) => {
    expect(positionIndex(position)).toBe(index)
  })

  test.each(['', 'log:', 'log:-1', 'in:1', 'tx:1'])('rejects the position %j', (position) => {
    expect(() => positionIndex(position)).toThrow('unknown form of position')
  })

  test('has 0 confirmations in its own block and never fewer [R08]', () => {
    const deposit = depositOf({ block: { height: 9, hash: '0x09' } })
    expect([8, 9, 10, 12].map((tip) => confirmationsAt(deposit, tip))).toEqual([0, 0, 1, 3])
  })

  test('is emitted with its exact amount as text [E22]', () => {
    const amount = 2n ** 256n - 1n
    const catalogue = openCatalogue({ chains: [], tokens: [] })
    const payload = depositPayload(catalogue, depositOf({ amount, position: 'log:7' }), 11)
    expect(payload).toMatchObject({ amount: amount.toString(), index: 7, confirmations: 2 })
  })

  test('can leave every state, and every move changes the state', () => {
    const moves = Object.values(MOVES)
    const left = new Set(moves.flatMap(({ from }) => from))
    expect([...left].sort()).toEqual(['BelowMinimum', 'Confirmed', 'Detected', 'Held', 'Orphaned'])
    for (const { from, to } of moves) expect(from).not.toContain(to)
  })

  test('that is credited moves only by a reorg [R04]', () => {
    const names = Object.entries(MOVES).flatMap(([name, { from }]) =>
      from.some((status) => status === 'Confirmed') ? [name] : [],
    )
    expect(names).toEqual(['orphan'])
  })
})

describe('a funding', () => {
  test.each([
    ['native coins at the gas wallet', 'gas', true, true, 'gas', 7n],
    ['a token at the gas wallet', 'gas', true, false, 'deposits', 0n],
    ['native coins at the settlement address', 'settlement', true, true, 'settlement', 0n],
    ['a token at the settlement address', 'settlement', true, false, 'settlement', 0n],
    ['native coins on another chain', 'gas', false, true, 'deposits', 0n],
    ['a token on another chain', 'settlement', false, false, 'deposits', 0n],
  ] as const)(
    'of %s has its place and its claim [E16]',
    (_what, purpose, own, native, place, gas) => {
      expect(placeOf({ purpose, isOwnChain: own, isNative: native })).toBe(place)
      expect(gasOf({ place, amount: 7n })).toBe(gas)
    },
  )

  test.each([
    ['the part that the reserve lacks', 3n, 3n],
    ['all if the reserve lacks more', 8n, 7n],
    ['all if the reserve is unknown', null, 7n],
  ] as const)('of a base account gives as gas %s [X13]', (_what, short, gas) => {
    expect(gasOf({ place: 'settlement', amount: 7n }, short)).toBe(gas)
  })
})
