import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import {
  importsGoDown,
  importsLeadSomewhere,
  packagesKeepApart,
  readModules,
  roomsAreListed,
} from './modules.ts'

const ARCHITECTURE = `# Architecture

## The order of modules

A file imports from its own module or an earlier one.

1. \`base\` ground
2. \`ledger\` money
3. \`withdrawals\` (later) money out

## The two walks
- \`follow.ts\` is no module
`
const PAGE = { 'ARCHITECTURE.md': ARCHITECTURE }

describe('the order of modules', () => {
  test('is read from the list under its heading only', () => {
    expect(readModules(ARCHITECTURE)).toEqual([
      { name: 'base', isLater: false },
      { name: 'ledger', isLater: false },
      { name: 'withdrawals', isLater: true },
    ])
  })

  test('is read from a fenced list', () => {
    const text = '# A\n### The order of modules\n```text\nbase, store > keys\n```\n'
    expect(readModules(text).map(({ name }) => name)).toEqual(['base', 'store', 'keys'])
  })

  test('a module without a folder, a folder without a module and a loose file are named', () => {
    const found = judge(roomsAreListed, {
      ...PAGE,
      'service/src/base/a.ts': '',
      'service/src/extras/a.ts': '',
      'service/src/loose.ts': '',
    })
    expect(found).toHaveLength(3)
    expect(found.join()).toMatch(/extras.*is no module.*lists ledger.*loose\.ts.*no module/)
  })

  test('a page without the list is named', () => {
    expect(judge(roomsAreListed, { 'ARCHITECTURE.md': '# A' })).toHaveLength(1)
  })

  test('a service with the listed modules passes', () => {
    const files = { 'service/src/base/a.ts': '', 'service/src/ledger/a.ts': '' }
    expect(judge(roomsAreListed, { ...PAGE, ...files })).toEqual([])
  })

  test.each([
    ["import { b } from '../ledger/b.ts'", 'an import'],
    ["import type { b } from '../ledger/b.ts'", 'an import of a type'],
    ["export { b } from '../ledger/b.ts'", 'a re-export'],
    ["export * from '../ledger/b.ts'", 'a re-export of everything'],
    ["type B = import('../ledger/b.ts').B", 'a type in place'],
    ["const b = await import('../ledger/b.ts')", 'an import at run time'],
    ["new Worker(new URL('../ledger/b.js', import.meta.url))", 'a worker'],
  ])('%s upward is refused', (text) => {
    const files = { 'service/src/base/a.ts': text, 'service/src/ledger/b.ts': '' }
    expect(judge(importsGoDown, { ...PAGE, ...files })).toEqual([
      expect.stringContaining('service/src/base/a.ts:1 imports service/src/ledger/b.ts'),
    ])
  })

  test('an import downward, sideways, or named in a comment passes', () => {
    const files = {
      'service/src/base/b.ts': "// import '../ledger/a.ts'",
      'service/src/ledger/a.ts': "import '../base/b.ts'\nimport './c.ts'",
      'service/src/ledger/c.ts': '',
    }
    expect(judge(importsGoDown, { ...PAGE, ...files })).toEqual([])
  })
})

describe('packages', () => {
  const INDEX = {
    'wire/src/index.ts': '',
    'simulator/src/index.ts': '',
    'service/src/index.ts': '',
  }

  test.each([
    ['simulator/src/a.ts', "import '@sluice/service'"],
    ['simulator/src/a.ts', "import '@sluice/wire'"],
    ['service/src/base/a.ts', "import '@sluice/simulator'"],
    ['service/src/base/a.ts', "import '../../../wire/src/index.ts'"],
    ['wire/src/a.ts', "import type { A } from '@sluice/service'"],
    ['dashboard/src/a.ts', "import { A } from '@sluice/wire'"],
    ['signer/src/a.ts', "import type { A } from '../../service/src/index.ts'"],
    ['signer/src/a.ts', "import { A } from '@sluice/wire'"],
    ['service/src/base/a.test.ts', "import '../../../wire/src/index.ts'"],
  ])('%s may not contain %s', (path, text) => {
    expect(judge(packagesKeepApart, { ...INDEX, [path]: text })).toHaveLength(1)
  })

  test.each([
    ['service/src/base/a.ts', "import { A } from '@sluice/wire'"],
    ['service/src/base/a.test.ts', "import { A } from '@sluice/simulator'"],
    ['service/test/flows/a.test.ts', "import { A } from '@sluice/simulator'"],
    ['dashboard/src/a.ts', "import type { A } from '@sluice/wire'"],
    ['signer/src/a.test.ts', "import { A } from '../../service/src/index.ts'"],
    ['dashboard/src/a.ts', "import { type A, type B } from '@sluice/wire'"],
  ])('%s may contain %s', (path, text) => {
    expect(judge(packagesKeepApart, { ...INDEX, [path]: text })).toEqual([])
  })
})

test('an import of a missing file is named', () => {
  const path = 'wire/src/index.ts'
  expect(judge(importsLeadSomewhere, { [path]: "import './gone.ts'" })).toHaveLength(1)
  expect(judge(importsLeadSomewhere, { [path]: "import './index.ts'" })).toEqual([])
})
