import { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { print, table } from './context.ts'

/** Reads as another text than it is: what follows the mark is shown from right to left. */
const TURNED = 'to\u202eecila\u2069'

afterEach(() => {
  vi.restoreAllMocks()
})

test('V07 a table shows marks that turn a text around or break its line, and obeys none', () => {
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

test('V07 so does a line, where colours and QR codes stay what they are', () => {
  expect(printed([`note: ${TURNED}`, 'a\u2028b', '\u001b[47m██\u001b[0m\nnext'])).toEqual([
    'note: to\\u202eecila\\u2069',
    'a\\u2028b',
    '\u001b[47m██\u001b[0m\nnext',
  ])
})

test('V07 names of people in any script are printed as they are', () => {
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

test('V07 JSON is exact', () => {
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
