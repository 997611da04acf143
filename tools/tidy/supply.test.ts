import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import {
  installsAreStill,
  keysImportFew,
  lockIsWhole,
  scriptsAreKnown,
  versionsAreExact,
} from './supply.ts'

const LOCK = 'package-lock.json'

const ofRepository = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** A file of the repository, and the same where one thing in it is another. */
function changed(path: string, from: string | RegExp, to: string): Record<string, string>[] {
  const text = ofRepository(path)
  const other = text.replace(from, to)
  expect(other).not.toBe(text)
  return [{ [path]: text }, { [path]: other }]
}

describe('what is installed', () => {
  test.each(['^2.4.0', '~2.4.0', '*', '2.x', 'latest', '>=2', 'npm:other@2.4.0', 'file:../other'])(
    'O01 a dependency of the version %s is named',
    (version) => {
      const [well = {}, ill = {}] = changed(
        'service/package.json',
        '"@noble/curves": "2.4.0"',
        `"@noble/curves": "${version}"`,
      )
      expect(judge(versionsAreExact, well)).toEqual([])
      expect(judge(versionsAreExact, ill)).toMatchObject([
        expect.stringMatching(/^service\/package\.json:\d+ @noble\/curves is no exact version$/),
      ])
    },
  )

  test.each(['overrides', 'peerDependencies', 'optionalDependencies', 'devDependencies'])(
    'O01 a range is named among %s as well',
    (group) => {
      const text = JSON.stringify({ [group]: { one: '1.0.0', other: '^1.0.0' } })
      expect(judge(versionsAreExact, { 'package.json': text })).toHaveLength(1)
    },
  )

  test.each([
    [/ignore-scripts=true/, 'ignore-scripts=false'],
    [/ignore-scripts=true\n/, ''],
    [/save-exact=true/, '# save-exact=true'],
  ])('O01 an install that runs scripts or writes ranges is named: %s', (from, to) => {
    const [well = {}, ill = {}] = changed('.npmrc', from, to)
    expect(judge(installsAreStill, well)).toEqual([])
    expect(judge(installsAreStill, ill)).toHaveLength(1)
    expect(judge(installsAreStill, {})).toHaveLength(2)
  })

  test.each(['"lost": ""', '"integrity": ""', '"integrity": "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="'])(
    'O01 a package that is locked to no content is named: %s',
    (to) => {
      const [well = {}, ill = {}] = changed(LOCK, /"integrity": "sha512-[^"]+"/, to)
      expect(judge(lockIsWhole, well)).toEqual([])
      expect(judge(lockIsWhole, ill)).toMatchObject([expect.stringContaining('to no content')])
    },
  )

  test('O01 a package that asks to run scripts is named, and one that asks no more', () => {
    const [well = {}, more = {}] = changed(
      LOCK,
      /("node_modules\/fastify": \{)/,
      '$1 "hasInstallScript": true,',
    )
    expect(judge(scriptsAreKnown, well)).toEqual([])
    expect(judge(scriptsAreKnown, more)).toMatchObject([expect.stringContaining('fastify asks')])
    const [, fewer = {}] = changed(LOCK, '"hasInstallScript": true', '"hasInstallScript": false')
    expect(judge(scriptsAreKnown, fewer)).toMatchObject([expect.stringContaining('any more')])
  })
})

describe('what runs beside the seed', () => {
  test.each([
    "import { a } from 'undici'",
    "import type { A } from 'xrpl'",
    "export { a } from '@scure/base'",
    "await import('viem')",
    "import 'typeboxes'",
  ])('O01 %s is named in keys, and elsewhere is none of its business', (text) => {
    expect(judge(keysImportFew, { 'service/src/keys/a.ts': text })).toHaveLength(1)
    expect(judge(keysImportFew, { 'service/src/api/a.ts': text })).toEqual([])
  })

  test.each([
    "import { secp256k1 } from '@noble/curves/secp256k1.js'",
    "import { createHmac } from 'node:crypto'",
    "import { Seed } from './seed.ts'",
  ])('%s passes', (text) => {
    expect(judge(keysImportFew, { 'service/src/keys/a.ts': text })).toEqual([])
  })
})
