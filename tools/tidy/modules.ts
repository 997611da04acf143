import type { Source } from './source.ts'
import {
  type Edge,
  edgesOf,
  isProduct,
  isTest,
  packageOf,
  roomOf,
  type Rule,
  type Tree,
  type Violation,
} from './tree.ts'

const ARCHITECTURE = 'ARCHITECTURE.md'
const HEADING = /^#+ the order of modules\s*$/i
/** `1. \`base\` …` or `- **base** …`: the first marked word of a list item is the module. */
const ITEM = /^\s*(?:\d+\.|[-*])\s+[*_]*`?\/?([a-z][a-z-]*)\/?`?/

export interface Module {
  name: string
  /** Planned for a later version: its folder may be missing. */
  isLater: boolean
}

/** Reads the order of modules, lowest first, from the list under its heading. */
export function readModules(architecture: string): Module[] {
  const lines = architecture.split('\n')
  const start = lines.findIndex((line) => HEADING.test(line))
  if (start === -1) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#+ /.test(line))
  const section = end === -1 ? rest : rest.slice(0, end)
  const listed = section.flatMap((line) => {
    const name = ITEM.exec(line)?.[1]
    return name === undefined ? [] : [{ name, isLater: /\blater\b/i.test(line) }]
  })
  return listed.length > 0 ? listed : fenced(section)
}

function fenced(section: readonly string[]): Module[] {
  const block = /```[a-z]*\n([\s\S]*?)```/.exec(section.join('\n'))?.[1] ?? ''
  return [...block.matchAll(/[a-z][a-z-]*/g)].map(([name]) => ({ name, isLater: false }))
}

function orderOf(tree: Tree): Module[] {
  return readModules(tree.files.get(ARCHITECTURE)?.text ?? '')
}

/** The list in ARCHITECTURE.md and the folders of `service/src` name the same modules. */
export const roomsAreListed: Rule = (tree) => {
  const modules = orderOf(tree)
  if (modules.length === 0) {
    return [{ path: ARCHITECTURE, line: 1, says: 'lacks the list under "The order of modules"' }]
  }
  const folders = new Set([...tree.files.keys()].map(roomOf).filter((module) => module !== null))
  const listed = new Set(modules.map(({ name }) => name))
  return [
    ...[...folders]
      .filter((folder) => !listed.has(folder))
      .map((folder) => ({
        path: `service/src/${folder}`,
        line: 1,
        says: `is no module of ${ARCHITECTURE}; list it in its place or move its files`,
      })),
    ...modules
      .filter(({ name, isLater }) => !isLater && !folders.has(name))
      .map(({ name }) => ({
        path: ARCHITECTURE,
        line: 1,
        says: `lists ${name}, which has no folder`,
      })),
    ...looseFiles(tree),
  ]
}

function looseFiles(tree: Tree): Violation[] {
  return [...tree.files.keys()]
    .filter((path) => /^service\/src\/[^/]+$/.test(path) && path !== 'service/src/index.ts')
    .map((path) => ({ path, line: 1, says: 'is in no module; move it into one' }))
}

/** A file imports from its own module or from a lower one, types included. */
export const importsGoDown: Rule = (tree) => {
  const floor = new Map(orderOf(tree).map(({ name }, index) => [name, index]))
  return eachEdge(tree, (source, { to, line }) => {
    const [from, target] = [roomOf(source.path), to === null ? null : roomOf(to)]
    if (from === null || target === null || isTest(source.path)) return null
    const [here, there] = [floor.get(from), floor.get(target)]
    if (here === undefined || there === undefined || there <= here) return null
    const says = `imports ${to}: ${from} is below ${target}; pass a value or a callback`
    return { path: source.path, line, says }
  })
}

/** The packages that each package may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  'json-scan': [],
  client: ['wire'],
  dashboard: ['client', 'wire'],
  simulator: [],
  signer: [],
  service: ['wire', 'json-scan', 'signer'],
}
const TESTS_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...MAY_IMPORT,
  client: ['wire', 'simulator'],
  service: ['wire', 'json-scan', 'signer', 'client', 'simulator'],
  signer: ['service', 'wire'],
}
/** A program without an index: the tests that may import it do so by path. */
const REACHED_BY_PATH = 'service'

/** Packages are separated by runtime: only the listed imports between them are allowed. */
export const packagesKeepApart: Rule = (tree) =>
  eachEdge(tree, (source, { specifier, to, isType, line }) => {
    const [from, target] = [packageOf(source.path), to === null ? '' : packageOf(to)]
    const allowed = (isTest(source.path) ? TESTS_MAY_IMPORT : MAY_IMPORT)[from]
    if (allowed === undefined || target === '' || target === from) return null
    const { path } = source
    if (!allowed.includes(target)) return { path, line, says: `${from} may not import ${target}` }
    if (specifier.startsWith('.') && target !== REACHED_BY_PATH) {
      return { path, line, says: `reaches into ${target} by path; import @sluice/${target}` }
    }
    if (from === 'dashboard' && target === 'wire' && !isType) {
      return { path, line, says: 'takes values from wire; the dashboard takes only its types' }
    }
    return null
  })

/** Every relative import leads to a file of the tree. */
export const importsLeadSomewhere: Rule = (tree) =>
  eachEdge(tree, (source, { specifier, to, line }) => {
    const isMissing = specifier.startsWith('.') && to === null && isProduct(source.path)
    return isMissing
      ? { path: source.path, line, says: `imports ${specifier}, which does not exist` }
      : null
  })

function eachEdge(
  tree: Tree,
  judge: (source: Source, edge: Edge) => Violation | null,
): Violation[] {
  return tree.sources.flatMap((source) =>
    edgesOf(tree, source).flatMap((edge) => judge(source, edge) ?? []),
  )
}
