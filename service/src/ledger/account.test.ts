import { describe, expect, test } from 'vitest'
import type { Address } from '../chains/port.ts'
import { CLAIM, PLACE_KINDS, isPlace, parsePlace, place } from './account.ts'

const ADDRESS = `0x${'ab'.repeat(20)}` as Address

describe('ledger accounts', () => {
  test.each(PLACE_KINDS)('a place names its address and gives it back: %s [I2]', (kind) => {
    const account = place(kind, ADDRESS)
    expect(account).toBe(`place:${kind}:${ADDRESS}`)
    expect(parsePlace(account)).toEqual({ kind, address: ADDRESS })
    expect(isPlace(account)).toBe(true)
  })

  test('no claim is a place [I1]', () => {
    expect(Object.values(CLAIM).filter((claim) => isPlace(claim))).toEqual([])
    expect(new Set(Object.values(CLAIM)).size).toBe(7)
  })

  test.each(['', 'a:b', ':'])('what is no address is no place: "%s" [I2]', (text) => {
    expect(() => place('deposits', text as Address)).toThrow('cannot be a place')
  })

  test.each(['place:deposits:', 'place:elsewhere:0x1', 'place:'])(
    'I2 a place of an unknown form is a bug: "%s"',
    (text) => {
      expect(() => parsePlace(text as `place:deposits:${string}`)).toThrow('a malformed place')
    },
  )
})
