import { isBuiltin } from 'node:module'
import type { Source } from './source.ts'
import { edgesOf, isProduct, packageOf, type Rule, type Tree } from './tree.ts'

/**
 * The build bundles the libraries of these packages, and the simulator is for development only: a
 * production install needs none of their development dependencies (docs/decisions/0019).
 */
const BUNDLED = new Set(['service', 'wire', 'json-scan', 'dashboard', 'simulator', 'signer'])

/** A package declares every package that its sources import. */
export const importsAreDeclared: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => isProduct(path))
    .flatMap((source) => {
      const declared = declaredIn(tree, packageOf(source.path))
      return edgesOf(tree, source)
        .filter((edge) => isForeign(edge.specifier))
        .filter((edge) => !declared(nameOf(edge.specifier), edge.isType))
        .map(({ specifier, line }) => ({
          path: source.path,
          line,
          says: `imports ${specifier}, missing in ${packageOf(source.path)}/package.json`,
        }))
    })

function declaredIn(tree: Tree, name: string): (wanted: string, isType: boolean) => boolean {
  const manifest: unknown = JSON.parse(tree.files.get(`${name}/package.json`)?.text ?? '{}')
  const has = (group: string, wanted: string) => {
    const names: unknown = isRecord(manifest) ? manifest[group] : null
    return isRecord(names) && wanted in names
  }
  return (wanted, isType) =>
    has('dependencies', wanted) ||
    has('optionalDependencies', wanted) ||
    (BUNDLED.has(name) && has('devDependencies', wanted)) ||
    // Types vanish from the build, so a development dependency carries them.
    (isType && (has('devDependencies', wanted) || has('devDependencies', `@types/${wanted}`)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isForeign(specifier: Source['path']): boolean {
  return !specifier.startsWith('.') && !isBuiltin(specifier)
}

/** `@scure/bip39/wordlists/english.js` belongs to `@scure/bip39`. */
export function nameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
