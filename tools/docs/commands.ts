import type { Command, Option } from 'commander'
import { type Code, codeIn, type Page } from './pages.ts'

/** One `sluice` command line of a page. */
export interface CommandLine {
  page: string
  line: string
  words: string[]
  /** Whether it is complete except for placeholders in angle brackets. */
  isWhole: boolean
}

/** Records of decisions and changes name commands but do not recommend them. */
const RECORDS = /^CHANGELOG\.md$|^docs\/decisions\//
const SHELLS: readonly (string | null)[] = ['bash', 'sh', 'shell', 'console']
const WORD = /<[^>]*>|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'<>|;&]+|[|;&>]+/g

/** Every line of `sluice` in the pages. */
export function commandLines(pages: readonly Page[]): CommandLine[] {
  return pages.flatMap((page) => codeIn(page).flatMap(linesIn))
}

function linesIn({ page, language, text }: Code): CommandLine[] {
  const isBlock = language !== null
  if (isBlock && !SHELLS.includes(language)) return []
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?sluice( .*)?$/.exec(stripComment(line))
    if (found === null) return []
    const words = wordsOf(found[1] ?? '')
    // The bare name means the program, not a command.
    if (!isBlock && words.length === 0) return []
    return [{ page, line: line.trim(), words, isWhole: isBlock || !RECORDS.test(page) }]
  })
}

function stripComment(line: string): string {
  return line.replace(/\s+#.*$/, '')
}

/** Splits like a shell and stops at a pipe or redirection. */
export function wordsOf(text: string): string[] {
  const words: string[] = [...(text.match(WORD) ?? [])]
  const end = words.findIndex((word) => /^[|;&>]+$/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

/** Compares a line with the program's commands; null if it is correct. */
export function faultOf(program: Command, { words, isWhole }: CommandLine): string | null {
  let command = program
  let rest = words.filter((word) => word !== '--json' && word !== '--help')
  const asksHelp = words.includes('--help')
  for (;;) {
    const next = findCommand(command, rest[0])
    if (next === undefined) break
    command = next
    rest = rest.slice(1)
  }
  if (rest[0] === '--version' || (asksHelp && rest.length === 0)) return null
  if (command.commands.length > 0 && rest.length > 0) return `no command ${rest[0]}`
  if (command.commands.length > 0 && isWhole) return 'no command is named'
  return faultOfWords(command, rest, isWhole)
}

function findCommand(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find(
    (one) => word !== undefined && (one.name() === word || one.aliases().includes(word)),
  )
}

function faultOfWords(command: Command, rest: readonly string[], isWhole: boolean): string | null {
  const seen = new Set<string>()
  let values = 0
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (!word.startsWith('--')) {
      values += 1
      continue
    }
    const option = command.options.find(({ long }) => long === word)
    if (option === undefined) return `no option ${word}`
    seen.add(word)
    if (!takesValue(option)) continue
    at += 1
    const value = rest[at]
    if (value === undefined && isWhole) return `${word} without its value`
    if (value !== undefined && !isChoice(option, value)) return `${word} cannot be ${value}`
  }
  const { registeredArguments } = command
  if (values > registeredArguments.length) return 'too many words'
  if (!isWhole) return null
  if (values < registeredArguments.filter(({ required }) => required).length) return 'too few words'
  const missing = command.options.find(({ long, mandatory }) => mandatory && !seen.has(long ?? ''))
  return missing === undefined ? null : `${missing.long} is missing`
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

function isChoice({ argChoices }: Option, value: string): boolean {
  return argChoices === undefined || value.startsWith('<') || argChoices.includes(value)
}
