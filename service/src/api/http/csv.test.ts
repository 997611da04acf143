import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRecord, decimalOf } from './csv.ts'

test.each([
  [['a', 1, true, null, undefined, ''], 'a,1,true,,,'],
  [['a,b', 'say "no"', 'two\r\nlines'], '"a,b","say ""no""","two\r\nlines"'],
  [[['x', 'y']], 'x y'],
  [[{ a: '1,2' }], '"{""a"":""1,2""}"'],
])('a record of %j is written by RFC 4180', (cells, text) => {
  expect(csvRecord(cells)).toBe(`${text}\r\n`)
})

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-1+1', "'-1+1"],
  ['-', "'-"],
  ['-1e5', "'-1e5"],
  ['-1.5.2', "'-1.5.2"],
  ['@sum(a1)', "'@sum(a1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['=a,"b"', '"\'=a,""b"""'],
  ['-15', '-15'],
  ['-1.50', '-1.50'],
  ['1-1', '1-1'],
  [' =1', ' =1'],
])('the cell %j is written as %j', (cell, text) => {
  expect(csvRecord([cell])).toBe(`${text}\r\n`)
})

test('cells are read back as they were, apart from the apostrophe', () => {
  const cells = fc.array(fc.string(), { minLength: 1 })
  fc.assert(
    fc.property(cells, (row) => {
      const expected = row.map((cell) =>
        /^[=+\-@\t\r]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell,
      )
      expect(readRecord(csvRecord(row))).toEqual(expected)
    }),
  )
})

test.each([
  ['1500000', 6, '1.5'],
  ['1', 18, '0.000000000000000001'],
  ['-1500000', 6, '-1.5'],
  ['0', 6, '0'],
  ['100', 0, '100'],
  ['1000000', 6, '1'],
  ['', 6, ''],
])('%s base units with %d decimals are %s', (units, decimals, text) => {
  expect(decimalOf(units, decimals)).toBe(text)
})

/** Reads one record by the grammar of RFC 4180. */
function readRecord(text: string): string[] {
  const cells: string[] = []
  let rest = text.slice(0, -2)
  for (;;) {
    const [match, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? ['']
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    rest = rest.slice(match.length)
    if (rest === '') return cells
    if (!rest.startsWith(',')) throw new Error(`not RFC 4180: ${rest}`)
    rest = rest.slice(1)
  }
}
