import { describe, expect, test } from 'vitest'
import { circlesOf, noCircles } from './circles.ts'
import { judge } from './judge.ts'

describe('circles of files', () => {
  test('two files that import each other are named, type imports included', () => {
    const found = judge(noCircles, {
      'wire/src/a.ts': "import type { B } from './b.ts'",
      'wire/src/b.ts': "export * from './a.ts'",
    })
    expect(found).toEqual([
      'wire/src/a.ts:1 is in a circle of imports: wire/src/a.ts -> wire/src/b.ts -> wire/src/a.ts',
    ])
  })

  test('a diamond is no circle', () => {
    const found = judge(noCircles, {
      'wire/src/a.ts': "import './b.ts'\nimport './c.ts'",
      'wire/src/b.ts': "import './d.ts'",
      'wire/src/c.ts': "import './d.ts'",
      'wire/src/d.ts': '',
    })
    expect(found).toEqual([])
  })

  test('a circle beyond the first file is cut down to the files in it', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ])
    expect(circlesOf(graph)).toEqual([['b', 'c']])
  })

  test('a file that imports itself is a circle', () => {
    expect(circlesOf(new Map([['a', ['a']]]))).toEqual([['a']])
  })
})
