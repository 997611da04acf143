import { describe, expect, test } from 'vitest'
import { chainsAreNameless, familiesDifferByFields } from './chain-names.ts'
import { judge } from './judge.ts'

const PAGE = {
  'ARCHITECTURE.md':
    '## The order of modules\n1. `base`\n2. `chains`\n3. `catalogue`\n4. `deposits`\n5. `app`\n',
}

describe('names of chains', () => {
  test.each([
    "if (kind === 'evm') work()",
    "const id = 'eip155:1'",
    'const isEvmChain = true',
    'const TRON_DEPTH = 20',
    "import { parse } from '../chains/xrpl/address.ts'",
    'const text = `bitcoin ${height}`',
  ])('%s above the catalogue is named', (text) => {
    expect(judge(chainsAreNameless, { ...PAGE, 'service/src/deposits/a.ts': text })).not.toEqual([])
  })

  test.each([
    ['service/src/chains/evm/a.ts', "const kind = 'evm'"],
    ['service/src/catalogue/chains.ts', "const id = 'eip155:1'"],
    ['service/src/deposits/a.test.ts', "const id = 'eip155:1'"],
    ['service/src/app/config-example.ts', "const id = 'eip155:1'"],
    ['service/src/api/docs/error-catalogue.ts', "const SEPOLIA = 'eip155:11155111'"],
    ['service/src/api/docs/errors.ts', "const example = 'eip155:1'"],
    ['wire/src/caip.ts', "const NAMESPACES = ['eip155']"],
    ['service/src/deposits/a.ts', '// evm only in a comment\nconst electron = "a strong word"'],
  ])('%s may contain %s', (path, text) => {
    expect(judge(chainsAreNameless, { ...PAGE, [path]: text })).toEqual([])
  })
})

describe('differences between families', () => {
  test.each([
    ['service/src/deposits/a.ts', "if (entry.namespace === 'x') work()"],
    ['service/src/deposits/a.ts', "const is = parse(id)?.namespace !== 'x'"],
    ['service/src/app/a.ts', "switch (terms.family) { case 'x': work() }"],
    ['service/src/catalogue/a.ts', "export const is = ({ namespace }: E) => namespace === 'x'"],
    ['service/src/chains/a.ts', "export const is = (id: C) => parse(id)?.namespace === 'x'"],
    ['service/src/chains/chain-adapter.ts', 'export interface A { listen?(): void }'],
  ])('are not hidden in %s: %s', (path, text) => {
    expect(judge(familiesDifferByFields, { ...PAGE, [path]: text })).not.toEqual([])
  })

  test.each([
    ['service/src/deposits/a.ts', "if (entry.paymentModel === 'utxo') work()"],
    ['service/src/deposits/a.ts', 'const same = one.namespace === other.namespace'],
    ['service/src/chains/spending.ts', "if (terms.family === 'x') work()"],
    ['service/src/chains/evm/a.ts', "if (namespace === 'x') work()"],
    ['service/src/chains/port.ts', 'export interface A { memo?: string }'],
    ['service/src/deposits/a.test.ts', "if (namespace === 'x') work()"],
  ])('may show in %s: %s', (path, text) => {
    expect(judge(familiesDifferByFields, { ...PAGE, [path]: text })).toEqual([])
  })
})
