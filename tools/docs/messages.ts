import type { ESTree } from 'vite'
import type { Source, Visit } from '../tidy/source.ts'
import { isTest } from '../tidy/tree.ts'
import { type CommandLine, wordsOf } from './commands.ts'

/** A placeholder for what a template puts in when the program runs. */
const FILLED_IN = '<value>'
/** Marks of other texts that begin with the program's name and a command's. */
const NOT_COMMANDS = ['sluice audit 1']
/** A command ends with its backtick, or with the line; two spaces set its description apart. */
const MENTION = /(`?)(?:npx )?\bsluice ([a-z][a-z-]*\b[^`\n]*?)(?:\1(?=`)|`|(?= {2,})|(?=\n)|$)/g

/** Every command that a message of the program names, complete as it is printed. */
export function commandsInMessages(
  sources: readonly Source[],
  names: readonly string[],
): CommandLine[] {
  return sources
    .filter(({ path }) => /^(service|simulator|dashboard|client|wire)\/src\//.test(path))
    .filter(({ path }) => !isTest(path))
    .flatMap((source) => textsOf(source).flatMap((text) => mentionsIn(source.path, text, names)))
}

function mentionsIn(page: string, text: string, names: readonly string[]): CommandLine[] {
  if (NOT_COMMANDS.includes(text)) return []
  return [...text.matchAll(MENTION)].flatMap(([, , line = '']) => {
    const [name = ''] = line.split(' ')
    if (!names.includes(name) && !names.includes(name.replace(/s$/, ''))) return []
    return [{ page, line: `sluice ${line}`, words: wordsOf(line), isWhole: true }]
  })
}

/** The texts of a file: strings and templates, put together where `+` joins them. */
function textsOf({ visits }: Source): string[] {
  return visits.flatMap((visit) => {
    if (isJoined(visit.parent) || isImport(visit)) return []
    const found = textOf(visit.node)
    return found === null ? [] : [found]
  })
}

function isJoined(parent: Visit | null): boolean {
  return parent !== null && parent.node.type === 'BinaryExpression' && parent.node.operator === '+'
}

function isImport({ parent }: Visit): boolean {
  return parent?.node.type === 'ImportDeclaration'
}

/** The text of a node with a placeholder for each unknown part; null if it is not a text. */
function textOf(node: ESTree.Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'TemplateLiteral') {
    return node.quasis.map(({ value }) => value.cooked ?? '').join(FILLED_IN)
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  if (left === null && right === null) return null
  return `${left ?? FILLED_IN}${right ?? FILLED_IN}`
}
