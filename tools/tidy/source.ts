import { type ESTree, parseSync } from 'vite'

/** A file of the tree: its path from the root, with forward slashes, and its whole text. */
export interface TextFile {
  path: string
  text: string
}

/** A node of the syntax tree together with the way up to the program. */
export interface Visit {
  node: ESTree.Node
  parent: Visit | null
}

export interface Remark {
  text: string
  line: number
}

/**
 * A parsed TypeScript file. Rules read its nodes and comments, so text inside strings never
 * misleads them.
 */
export interface Source extends TextFile {
  visits: readonly Visit[]
  comments: readonly Remark[]
  lines: readonly string[]
  lineOf: (offset: number) => number
}

/** Parses one file. Throws if its syntax is invalid. */
export function parseSource({ path, text }: TextFile): Source {
  const result = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  const broken = result.errors[0]
  if (broken) throw new Error(`${path} cannot be parsed: ${broken.message}`)
  const lines = text.split('\n')
  const lineOf = lineFinder(lines)
  const comments = result.comments.map(({ value, start }) => ({ text: value, line: lineOf(start) }))
  return { path, text, visits: visitsFrom(result.program), comments, lines, lineOf }
}

/** The nodes above a visit, nearest first. */
export function* ancestors(visit: Visit): Generator<ESTree.Node> {
  for (let above = visit.parent; above !== null; above = above.parent) yield above.node
}

/** Every node at or below a node, parents first. */
export function visitsFrom(root: ESTree.Node): Visit[] {
  const visits: Visit[] = [{ node: root, parent: null }]
  for (let next = 0; next < visits.length; next += 1) {
    const parent = visits[next]
    if (parent === undefined) break
    for (const node of childrenOf(parent.node)) visits.push({ node, parent })
  }
  return visits
}

function childrenOf(node: ESTree.Node): ESTree.Node[] {
  return Object.values(node)
    .flat()
    .filter((value: unknown) => isNode(value))
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function lineFinder(lines: readonly string[]): (offset: number) => number {
  const ends: number[] = []
  let end = 0
  for (const line of lines) ends.push((end += line.length + 1))
  return (offset) => {
    const index = ends.findIndex((limit) => offset < limit)
    return index === -1 ? lines.length : index + 1
  }
}
