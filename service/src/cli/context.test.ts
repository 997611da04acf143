import { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { print, table } from './context.ts'

/** Reads as another text than it is: what follows the mark is shown from right to left. */
const TURNED = 'to\u202eecila\u2069'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a table escapes characters that reverse a text or break its line [V07]', () => {
  const rows = [
    [TURNED, 'a\u2028b\u2029c'],
    ['\u200bzero\u{e0041}', 'a\u001b[31m\nb'],
  ]
  expect(table(['note', 'reference'], rows, 'none')).toEqual([
    `note${' '.repeat(17)}reference`,
    'to\\u202eecila\\u2069  a\\u2028b\\u2029c',
    '\\u200bzero\\u{e0041}  a\\u001b[31m\\u000ab',
  ])
})

test('a line escapes the same characters, and keeps colours and QR codes [V07]', () => {
  expect(printed([`note: ${TURNED}`, 'a\u2028b', '\u001b[47m██\u001b[0m\nnext'])).toEqual([
    'note: to\\u202eecila\\u2069',
    'a\\u2028b',
    '\u001b[47m██\u001b[0m\nnext',
  ])
})

test('names of people in any script are printed as they are [V07]', () => {
  const names = ['Zoë', 'שלום', 'محمد', '東京', '👍🏽']
  expect(printed(names)).toEqual(names)
  expect(
    table(
      ['name'],
      names.map((name) => [name]),
      'none',
    ).slice(1),
  ).toEqual(names)
})

test('JSON is exact [V07]', () => {
  const command = new Command().option('--json').parse(['--json'], { from: 'user' })
  expect(printed([], { command, result: { note: TURNED } })).toEqual([
    JSON.stringify({ note: TURNED }, null, 2),
  ])
})

function printed(
  lines: readonly string[],
  { command = new Command(), result = {} }: { command?: Command; result?: unknown } = {},
): unknown[] {
  const said = vi.spyOn(console, 'log').mockReturnValue()
  print(command, result, () => lines)
  return said.mock.calls.map(([line]) => line)
}
