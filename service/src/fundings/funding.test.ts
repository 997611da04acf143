import { describe, expect, test } from 'vitest'
import { placeOf, splitOf } from './funding.ts'

describe('as what money at an own address is held', () => {
  test.each([
    ['coins at the gas wallet', 'gas', true, true, 'gas', 'gas'],
    ['a token at the gas wallet', 'gas', true, false, 'deposits', 'available'],
    ['coins at the settlement account', 'settlement', true, true, 'settlement', 'available'],
    ['a token at the settlement account', 'settlement', true, false, 'settlement', 'available'],
    ['coins over the wrong network', 'gas', false, true, 'deposits', 'available'],
    ['a token over the wrong network', 'settlement', false, false, 'deposits', 'available'],
  ] as const)('E16 %s', (_what, purpose, isOwnChain, isNative, place, claim) => {
    expect(placeOf({ purpose, isOwnChain, isNative })).toBe(place)
    const funding = { place: placeOf({ purpose, isOwnChain, isNative }), amount: 7n }
    expect(splitOf(funding)).toEqual({ gas: 0n, available: 0n, [claim]: 7n })
  })

  test.each([
    ['what the account lacks, and the rest is available', 3n, { gas: 3n, available: 4n }],
    ['all, where it lacks as much or more', 8n, { gas: 7n, available: 0n }],
    ['all, where nobody knows yet what it must keep', null, { gas: 7n, available: 0n }],
  ] as const)('X13 of money at a shared account is kept: %s', (_what, short, split) => {
    expect(splitOf({ place: 'settlement', amount: 7n }, short)).toEqual(split)
  })
})
