import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { signerImportsFew, signerIsSmall } from './signer.ts'

const linesOf = (count: number) => 'const a = 1\n'.repeat(count)

describe('lines of the signer', () => {
  test('counts all sources together, and no tests', () => {
    const halves = { 'signer/src/a.ts': linesOf(1_500), 'signer/src/decode/b.ts': linesOf(1_500) }
    const tests = { 'signer/src/a.test.ts': linesOf(900), 'signer/test/b.ts': linesOf(900) }
    expect(judge(signerIsSmall, { ...halves, ...tests, 'wire/src/a.ts': linesOf(9) })).toEqual([])
    expect(judge(signerIsSmall, { ...halves, 'signer/src/c.ts': linesOf(1) })).toEqual([
      'signer/src:1 has 3001 lines, 3000 at most',
    ])
  })
})

describe('packages of the signer', () => {
  const dependencies = Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [`part-${index}`, '1.0.0']),
  )
  const lock = {
    packages: { 'node_modules/@big/one': { dependencies }, 'node_modules/small': {} },
  }
  const files = { 'package-lock.json': JSON.stringify(lock) }

  test('counts a package with its dependencies, once', () => {
    const text = "import 'node:crypto'\nimport '@big/one/a.js'\nimport { b } from '@big/one'"
    expect(judge(signerImportsFew, { ...files, 'signer/src/a.ts': text })).toEqual([])
    const two = { ...files, 'signer/src/a.ts': text, 'signer/src/b.ts': "import 'small'" }
    expect(judge(signerImportsFew, two)).toMatchObject([
      expect.stringContaining('runs 13 packages, 12 at most: @big/one, part-0'),
    ])
  })

  test('ignores types, tests and other workspaces', () => {
    const others = {
      'signer/src/a.ts': "import '@big/one'\nimport type { A } from 'small'",
      'signer/src/a.test.ts': "import 'small'",
      'service/src/base/a.ts': "import 'small'",
    }
    expect(judge(signerImportsFew, { ...files, ...others })).toEqual([])
  })
})
