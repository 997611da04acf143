import type { ESTree } from 'vite'
import type { Source, Visit } from './source.ts'
import { isProduct, isTest, packageOf, type Rule, type Tree } from './tree.ts'

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const COLUMNS_MAX = 100
const FILE_LINES_MEDIAN_MAX = 90
const FILE_LINES_P90_MAX = 250
const FUNCTION_LINES_MEDIAN_MAX = 12
const FUNCTION_LINES_P90_MAX = 35

/** Files that a tool writes: what they are made from is read, and not they. */
const GENERATED = /^client\/src\/generated\.ts$/

/** No file is longer than 400 lines. */
export const filesAreShort: Rule = (tree) =>
  writtenIn(tree)
    .filter((source) => lengthOf(source) > FILE_LINES_MAX)
    .map((source) => ({
      path: source.path,
      line: FILE_LINES_MAX + 1,
      says: `has ${lengthOf(source)} lines, ${FILE_LINES_MAX} at most; split it by verbs`,
    }))

/** No function is longer than 60 lines, except callbacks of describe and test. */
export const functionsAreShort: Rule = (tree) =>
  tree.sources.flatMap((source) =>
    functionsOf(source)
      .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
      .map(({ line, lines }) => ({
        path: source.path,
        line,
        says: `starts a function of ${lines} lines, ${FUNCTION_LINES_MAX} at most`,
      })),
  )

/** No line is wider than 100 columns. */
export const linesAreNarrow: Rule = (tree) =>
  writtenIn(tree).flatMap(({ path, lines }) =>
    lines.flatMap((text, index) =>
      text.length > COLUMNS_MAX
        ? [
            {
              path,
              line: index + 1,
              says: `is ${text.length} columns wide, ${COLUMNS_MAX} at most`,
            },
          ]
        : [],
    ),
  )

/**
 * The service's files and functions are small in the middle and at the ninth decile, not only at
 * most.
 */
export const roomsAreSmall: Rule = (tree) => {
  const { files, functions } = measure(tree.sources.filter(isServiceProduct))
  const bars: [what: string, value: number, max: number][] = [
    ['median file', at(files, 0.5), FILE_LINES_MEDIAN_MAX],
    ['ninth decile of files', at(files, 0.9), FILE_LINES_P90_MAX],
    ['median function', at(functions, 0.5), FUNCTION_LINES_MEDIAN_MAX],
    ['ninth decile of functions', at(functions, 0.9), FUNCTION_LINES_P90_MAX],
  ]
  return bars
    .filter(([, value, max]) => value > max)
    .map(([what, value, max]) => ({
      path: 'service/src',
      line: 1,
      says: `the ${what} has ${value} lines, ${max} at most`,
    }))
}

/** The measures of the tree as a table of text, for the reader of a test run. */
export function sizesTable(tree: Tree): string {
  const header = ['', 'files', 'lines', 'file 50/90/max', 'fn 50/90/max', 'comments', 'test:source']
  const packages = [
    'wire',
    'json-scan',
    'service',
    'client',
    'dashboard',
    'simulator',
    'signer',
    'tools',
    'bench',
  ]
  const rows = packages.map((name) => {
    const all = tree.sources.filter(({ path }) => packageOf(path) === name)
    const product = all.filter(({ path }) => !isTest(path))
    const { files, functions, lines, comments } = measure(product)
    const tests = measure(all.filter(({ path }) => isTest(path))).lines
    const share = `${Math.round((100 * comments) / Math.max(lines, 1))} %`
    const ratio = (tests / Math.max(lines, 1)).toFixed(2)
    return [name, `${files.length}`, `${lines}`, spread(files), spread(functions), share, ratio]
  })
  return [header, ...rows].map((cells) => cells.map((cell) => cell.padEnd(16)).join('')).join('\n')
}

function writtenIn(tree: Tree): Source[] {
  return tree.sources.filter(({ path }) => !GENERATED.test(path))
}

function isServiceProduct({ path }: Source): boolean {
  return packageOf(path) === 'service' && isProduct(path)
}

function measure(sources: readonly Source[]) {
  const files = sources.map(lengthOf)
  const commented = sources.flatMap(({ comments }) => comments.map(({ text }) => text.split('\n')))
  return {
    files: files.toSorted((a, b) => a - b),
    functions: sources
      .flatMap(functionsOf)
      .map(({ lines }) => lines)
      .toSorted((a, b) => a - b),
    lines: files.reduce((sum, lines) => sum + lines, 0),
    comments: commented.flat().length,
  }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function spread(sorted: readonly number[]): string {
  return `${at(sorted, 0.5)}/${at(sorted, 0.9)}/${sorted.at(-1) ?? 0}`
}

function lengthOf({ lines }: Source): number {
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}

function functionsOf(source: Source): { line: number; lines: number }[] {
  return source.visits
    .filter((visit) => isFunction(visit.node) && !isHandedToATest(visit))
    .map(({ node }) => {
      const line = source.lineOf(node.start)
      return { line, lines: source.lineOf(node.end) - line + 1 }
    })
}

function isFunction(node: ESTree.Node): boolean {
  return (
    (node.type === 'FunctionDeclaration' ||
      node.type === 'FunctionExpression' ||
      node.type === 'ArrowFunctionExpression') &&
    node.body !== null
  )
}

const TEST_CALLS = new Set([
  'describe',
  'describePages',
  'test',
  'it',
  'beforeAll',
  'beforeEach',
  'afterAll',
])

/** Whether a function is an argument of `test(…)`, `describe.each(…)(…)` and their like. */
function isHandedToATest({ parent }: Visit): boolean {
  if (parent?.node.type !== 'CallExpression') return false
  let callee: ESTree.Node = parent.node.callee
  while (callee.type === 'MemberExpression' || callee.type === 'CallExpression') {
    callee = callee.type === 'MemberExpression' ? callee.object : callee.callee
  }
  return callee.type === 'Identifier' && TEST_CALLS.has(callee.name)
}
