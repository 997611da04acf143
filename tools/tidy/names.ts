import type { ESTree } from 'vite'
import type { Source } from './source.ts'
import { isProduct, isTest, roomOf, type Rule } from './tree.ts'

const ATTICS =
  /^(services|controllers|helpers?|utils?|common|types|interfaces|shared|misc|lib|managers)$/
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/
const NAMED_FILES = /\.(tsx?|mjs|js|sql)$/
const ENDINGS = /(Manager|Helper|Util|Utils|Handler|Processor|Service|Data|Info)$/
const HUNGARIAN = /^I[A-Z][a-z]/
const BASE_FILES_MAX = 10
const BASE_LINES_MAX = 500

/** Folders are nouns of the domain and files its verbs, in kebab-case, without vague names. */
export const filesAreNamedWell: Rule = (tree) =>
  [...tree.files.keys()]
    .filter((path) => NAMED_FILES.test(path))
    .flatMap((path) => {
      const parts = path.replace(/(\.(test|config|d))?\.[a-z]+$/, '').split('/')
      const attic = parts.find((part) => ATTICS.test(part))
      if (attic !== undefined)
        return [{ path, line: 1, says: `"${attic}" says nothing; name the thing` }]
      const crooked = parts.find((part) => !KEBAB.test(part))
      return crooked === undefined
        ? []
        : [{ path, line: 1, says: `"${crooked}" is not kebab-case` }]
    })

/** Every export has a name, which does not end in a vague word. */
export const exportsAreNamedWell: Rule = (tree) =>
  tree.sources.flatMap((source) =>
    exportedNames(source).flatMap(({ name, line }) => {
      const ending = ENDINGS.exec(name)?.[0] ?? HUNGARIAN.exec(name)?.[0]
      const says = `exports ${name}; "${ending}" says nothing, name what it does or is`
      return ending === undefined ? [] : [{ path: source.path, line, says }]
    }),
  )

/** Configuration files and reporters, whose loaders ask for a default export. */
const MAY_DEFAULT = /\.config\.ts$|^tools\/closing-line\.ts$/

/** Everything is imported by its one name. */
export const nothingIsDefault: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => !MAY_DEFAULT.test(path))
    .flatMap(({ path, visits, lineOf }) =>
      visits
        .filter(({ node }) => node.type === 'ExportDefaultDeclaration')
        .map(({ node }) => ({
          path,
          line: lineOf(node.start),
          says: 'exports a default; name it',
        })),
    )

/** Only a package's `index.ts` hands on what other files export. */
export const noBarrels: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => isProduct(path) && !/^[a-z-]+\/src\/index\.ts$/.test(path))
    .flatMap(({ path, visits, lineOf }) =>
      visits
        .filter(({ node }) => isHandingOn(node))
        .map(({ node }) => ({
          path,
          line: lineOf(node.start),
          says: 're-exports; import the thing from the file that makes it',
        })),
    )

/** `base/` has few files and few lines. */
export const baseIsSmall: Rule = (tree) => {
  const base = tree.sources.filter(({ path }) => roomOf(path) === 'base' && !isTest(path))
  const lines = base.reduce((sum, source) => sum + source.lines.length - 1, 0)
  const violations = []
  if (base.length > BASE_FILES_MAX) {
    violations.push(`has ${base.length} files, ${BASE_FILES_MAX} at most`)
  }
  if (lines > BASE_LINES_MAX) violations.push(`has ${lines} lines, ${BASE_LINES_MAX} at most`)
  return violations.map((says) => ({ path: 'service/src/base', line: 1, says }))
}

function isHandingOn(node: ESTree.Node): boolean {
  if (node.type === 'ExportAllDeclaration') return true
  return node.type === 'ExportNamedDeclaration' && node.source !== null
}

function exportedNames(source: Source): { name: string; line: number }[] {
  return source.visits.flatMap(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return []
    const line = source.lineOf(node.start)
    return declaredNames(node.declaration).map((name) => ({ name, line }))
  })
}

function declaredNames(declaration: ESTree.Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  }
  if (!('id' in declaration) || declaration.id === null) return []
  return declaration.id.type === 'Identifier' ? [declaration.id.name] : []
}
