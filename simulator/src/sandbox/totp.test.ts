import { expect, test } from 'vitest'
import { TotpCodes, totpCode } from './totp.ts'

/** RFC 6238, appendix B, the last six of its eight digits; the secret in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

test.each(VECTORS)('the code at second %i is that of RFC 6238', (seconds, code) => {
  expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code)
})

test('a code is issued once, and only while it is accepted', () => {
  const codes = new TotpCodes()
  const now = 1234567890_000
  const step = Math.floor(now / 30_000)
  expect(codes.next('alice', SECRET, now)).toBe(totpCode(SECRET, step))
  expect(codes.next('alice', SECRET, now)).toBe(totpCode(SECRET, step + 1))
  expect(codes.next('alice', SECRET, now)).toBeNull()
  expect(codes.next('bob', SECRET, now)).toBe(totpCode(SECRET, step))
  expect(codes.next('alice', SECRET, now + 30_000)).toBe(totpCode(SECRET, step + 2))
})

test('a code is awaited when all accepted ones were issued', async () => {
  const codes = new TotpCodes()
  let now = 1234567890_000 + 7_000
  const step = Math.floor(now / 30_000)
  const waits: number[] = []
  const time = {
    now: () => now,
    wait: async (ms: number) => {
      waits.push(ms)
      now += ms
    },
  }
  const taken = [1, 2, 3].map(() => codes.take('alice', SECRET, time))
  expect(await Promise.all(taken)).toEqual([0, 1, 2].map((at) => totpCode(SECRET, step + at)))
  expect(waits).toEqual([30_000 - ((1234567890_000 + 7_000) % 30_000)])
})
