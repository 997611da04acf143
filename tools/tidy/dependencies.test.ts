import { describe, expect, test } from 'vitest'
import { importsAreDeclared } from './dependencies.ts'
import { judge } from './judge.ts'

const MANIFEST = {
  'service/package.json': JSON.stringify({
    dependencies: { pg: '1', '@scure/base': '1' },
    devDependencies: { viem: '1', '@types/qrcode': '1' },
  }),
}
const PATH = 'service/src/store/a.ts'

describe('declared packages', () => {
  test.each(["import 'undici'", "import { a } from 'viem'", "import type { A } from 'ethers'"])(
    '%s is named',
    (text) => {
      expect(judge(importsAreDeclared, { ...MANIFEST, [PATH]: text })).toHaveLength(1)
    },
  )

  test.each([
    "import { Pool } from 'pg'",
    "import { hex } from '@scure/base/hex.js'",
    "import { join } from 'node:path'",
    "import './b.ts'",
    "import type { A } from 'viem'",
    "import type { A } from 'qrcode'",
  ])('%s passes', (text) => {
    expect(judge(importsAreDeclared, { ...MANIFEST, [PATH]: text })).toEqual([])
  })
})
