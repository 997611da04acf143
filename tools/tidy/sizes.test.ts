import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import {
  filesAreShort,
  functionsAreShort,
  linesAreNarrow,
  roomsAreSmall,
  sizesTable,
} from './sizes.ts'
import { treeFrom } from './tree.ts'

const PATH = 'service/src/base/a.ts'
const lines = (count: number) => 'void 0\n'.repeat(count)

describe('sizes', () => {
  test('a file of 401 lines is named, one of 400 passes', () => {
    expect(judge(filesAreShort, { [PATH]: lines(401) })).toHaveLength(1)
    expect(judge(filesAreShort, { [PATH]: lines(400) })).toEqual([])
  })

  test.each([
    ['a function', 'function a() {\n', '}'],
    ['an arrow', 'const a = () => {\n', '}'],
    ['a method', 'class A { a() {\n', '}}'],
    ['a function that a test calls, except its callback,', 'test(name, wrap(() => {\n', '}))'],
  ])('%s of 61 lines is named, one of 60 passes', (_what, head, tail) => {
    expect(judge(functionsAreShort, { [PATH]: head + lines(59) + tail })).toHaveLength(1)
    expect(judge(functionsAreShort, { [PATH]: head + lines(58) + tail })).toEqual([])
  })

  test.each(['describe("a", () => {\n', 'test.each([])("a", () => {\n', 'beforeAll(() => {\n'])(
    'a callback of %s may be long',
    (head) => {
      expect(judge(functionsAreShort, { [PATH]: `${head}${lines(90)}})` })).toEqual([])
    },
  )

  test('a line of 101 columns is named, one of 100 passes', () => {
    expect(judge(linesAreNarrow, { [PATH]: `//${'x'.repeat(99)}` })).toHaveLength(1)
    expect(judge(linesAreNarrow, { [PATH]: `//${'x'.repeat(98)}` })).toEqual([])
  })

  test('a generated file may be long and wide', () => {
    const written = { 'client/src/generated.ts': lines(401) + `//${'x'.repeat(99)}` }
    expect(judge(filesAreShort, written)).toEqual([])
    expect(judge(linesAreNarrow, written)).toEqual([])
  })

  test('a service with too long a median file is named', () => {
    const found = judge(roomsAreSmall, { [PATH]: lines(91) })
    expect(found).toEqual([expect.stringContaining('the median file has 91 lines')])
    expect(judge(roomsAreSmall, { [PATH]: lines(90) })).toEqual([])
  })

  test('the table counts comments and tests', () => {
    const table = sizesTable(
      treeFrom({
        [PATH]: '/* one\ntwo */\nvoid 0\nvoid 0\n',
        'service/src/base/a.test.ts': '\n\n',
      }),
    )
    expect(table).toMatch(/service +1 +4 +4\/4\/4 +0\/0\/0 +50 % +0\.50/)
  })
})
