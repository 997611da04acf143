import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { ESTree } from 'vite'
import { parseSource, type Source, type TextFile } from './source.ts'

/** The whole repository as the rules see it: every text, and the parsed TypeScript among them. */
export interface Tree {
  files: ReadonlyMap<string, TextFile>
  sources: readonly Source[]
}

export interface Violation {
  path: string
  line: number
  says: string
}

/** A pure function from the tree to its violations. */
export type Rule = (tree: Tree) => Violation[]

/**
 * One file naming another, in any of the ways there are: import, re-export, import type, worker
 * URL.
 */
export interface Edge {
  specifier: string
  /** The imported file of the tree; null for packages, built-ins and missing files. */
  to: string | null
  isType: boolean
  names: readonly string[]
  line: number
}

const FOLDERS_SKIPPED = new Set(['node_modules', 'dist', 'coverage', '__pycache__'])
const HIDDEN_FOLDERS_READ = new Set(['.ci', '.github'])
const BINARY = /\.(png|jpg|ico|woff2?|gz|zip|tsbuildinfo)$/
const BYTES_MAX = 4_000_000

/** Reads all texts below a folder, built and installed files left out. */
export function readTree(root: string): Tree {
  const files: TextFile[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(posix.join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory() && isRead(entry.name)) folders.push(path)
      // In a linked worktree `.git` is a file that names the folder of the repository.
      if (!entry.isFile() || BINARY.test(path) || path === '.git') continue
      const text = readFileSync(posix.join(root, path), 'utf8')
      if (text.length <= BYTES_MAX) files.push({ path, text })
    }
  }
  return treeOf(files.sort((a, b) => (a.path < b.path ? -1 : 1)))
}

function isRead(folder: string): boolean {
  return folder.startsWith('.') ? HIDDEN_FOLDERS_READ.has(folder) : !FOLDERS_SKIPPED.has(folder)
}

/** Makes a tree of given texts; tests of the rules hand in a file or two. */
export function treeOf(files: readonly TextFile[]): Tree {
  const parsed = files.filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  return {
    files: new Map(files.map((file) => [file.path, file])),
    sources: parsed.map(parseSource),
  }
}

/** As `treeOf`, from an object of path to text. */
export function treeFrom(texts: Readonly<Record<string, string>>): Tree {
  return treeOf(Object.entries(texts).map(([path, text]) => ({ path, text })))
}

/** Puts a violation as editors and terminals understand it. */
export function print({ path, line, says }: Violation): string {
  return `${path}:${line} ${says}`
}

/** Whether a file is a test or belongs to the tests' support. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^(service|signer)\/test\//.test(path)
}

/** Whether a file is part of what runs in the product: under some package's `src`, and no test. */
export function isProduct(path: string): boolean {
  return /^[a-z-]+\/src\//.test(path) && !isTest(path)
}

/** The package a file belongs to (its first folder), or "" for files of the root. */
export function packageOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

/**
 * The service module of a file; null outside and for files directly in `service/src`.
 */
export function roomOf(path: string): string | null {
  return /^service\/src\/([^/]+)\//.exec(path)?.[1] ?? null
}

/** Everything a file imports, re-exports, takes types from or starts as a worker. */
export function edgesOf(tree: Tree, source: Source): Edge[] {
  return source.visits.flatMap(({ node }) => {
    const found = specifierIn(node)
    if (found === null) return []
    const to = resolve(tree, source.path, found.specifier)
    return [{ ...found, to, line: source.lineOf(node.start) }]
  })
}

function specifierIn(node: ESTree.Node): Pick<Edge, 'specifier' | 'isType' | 'names'> | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return {
        specifier: node.source.value,
        isType: node.importKind === 'type' || isAllTypes(node.specifiers),
        names: node.specifiers.map(importedName),
      }
    case 'ExportAllDeclaration':
      return { specifier: node.source.value, isType: node.exportKind === 'type', names: ['*'] }
    case 'ExportNamedDeclaration':
      if (node.source === null) return null
      return { specifier: node.source.value, isType: node.exportKind === 'type', names: [] }
    case 'TSImportType':
      return { specifier: node.source.value, isType: true, names: [] }
    case 'ImportExpression':
      return literal(node.source)
    case 'NewExpression':
      return isName(node.callee, 'URL') ? relative(literal(node.arguments[0])) : null
    default:
      return null
  }
}

function isAllTypes(specifiers: readonly ESTree.ImportDeclarationSpecifier[]): boolean {
  return (
    specifiers.length > 0 &&
    specifiers.every((one) => one.type === 'ImportSpecifier' && one.importKind === 'type')
  )
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type !== 'ImportSpecifier') return '*'
  return specifier.imported.type === 'Literal' ? specifier.imported.value : specifier.imported.name
}

function literal(node: ESTree.Node | undefined): ReturnType<typeof specifierIn> {
  if (node?.type !== 'Literal' || typeof node.value !== 'string') return null
  return { specifier: node.value, isType: false, names: [] }
}

function relative(found: ReturnType<typeof specifierIn>): ReturnType<typeof specifierIn> {
  return found !== null && /^\.\.?\/.*\.[jt]sx?$/.test(found.specifier) ? found : null
}

/** Whether a node is the plain identifier of that name. */
export function isName(node: ESTree.Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

function resolve(tree: Tree, from: string, specifier: string): string | null {
  const workspace = /^@sluice\/([a-z-]+)$/.exec(specifier)?.[1]
  if (workspace !== undefined) return `${workspace}/src/index.ts`
  if (!specifier.startsWith('.')) return null
  const path = posix.join(posix.dirname(from), specifier)
  const candidates = [path, path.replace(/\.jsx?$/, '.ts'), path.replace(/\.jsx?$/, '.tsx')]
  return candidates.find((candidate) => tree.files.has(candidate)) ?? null
}
