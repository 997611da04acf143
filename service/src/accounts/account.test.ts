import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../base/fault.ts'
import { parseExternalUserId } from './account.ts'

const EMOJI = '\u{1F600}'

const GOOD: readonly (readonly [name: string, text: string])[] = [
  ['one letter', 'a'],
  ['a number', '42'],
  ['a uuid', '0199c0de-0000-7000-8000-000000000000'],
  ['an e-mail address', 'ann@example.org'],
  ['255 letters', 'x'.repeat(255)],
  ['255 emoji, 510 UTF-16 units', EMOJI.repeat(255)],
  ['255 letters of three bytes', '\u20AC'.repeat(255)],
  ['a family joined by joiners', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
  ['letters from right to left', '\u05D0\u05D1\u05D2'],
  ['a right-to-left override', 'a\u202Eb'],
  ['a path upward', '../../etc/passwd'],
  ['a dot', '.'],
  ['two dots', '..'],
  ['a slash', 'a/b'],
  ['a backslash', 'a\\b'],
  ['an encoded NUL', '%00'],
  ['an encoded slash', 'a%2Fb'],
  ['a query', '?a=b&c=d#e'],
  ['SQL', "'; drop table x; --"],
  ['a dollar quote', '$$x$$'],
  ['a format string', '%s%n%d'],
  ['HTML', '<script>alert(1)</script>'],
  ['JSON', '{"a":1}'],
  ['a template', '${x}'],
  ['a name of an object', '__proto__'],
  ['another name of an object', 'constructor'],
  ['a spelled null', 'null'],
  ['a leading space', ' a'],
  ['a trailing space', 'a '],
  ['a space between', 'a b'],
  ['quotes', `"'\``],
  ['a letter and its accent in one', 'caf\u00E9'],
  ['a letter and its accent apart', 'cafe\u0301'],
  ['a private character', '\uE000'],
  ['a soft hyphen', 'a\u00ADb'],
  ['a byte order mark inside', 'a\uFEFFb'],
  ['a line separator inside', 'a\u2028b'],
  ['a very large plane', '\u{10FFFD}'],
]

const BAD: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['a space', ' '],
  ['white space alone', ' \u00A0\u2003\u3000'],
  ['a byte order mark alone', '\uFEFF'],
  ['256 letters', 'x'.repeat(256)],
  ['256 emoji', EMOJI.repeat(256)],
  ['255 emoji and a letter', `${EMOJI.repeat(255)}x`],
  ['a megabyte', 'x'.repeat(1_000_000)],
  ['NUL', 'a\u0000b'],
  ['NUL alone', '\u0000'],
  ['a bell', 'a\u0007'],
  ['a backspace', 'a\u0008'],
  ['a tab', 'a\tb'],
  ['a line feed', 'a\nb'],
  ['a trailing line feed', 'a\n'],
  ['a carriage return', 'a\rb'],
  ['an escape', '\u001B[31m'],
  ['DEL', 'a\u007Fb'],
  ['a control of the second set', 'a\u0085b'],
  ['the last control', 'a\u009F'],
  ['the first half of a pair', 'a\uD83D'],
  ['the second half of a pair', '\uDE00a'],
  ['halves in the wrong order', '\uDE00\uD83D'],
]

describe('external user ids', () => {
  test.each(GOOD)('accepted as it is: %s [V07]', (_name, text) => {
    expect(parseExternalUserId(text)).toBe(text)
  })

  test.each(BAD)('refused with INVALID_USER_ID: %s [V07]', (_name, text) => {
    expect(codeOf(() => parseExternalUserId(text))).toBe('INVALID_USER_ID')
  })

  test('a refusal for length counts what the limit counts [V07]', () => {
    const details = { length: 256, maximum: 255 }
    expect(() => parseExternalUserId(EMOJI.repeat(256))).toThrow(
      expect.objectContaining({ details }),
    )
  })

  test('composed and decomposed spellings are two users [V07]', () => {
    expect(parseExternalUserId('caf\u00E9')).not.toBe(parseExternalUserId('cafe\u0301'))
  })

  test('any text is accepted unchanged or refused as a whole [V07]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const fits =
          Array.from(text).length <= 255 && /\S/u.test(text) && !/\p{Cc}|\p{Cs}/u.test(text)
        const refused = codeOf(() => expect(parseExternalUserId(text)).toBe(text))
        expect(refused).toBe(fits ? null : 'INVALID_USER_ID')
      }),
    )
  })
})

function codeOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
