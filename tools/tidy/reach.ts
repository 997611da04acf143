import type { Source } from './source.ts'
import { edgesOf, isProduct, isTest, packageOf, type Rule, type Tree } from './tree.ts'

/** Entries: the index of each package, and the programs. */
const PROGRAMS = ['service/src/cli/main.ts', 'simulator/src/sandbox/main.ts']
const ENTRIES = /^([a-z-]+\/src\/index\.ts|dashboard\/src\/main\.tsx?)$/

/** No file of `src` is out of reach of every entry and every test. */
export const noDeadFiles: Rule = (tree) => {
  const alive = reachedFrom(tree, (path) => isEntry(path) || isOutside(path))
  return tree.sources
    .filter(({ path }) => /^[a-z-]+\/src\//.test(path) && !alive.has(path))
    .map(({ path }) => ({ path, line: 1, says: 'is reached from no entry and no test; delete it' }))
}

/**
 * Files of the product that only tests reach: not wrong while a module is being built, but worth a
 * look.
 */
export function reachedByTestsOnly(tree: Tree): string[] {
  const alive = reachedFrom(tree, isEntry)
  return tree.sources.map(({ path }) => path).filter((path) => isProduct(path) && !alive.has(path))
}

function isEntry(path: string): boolean {
  return PROGRAMS.includes(path) || ENTRIES.test(path)
}

function isOutside(path: string): boolean {
  return isTest(path) || ['tools', 'bench', ''].includes(packageOf(path))
}

function reachedFrom(tree: Tree, isStart: (path: string) => boolean): Set<string> {
  const sources = new Map(tree.sources.map((source) => [source.path, source]))
  const reached = new Set<string>()
  const queue = [...sources.keys()].filter(isStart)
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const source = sources.get(path)
    if (source === undefined || reached.has(path)) continue
    reached.add(path)
    for (const { to } of edgesOf(tree, source)) if (to !== null) queue.push(to)
  }
  return reached
}

/** Each function, class and constant that a file of the service exports is used elsewhere. */
export const exportsAreUsed: Rule = (tree) => {
  const scripts = [...tree.files.values()].filter(({ path }) => path.endsWith('.mjs'))
  const wholly = new Set<string>()
  const used = new Set<string>()
  for (const source of tree.sources) {
    for (const { to, names, isType } of edgesOf(tree, source)) {
      if (to === null) continue
      if (names.includes('*') || (names.length === 0 && !isType)) wholly.add(to)
      for (const name of names) used.add(`${to} ${name}`)
    }
  }
  return tree.sources
    .filter(({ path }) => path.startsWith('service/src/') && !isTest(path) && !wholly.has(path))
    .flatMap((source) =>
      exportedValues(source)
        .filter(({ name }) => !used.has(`${source.path} ${name}`))
        .filter(({ name }) => !scripts.some(({ text }) => text.includes(name)))
        .map(({ name, line }) => ({
          path: source.path,
          line,
          says: `exports ${name}, which no other file uses`,
        })),
    )
}

function exportedValues(source: Source): { name: string; line: number }[] {
  return source.visits.flatMap(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return []
    const line = source.lineOf(node.start)
    const { declaration } = node
    if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
      return declaration.id === null ? [] : [{ name: declaration.id.name, line }]
    }
    if (declaration.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ id }) =>
      id.type === 'Identifier' ? [{ name: id.name, line }] : [],
    )
  })
}
