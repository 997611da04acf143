import type { Source, Visit } from './source.ts'
import { ancestors } from './source.ts'
import { isProduct, type Rule, type Violation } from './tree.ts'

const SILENCERS = /@ts-(ignore|expect-error|nocheck)|\b(eslint|oxlint)-disable|\bbiome-ignore/
const PROMISES = /\b(TODO|FIXME|XXX|HACK)\b/

/** No type is waved through (`any`, `!`), and no check is silenced. */
export const nothingIsWavedThrough: Rule = (tree) =>
  tree.sources.flatMap((source) => [
    ...source.visits.flatMap((visit) => escapeIn(source, visit)),
    ...source.comments
      .filter(({ text }) => SILENCERS.test(text))
      .map(({ line }) => ({ path: source.path, line, says: 'disables a check; fix its cause' })),
  ])

/** No comment announces later work. */
export const nothingIsLeftOpen: Rule = (tree) =>
  tree.sources.flatMap(({ path, comments }) =>
    comments
      .filter(({ text }) => PROMISES.test(text))
      .map(({ line }) => ({ path, line, says: 'promises later work; do it or take it out' })),
  )

/** Functions that turn the outside's values into our types, and may therefore assert them. */
const BRANDING = /^(parse|brand|to|from|as|format|read)([A-Z0-9]|$)/

/** `as` is used only in functions that parse or brand. */
export const typesAreProved: Rule = (tree) =>
  tree.sources
    .filter(({ path }) => isProduct(path))
    .flatMap((source) =>
      source.visits
        .filter((visit) => visit.node.type === 'TSAsExpression' && !isHarmless(source, visit))
        .filter((visit) => !functionsAround(visit).some((name) => BRANDING.test(name)))
        .map(({ node }) => ({
          path: source.path,
          line: source.lineOf(node.start),
          says: 'asserts a type with `as` outside a parse or brand function',
        })),
    )

function escapeIn(source: Source, { node }: Visit): Violation[] {
  const says = {
    TSAnyKeyword: 'says any; use unknown and parse it',
    TSNonNullExpression: 'says ! of what may be missing; handle or assert it',
  }
  if (node.type !== 'TSAnyKeyword' && node.type !== 'TSNonNullExpression') return []
  return [{ path: source.path, line: source.lineOf(node.start), says: says[node.type] }]
}

/** `as const`, and a literal given a wider type (`'info' as Level`, `[] as readonly string[]`). */
function isHarmless(source: Source, { node }: Visit): boolean {
  if (node.type !== 'TSAsExpression') return true
  if (/\bas\s+const$/.test(source.text.slice(node.start, node.end))) return true
  const { expression } = node
  return (
    expression.type === 'Literal' ||
    (expression.type === 'ArrayExpression' && expression.elements.length === 0)
  )
}

function functionsAround(visit: Visit): string[] {
  return [...ancestors(visit)].flatMap((node) => {
    if (node.type === 'FunctionDeclaration') return [node.id?.name ?? '']
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') return [node.id.name]
    return node.type === 'MethodDefinition' && node.key.type === 'Identifier' ? [node.key.name] : []
  })
}
