import { describe, expect, test } from 'vitest'
import { importsAreDeclared } from './dependencies.ts'
import { judge } from './judge.ts'

const MANIFEST = {
  'service/package.json': JSON.stringify({
    dependencies: { pg: '1', '@scure/base': '1' },
    devDependencies: { kysely: '1', '@types/qrcode': '1' },
  }),
  'client/package.json': JSON.stringify({ devDependencies: { viem: '1' } }),
}
const PATH = 'service/src/store/a.ts'

describe('declared packages', () => {
  test.each(["import 'undici'", "import { a } from 'qrcode'", "import type { A } from 'ethers'"])(
    '%s is named',
    (text) => {
      expect(judge(importsAreDeclared, { ...MANIFEST, [PATH]: text })).toHaveLength(1)
    },
  )

  test('a package that is not bundled needs its libraries in production', () => {
    const judged = (text: string) =>
      judge(importsAreDeclared, { ...MANIFEST, 'client/src/a.ts': text })
    expect(judged("import { a } from 'viem'")).toHaveLength(1)
    expect(judged("import type { A } from 'viem'")).toEqual([])
  })

  test.each([
    "import { Pool } from 'pg'",
    "import { hex } from '@scure/base/hex.js'",
    "import { join } from 'node:path'",
    "import './b.ts'",
    "import { sql } from 'kysely'",
    "import type { A } from 'qrcode'",
  ])('%s passes', (text) => {
    expect(judge(importsAreDeclared, { ...MANIFEST, [PATH]: text })).toEqual([])
  })
})
