import { isBuiltin } from 'node:module'
import { nameOf } from './dependencies.ts'
import { edgesOf, isProduct, packageOf, type Rule, type Tree } from './tree.ts'

/** The signer decides alone what it signs, so a person must be able to read all of it. */
const LINES_MAX = 3_000
const PACKAGES_MAX = 12
const FOLDER = 'signer/src'
const LOCK = 'package-lock.json'

/** The sources of the signer, without tests, are few lines. */
export const signerIsSmall: Rule = (tree) => {
  const lines = sourcesOf(tree).reduce((sum, source) => sum + source.lines.length - 1, 0)
  if (lines <= LINES_MAX) return []
  return [{ path: FOLDER, line: 1, says: `has ${lines} lines, ${LINES_MAX} at most` }]
}

/** The packages that the signer imports, with the packages that they depend on, are few. */
export const signerImportsFew: Rule = (tree) => {
  const imported = sourcesOf(tree)
    .flatMap((source) => edgesOf(tree, source))
    .filter(
      ({ specifier, isType }) => !isType && !isBuiltin(specifier) && !specifier.startsWith('.'),
    )
    .map(({ specifier }) => nameOf(specifier))
  const packages = withDependencies(tree, imported)
  if (packages.length <= PACKAGES_MAX) return []
  const says = `runs ${packages.length} packages, ${PACKAGES_MAX} at most: ${packages.join(', ')}`
  return [{ path: FOLDER, line: 1, says }]
}

function sourcesOf(tree: Tree) {
  return tree.sources.filter(({ path }) => packageOf(path) === 'signer' && isProduct(path))
}

/** Names of packages and of all that they depend on, sorted, by the lockfile. */
function withDependencies(tree: Tree, names: readonly string[]): string[] {
  const locked = recordOf(recordOf(JSON.parse(tree.files.get(LOCK)?.text ?? '{}'))['packages'])
  const found = new Set(names)
  // A set visits what is added during the loop.
  for (const name of found) {
    const dependencies = recordOf(recordOf(locked[`node_modules/${name}`])['dependencies'])
    for (const dependency of Object.keys(dependencies)) found.add(dependency)
  }
  return [...found].sort()
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
