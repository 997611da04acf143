import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import { exportsAreUsed, noDeadFiles, reachedByTestsOnly } from './reach.ts'
import { treeFrom } from './tree.ts'

test('a file that nothing imports is named', () => {
  const found = judge(noDeadFiles, { 'wire/src/index.ts': '', 'wire/src/dead.ts': '' })
  expect(found).toEqual([expect.stringContaining('wire/src/dead.ts')])
})

test('two unused files that import each other are named', () => {
  const dead = { 'wire/src/a.ts': "import './b.ts'", 'wire/src/b.ts': "import './a.ts'" }
  expect(judge(noDeadFiles, dead)).toHaveLength(2)
})

test.each(['wire/src/index.ts', 'service/src/cli/main.ts', 'simulator/src/sandbox/main.ts'])(
  'a file that %s imports or starts as a worker is in use',
  (entry) => {
    const [folder] = entry.split(/\/[^/]+$/)
    const found = judge(noDeadFiles, {
      [entry]: "import './a.ts'",
      [`${folder}/a.ts`]: "new Worker(new URL('./b.js', import.meta.url))",
      [`${folder}/b.ts`]: '',
    })
    expect(found).toEqual([])
  },
)

test('a file that only a test imports is in use, and listed', () => {
  const texts = { 'wire/src/a.ts': '', 'wire/src/a.test.ts': "import './a.ts'" }
  expect(judge(noDeadFiles, texts)).toEqual([])
  expect(reachedByTestsOnly(treeFrom(texts))).toEqual(['wire/src/a.ts'])
})

test.each([
  [
    "import { used } from './a.ts'",
    ['service/src/base/a.ts:2 exports spare, which no other file uses'],
  ],
  ["import * as all from './a.ts'", []],
  ["const loaded = import('./a.ts')", []],
])('an export is used when %s', (text, found) => {
  const exported = 'export const used = 1\nexport function spare(): void {}\n'
  const texts = { 'service/src/base/a.ts': exported, 'service/src/base/b.ts': text }
  expect(judge(exportsAreUsed, texts)).toEqual(found)
})

test('an export that only a script names is used', () => {
  const texts = {
    'service/src/base/a.ts': 'export class Page {}\n',
    'tools/a.mjs': "const { Page } = await import('../service/src/base/a.ts')",
  }
  expect(judge(exportsAreUsed, texts)).toEqual([])
})
