import type { ESTree } from 'vite'
import type { Source, Visit } from './source.ts'
import { isName, isTest, roomOf, type Rule, type Tree, type Violation } from './tree.ts'

const ROWS_FILE = /\/([a-z-]+-)?rows\.ts$/
/** The store keeps its own tables (migrations, leases) in the files that are about them. */
const STORE = 'service/src/store/'

interface Mention {
  path: string
  line: number
  table: string
}

/** Each table is named by one module, and only in its `rows.ts` or `<noun>-rows.ts`. */
export const tablesStayHome: Rule = (tree) => {
  const tables = tablesOf(tree)
  const mentions = serviceSources(tree).flatMap((source) =>
    mentionsOf(source).filter(({ table }) => tables.has(table)),
  )
  return [...tables].flatMap((table) => judge(mentions.filter((one) => one.table === table)))
}

/** SQL is written in rows files and in the store, nowhere else. */
export const sqlStaysHome: Rule = (tree) =>
  serviceSources(tree)
    .filter(({ path }) => !isRows(path))
    .flatMap((source) =>
      sqlOf(source).map(({ line }) => ({
        path: source.path,
        line,
        says: "has SQL; move the statement to the module's rows.ts",
      })),
    )

/** The names of all tables that the migrations create. */
export function tablesOf(tree: Tree): Set<string> {
  const migrations = [...tree.files.values()].filter(({ path }) =>
    /^service\/migrations\/.*\.sql$/.test(path),
  )
  const created = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(?:\w+\.)?"?(\w+)"?/gi
  const names = migrations.flatMap(({ text }) =>
    [...text.replace(/--.*$/gm, '').matchAll(created)].map((match) => match[1] ?? ''),
  )
  return new Set(names)
}

function judge(mentions: readonly Mention[]): Violation[] {
  const owner = roomOf(mentions.find(({ path }) => isRows(path))?.path ?? '')
  return mentions.flatMap(({ path, line, table }) => {
    if (!isRows(path)) return [{ path, line, says: `names the table ${table} outside a rows file` }]
    if (roomOf(path) === owner) return []
    return [
      { path, line, says: `names the table ${table} of ${owner}; call a function of that module` },
    ]
  })
}

function isRows(path: string): boolean {
  return ROWS_FILE.test(path) || path.startsWith(STORE)
}

function serviceSources(tree: Tree): Source[] {
  return tree.sources.filter(({ path }) => roomOf(path) !== null && !isTest(path))
}

/** `from deposits`, `delete from only public."deposits"` and their like, up to the name. */
const NAMED =
  /\b(?:from|into|update|join|table|truncate|copy|references)\s+(?:only\s+)?(?:\w+\.)?"?(\w+)/gi
/** The second and later names of `from a, b c, d`. */
const LISTED = /\bfrom\s+\w+(?:\s+(?:as\s+)?\w+)?((?:\s*,\s*\w+(?:\s+(?:as\s+)?\w+)?)+)/gi
/** The methods of a query builder whose first argument is a table. */
const BUILDERS =
  /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|table|(inner|left|right|full)Join)$/

function mentionsOf(source: Source): Mention[] {
  const inSql = sqlOf(source).flatMap(({ text, line }) =>
    namesIn(text).map((table) => ({ path: source.path, line, table })),
  )
  const inCalls = source.visits.flatMap(({ node }) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return []
    const [callee, argument] = [node.callee.property, node.arguments[0]]
    if (callee.type !== 'Identifier' || !BUILDERS.test(callee.name)) return []
    if (argument?.type !== 'Literal' || typeof argument.value !== 'string') return []
    const table = argument.value.split(' ')[0] ?? ''
    return [{ path: source.path, line: source.lineOf(node.start), table }]
  })
  return [...inSql, ...inCalls]
}

function namesIn(sql: string): string[] {
  const first = [...sql.matchAll(NAMED)].map((match) => match[1] ?? '')
  const later = [...sql.matchAll(LISTED)].flatMap((match) =>
    (match[1] ?? '').split(',').map((part) => part.trim().split(/\s/)[0] ?? ''),
  )
  return [...first, ...later].map((name) => name.toLowerCase())
}

const STATEMENTS = [
  /^\s*select\s[\s\S]*\bfrom\b/,
  /^\s*(insert\s+into|delete\s+from|truncate|lock\s+table)\b/,
  /^\s*update\s[\s\S]*\bset\b/,
  /^\s*with\s[\s\S]*\bas\s*\(/,
  /^\s*copy\s[\s\S]*\b(to|from)\b/,
]

/** Every text of SQL in a file: templates of the database's tags, and statements. */
function sqlOf(source: Source): { text: string; line: number }[] {
  return source.visits.flatMap((visit) => {
    const text = textOf(visit.node)
    if (text === null || !(isTagged(visit) || isStatement(text))) return []
    return [{ text, line: source.lineOf(visit.node.start) }]
  })
}

/** SQL is written in one case throughout; a capitalized `Select … from …` is a sentence. */
function isStatement(text: string): boolean {
  const sql = /^\s*[A-Z]{2}/.test(text) ? text.toLowerCase() : text
  return STATEMENTS.some((shape) => shape.test(sql))
}

function textOf(node: ESTree.Node): string | null {
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join(' ? ')
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

const TAG_OBJECTS = ['tx', 'sql', 'db', 'database', 'trx']

function isTagged({ parent }: Visit): boolean {
  if (parent?.node.type !== 'TaggedTemplateExpression') return false
  const { tag } = parent.node
  if (isName(tag, 'sql')) return true
  return tag.type === 'MemberExpression' && TAG_OBJECTS.some((name) => isName(tag.object, name))
}
