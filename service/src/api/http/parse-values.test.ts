import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../base/fault.ts'
import { openCatalogue } from '../../catalogue/find.ts'
import { parseChain, parseHash, parseTime, parseTokenFilter } from './parse-values.ts'

const catalogue = openCatalogue({ chains: [], tokens: [] })
const USDT = 'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7'

describe('values of a query', () => {
  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00+05:30', '2026-01-31T06:30:00.000Z'],
    ['2026-01-31T12:00:00 05:30', '2026-01-31T06:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['1900-01-01', '1970-01-01T00:00:00.000Z'],
    ['0000-01-01', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.999Z'],
  ])('a time is parsed: %s', (text, meant) => {
    expect(parseTime('from', text)).toBe(Date.parse(meant))
  })

  test.each([
    '',
    '1',
    '0',
    '1767225600000',
    'yesterday',
    '2026',
    '2026-01',
    '2026-1-1',
    '2026-13-01',
    '2026-02-30',
    '2023-02-29',
    '2026-01-32',
    '2026-01-31T25:00Z',
    '2026-01-31T12:60Z',
    '2026-01-31 12:00',
    '2026-01-31T12:00:00',
    '2026-01-31T12:00:00 Z',
    '2026-01-31T12:00:00  05:30',
    '2026-01-31 05:30',
    '2026-01-31T12:00:00Z ',
    '+002026-01-31',
    '-000001-01-01',
    '20260131',
    'Sat, 31 Jan 2026 12:00:00 GMT',
    '2026-01-31T12:00:00.000Z\u0000',
    "2026-01-31' or 1=1",
  ])('an invalid time is refused: %j [V06]', (text) => {
    expect(refusalOf(() => parseTime('from', text))).toMatchObject({
      code: 'BAD_REQUEST',
      details: { field: 'from' },
    })
  })

  test('a time that we format is parsed to the same time', () => {
    const times = fc.integer({ min: 0, max: 253_402_300_799_999 })
    fc.assert(
      fc.property(times, (at) => {
        expect(parseTime('to', new Date(at).toISOString())).toBe(at)
      }),
    )
  })

  test.each([
    [`0x${'a'.repeat(64)}`, `0x${'a'.repeat(64)}`],
    [`0X${'A'.repeat(64)}`, `0x${'a'.repeat(64)}`],
    [`0x${'AbCd'.repeat(16)}`, `0x${'abcd'.repeat(16)}`],
    ['AB'.repeat(32), 'AB'.repeat(32)],
  ])('a hash is parsed: %s', (text, meant) => {
    expect(parseHash(text)).toBe(meant)
  })

  test.each([
    '',
    '0x',
    'a',
    'a'.repeat(63),
    'a'.repeat(65),
    'g'.repeat(64),
    `0x${'a'.repeat(64)}\n`,
  ])('an invalid hash is refused: %j [V06]', (text) =>
    expect(refusalOf(() => parseHash(text))?.details['field']).toBe('txnHash'),
  )

  test('spellings of a token id with a valid checksum are the same token [V06]', () => {
    expect(parseTokenFilter(catalogue, USDT.toLowerCase())).toBe(USDT)
    expect(parseTokenFilter(catalogue, USDT)).toBe(USDT)
    const removed = 'eip155:1/erc20:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
    const shown = 'eip155:1/erc20:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    expect(parseTokenFilter(catalogue, removed)).toBe(shown)
    const wrong = [USDT.replace('dAC1', 'dac1'), `${USDT}0`, USDT.replace('eip155:1', 'eip155:01')]
    for (const text of ['', 'USDT', 'eip155:1', ...wrong])
      expect(refusalOf(() => parseTokenFilter(catalogue, text))?.details['field']).toBe('tokenId')
  })

  test('a refusal repeats an unknown chain in short and lists the known chains [V06]', () => {
    const refusal = refusalOf(() => parseChain(catalogue, 'x'.repeat(10_000)))
    expect(refusal).toMatchObject({ code: 'INVALID_CHAIN' })
    expect(refusal?.details['providedChainId']).toBe('x'.repeat(100))
    expect(refusal?.details['supportedChains']).toHaveLength(11)
  })
})

function refusalOf(work: () => unknown): Refusal | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
