import { describe, expect, test } from 'vitest'
import { nothingIsLeftOpen, nothingIsWavedThrough, typesAreProved } from './escapes.ts'
import { judge } from './judge.ts'

const PATH = 'service/src/base/a.ts'

describe('escapes', () => {
  test.each([
    'const a: any = 1',
    'function f(a: any[]) {}',
    'const b = a!.b',
    '// @ts-ignore\nwork()',
    '// @ts-expect-error it is fine\nwork()',
    '/* eslint-disable no-var */',
    '// oxlint-disable-next-line',
    '// biome-ignore format: mine',
  ])('%s is named', (text) => {
    expect(judge(nothingIsWavedThrough, { [PATH]: text })).toHaveLength(1)
    expect(judge(nothingIsWavedThrough, { 'service/test/a.test.ts': text })).toHaveLength(1)
  })

  test.each([
    'const a: unknown = !b',
    '// any of them will do!',
    'const text = "@ts-ignore"',
    'if (a !== b) work()',
  ])('%s passes', (text) => {
    expect(judge(nothingIsWavedThrough, { [PATH]: text })).toEqual([])
  })

  test('a comment that promises work is named, a text that does so passes', () => {
    expect(judge(nothingIsLeftOpen, { [PATH]: '// TODO later' })).toHaveLength(1)
    expect(judge(nothingIsLeftOpen, { [PATH]: "const word = 'TODO'" })).toEqual([])
  })

  test.each([
    'const a = b as Amount',
    'function work(a: unknown) { return a as Amount }',
    'const a = b as unknown as Amount',
  ])('%s is named because it asserts a type without parsing', (text) => {
    expect(judge(typesAreProved, { [PATH]: text })).not.toEqual([])
  })

  test.each([
    'function parseAmount(a: unknown) { return a as Amount }',
    'const toAmount = (a: unknown) => a as Amount',
    'const STATES = ["a", "b"] as const',
    'const LEVEL = "info" as Level; const NONE = [] as readonly string[]',
    'const a = { b: 1 } satisfies Record<string, number>',
    "import { a as b } from './b.ts'",
  ])('%s passes', (text) => {
    expect(judge(typesAreProved, { [PATH]: text })).toEqual([])
  })
})
