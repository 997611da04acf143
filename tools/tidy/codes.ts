import type { ESTree } from 'vite'
import { isName, isTest, type Rule, type Tree } from './tree.ts'
import { visitsFrom } from './source.ts'

const ERRORS_FILE = 'wire/src/errors.ts'
/** Speaks of codes without refusing with them. */
const DOCUMENTS = /^service\/src\/api\/(?:openapi|docs)/

/** Codes of the interface that nothing refuses with yet, and what will. */
export const AWAITED: Readonly<Record<string, string>> = {
  INSUFFICIENT_APPROVALS: 'unused: a withdrawal waits for missing approvals (decisions, 6)',
  DUPLICATE_DEPOSIT: 'unused: a known identity changes no record (decisions, 1)',
}

/** Every code of the table is in use or awaited, and every code in use is in the table. */
export const codesAreInUse = (awaited: Readonly<Record<string, string>>): Rule => {
  return (tree) => {
    const table = keysOf(tree, ERRORS_FILE, 'ERRORS')
    const used = codesUsed(tree, table)
    const complain = (codes: readonly string[], says: string) =>
      codes.map((code) => ({ path: ERRORS_FILE, line: 1, says: `${code} ${says}` }))
    const unused = table.filter((code) => !used.has(code) && !(code in awaited))
    const early = table.filter((code) => used.has(code) && code in awaited)
    const unknown = Object.keys(awaited).filter((code) => !table.includes(code))
    const missing = [...used].filter((code) => !table.includes(code))
    return [
      ...complain(unused, 'is used nowhere; refuse with it, or await it in tools/tidy/codes.ts'),
      ...complain(early, 'is used, yet awaited in tools/tidy/codes.ts; take it off that list'),
      ...complain(unknown, 'is awaited in tools/tidy/codes.ts but is no code of the table'),
      ...complain(missing, 'is refused with but is no code of the table'),
    ]
  }
}

/** A code is in use if a refusal has it, or if it is a whole text in the service. */
function codesUsed(tree: Tree, table: readonly string[]): Set<string> {
  const sources = tree.sources.filter(
    ({ path }) => path.startsWith('service/src/') && !isTest(path) && !DOCUMENTS.test(path),
  )
  const codes = sources.flatMap(({ visits }) =>
    visits.flatMap(({ node }) => {
      if (node.type === 'NewExpression' && isName(node.callee, 'Refusal')) {
        return node.arguments.slice(0, 1).flatMap((code) => textsIn(code))
      }
      return node.type === 'Literal' && table.includes(String(node.value)) ? textsIn(node) : []
    }),
  )
  return new Set(codes)
}

function textsIn(root: ESTree.Node): string[] {
  return visitsFrom(root).flatMap(({ node }) =>
    node.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [],
  )
}

/** The keys of the object that a file's constant of that name holds. */
function keysOf(tree: Tree, path: string, constant: string): string[] {
  const source = tree.sources.find((one) => one.path === path)
  const declared = source?.visits.find(
    ({ node }) => node.type === 'VariableDeclarator' && isName(node.id, constant),
  )
  const object = declared
    ? visitsFrom(declared.node).find(({ node }) => node.type === 'ObjectExpression')?.node
    : undefined
  if (object?.type !== 'ObjectExpression') return []
  return object.properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : [],
  )
}
