import { expect, test } from 'vitest'
import { differencesOf, lookAlikesIn } from './differences.ts'

test('marks every letter that differs, and those that the other one lacks', () => {
  const marked = (address: string, other: string) =>
    differencesOf(address, other)
      .flatMap(({ letters }) => letters)
      .map(({ letter, isDifferent }) => (isDifferent ? `[${letter}]` : letter))
      .join('')
  expect(marked('0x1234abcd', '0x1934abce')).toBe('0x1[2]34abc[d]')
  expect(marked('abcdef', 'abcd')).toBe('abcd[e][f]')
  expect(marked('same', 'same')).toBe('same')
  expect(marked('TxYz', 'TxYZ')).toBe('TxY[z]')
  expect(marked('0xaBc', '0xAbd')).toBe('0xaB[c]')
})

test('groups four letters', () => {
  expect(
    differencesOf('abcdef', 'abcdef').map(({ from, letters }) => [from, letters.length]),
  ).toEqual([
    [0, 4],
    [4, 2],
  ])
})

test('reads known addresses and leaves out what is none', () => {
  const addresses = [{ address: 'A', known: 'deposit' }, { address: 'B', known: 'new' }, {}, null]
  expect(lookAlikesIn({ addresses })).toEqual([
    { address: 'A', known: 'deposit' },
    { address: 'B', known: 'other' },
  ])
  expect(lookAlikesIn({})).toEqual([])
})
