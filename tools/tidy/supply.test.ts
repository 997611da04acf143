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

/** A file of the repository, and a copy with one replacement. */
function changed(path: string, from: string | RegExp, to: string): Record<string, string>[] {
  const text = ofRepository(path)
  const other = text.replace(from, to)
  expect(other).not.toBe(text)
  return [{ [path]: text }, { [path]: other }]
}

describe('installed packages', () => {
  test.each(['^2.4.0', '~2.4.0', '*', '2.x', 'latest', '>=2', 'npm:other@2.4.0', 'file:../other'])(
    'a dependency of the version %s is named [O01]',
    (version) => {
      const [well = {}, ill = {}] = changed(
        'service/package.json',
        '"@noble/curves": "2.4.0"',
        `"@noble/curves": "${version}"`,
      )
      expect(judge(versionsAreExact, well)).toEqual([])
      expect(judge(versionsAreExact, ill)).toMatchObject([
        expect.stringMatching(/^service\/package\.json:\d+ @noble\/curves has no exact version$/),
      ])
    },
  )

  test.each(['overrides', 'peerDependencies', 'optionalDependencies', 'devDependencies'])(
    'a range among %s is named [O01]',
    (group) => {
      const text = JSON.stringify({ [group]: { one: '1.0.0', other: '^1.0.0' } })
      expect(judge(versionsAreExact, { 'package.json': text })).toHaveLength(1)
    },
  )

  test.each([
    [/ignore-scripts=true/, 'ignore-scripts=false'],
    [/ignore-scripts=true\n/, ''],
    [/save-exact=true/, '# save-exact=true'],
  ])('an install that runs scripts or writes ranges is named: %s [O01]', (from, to) => {
    const [well = {}, ill = {}] = changed('.npmrc', from, to)
    expect(judge(installsAreStill, well)).toEqual([])
    expect(judge(installsAreStill, ill)).toHaveLength(1)
    expect(judge(installsAreStill, {})).toHaveLength(2)
  })

  test.each(['"lost": ""', '"integrity": ""', '"integrity": "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="'])(
    'a package without a locked content is named: %s [O01]',
    (to) => {
      const [well = {}, ill = {}] = changed(LOCK, /"integrity": "sha512-[^"]+"/, to)
      expect(judge(lockIsWhole, well)).toEqual([])
      expect(judge(lockIsWhole, ill)).toMatchObject([expect.stringContaining('to no content')])
    },
  )

  test('a package is named when it has a new install script or lost its known one [O01]', () => {
    const [well = {}, more = {}] = changed(
      LOCK,
      /("node_modules\/fastify": \{)/,
      '$1 "hasInstallScript": true,',
    )
    expect(judge(scriptsAreKnown, well)).toEqual([])
    expect(judge(scriptsAreKnown, more)).toMatchObject([
      expect.stringContaining('fastify has an install script'),
    ])
    const [, fewer = {}] = changed(LOCK, '"hasInstallScript": true', '"hasInstallScript": false')
    expect(judge(scriptsAreKnown, fewer)).toMatchObject([expect.stringContaining('any more')])
  })
})

describe('libraries in the process of the seed', () => {
  test.each([
    "import { a } from 'undici'",
    "import type { A } from 'xrpl'",
    "export { a } from '@scure/base'",
    "await import('viem')",
    "import 'typeboxes'",
  ])('%s is named in keys only [O01]', (text) => {
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
