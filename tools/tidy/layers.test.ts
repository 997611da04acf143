import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import { kindsKeepApart } from './layers.ts'

const MODULE = 'service/src/transactions'

test('a kind of funding imports core only, and core no kind', () => {
  const found = judge(kindsKeepApart, {
    [`${MODULE}/send.ts`]: "import './core/sign.ts'\nimport './nonce/bump.ts'",
    [`${MODULE}/core/sign.ts`]: "import '../nonce/bump.ts'",
    [`${MODULE}/nonce/bump.ts`]: "import '../core/sign.ts'\nimport '../send.ts'",
    [`${MODULE}/utxo/coin.ts`]: "import '../nonce/bump.ts'",
  })
  expect(found).toEqual([
    `${MODULE}/core/sign.ts:1 imports ${MODULE}/nonce/bump.ts; only files of ${MODULE}/ may`,
    `${MODULE}/nonce/bump.ts:2 imports ${MODULE}/send.ts; only files of ${MODULE}/ may`,
    `${MODULE}/utxo/coin.ts:1 imports ${MODULE}/nonce/bump.ts; only files of ${MODULE}/ may`,
  ])
})
