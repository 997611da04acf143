import { expect, test } from 'vitest'
import { shellWord } from './visible.ts'

test.each([
  ['alice', 'alice'],
  ['user@shop.example', 'user@shop.example'],
  ['two words', "'two words'"],
  ["O'Neil; rm -rf", "'O'\\''Neil; rm -rf'"],
  ['', "''"],
  ['$HOME', "'$HOME'"],
])('writes %s as one word of a shell', (value, word) => {
  expect(shellWord(value)).toBe(word)
})
