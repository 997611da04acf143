import { describe, expect, test } from 'vitest'
import { claimOf, placeOf } from './funding.ts'

describe('as what money at an own address is held', () => {
  test.each([
    ['coins at the gas wallet', 'gas', true, true, 'gas', 'claim:gas'],
    ['a token at the gas wallet', 'gas', true, false, 'deposits', 'claim:available'],
    ['coins at the settlement account', 'settlement', true, true, 'settlement', 'claim:available'],
    [
      'a token at the settlement account',
      'settlement',
      true,
      false,
      'settlement',
      'claim:available',
    ],
    ['coins over the wrong network', 'gas', false, true, 'deposits', 'claim:available'],
    ['a token over the wrong network', 'settlement', false, false, 'deposits', 'claim:available'],
  ] as const)('E16 %s', (_what, purpose, isOwnChain, isNative, place, claim) => {
    expect(placeOf({ purpose, isOwnChain, isNative })).toBe(place)
    expect(claimOf(placeOf({ purpose, isOwnChain, isNative }))).toBe(claim)
  })
})
