import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import {
  baseIsSmall,
  exportsAreNamedWell,
  filesAreNamedWell,
  noBarrels,
  nothingIsDefault,
} from './names.ts'

const PATH = 'service/src/gas/a.ts'

describe('names', () => {
  test.each([
    'service/src/utils/a.ts',
    'service/src/gas/helpers.ts',
    'client/src/types/a.ts',
    'service/src/gas/interfaces.ts',
    'service/src/gas/topUp.ts',
    'service/src/Gas/top-up.ts',
    'tools/build_all.mjs',
  ])('%s is named', (path) => {
    expect(judge(filesAreNamedWell, { [path]: '' })).toHaveLength(1)
  })

  test.each([
    'service/src/gas/top-up.ts',
    'service/src/gas/top-up.test.ts',
    'service/migrations/0001-initial-schema.sql',
    'vitest.config.ts',
    'docs/Common/README.md',
  ])('%s passes', (path) => {
    expect(judge(filesAreNamedWell, { [path]: '' })).toEqual([])
  })

  test.each([
    'export class GasManager {}',
    'export const depositInfo = 1',
    'export interface IAdapter {}',
    'export type BlockData = string',
    'export function makeHandler() {}',
  ])('%s is named', (text) => {
    expect(judge(exportsAreNamedWell, { [PATH]: text })).toHaveLength(1)
  })

  test.each(['export type Ids = string', 'const rowData = 1', 'export const INFORMED = 1'])(
    '%s passes',
    (text) => {
      expect(judge(exportsAreNamedWell, { [PATH]: text })).toEqual([])
    },
  )

  test('a default export is named, but for configuration files', () => {
    expect(judge(nothingIsDefault, { [PATH]: 'export default 1' })).toHaveLength(1)
    expect(judge(nothingIsDefault, { 'vitest.config.ts': 'export default 1' })).toEqual([])
    expect(judge(nothingIsDefault, { [PATH]: "const text = 'export default'" })).toEqual([])
  })

  test('a re-export is named, but for the index of a package', () => {
    const text = "export { a } from './b.ts'\nexport * from './c.ts'"
    expect(judge(noBarrels, { [PATH]: text })).toHaveLength(2)
    expect(judge(noBarrels, { 'wire/src/index.ts': text })).toEqual([])
    expect(judge(noBarrels, { [PATH]: 'const a = 1\nexport { a }' })).toEqual([])
  })

  test('base with an eleventh file or a 501st line is named, tests do not count', () => {
    const file = (name: number | string, lines = 1) => ({
      [`service/src/base/${name}.ts`]: '\n'.repeat(lines),
    })
    const ten = Object.assign({}, ...Array.from({ length: 10 }, (_, index) => file(index)))
    expect(judge(baseIsSmall, { ...ten, ...file('0.test', 900) })).toEqual([])
    expect(judge(baseIsSmall, { ...ten, ...file(10) })).toHaveLength(1)
    expect(judge(baseIsSmall, file('a', 501))).toHaveLength(1)
    expect(judge(baseIsSmall, file('a', 500))).toEqual([])
  })
})
