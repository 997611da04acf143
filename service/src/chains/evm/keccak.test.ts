import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keccak, keccakInBulk } from './keccak.ts'

describe('Keccak-256', () => {
  test.each([
    ['nothing', '', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', 'abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('is the published one of %s, both ways', (_what, text, hash) => {
    for (const way of [keccak, keccakInBulk]) {
      expect(Buffer.from(way(Buffer.from(text))).toString('hex')).toBe(hash)
    }
  })

  test('returns the same hash with both implementations for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_000 }), (bytes) => {
        expect(Buffer.from(keccakInBulk(bytes))).toEqual(Buffer.from(keccak(bytes)))
      }),
    )
  })

  test('returns its own bytes, which the next call does not change', () => {
    const first = keccakInBulk(Buffer.from('a'))
    const kept = Buffer.from(first)
    keccakInBulk(Buffer.from('b'))
    expect(Buffer.from(first)).toEqual(kept)
  })
})
