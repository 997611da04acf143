import { posix } from 'node:path'
import type { ESTree } from 'vite'
import type { Source } from './source.ts'
import type { Rule, Tree } from './tree.ts'

/**
 * Phrasings that plain technical English does not use (docs/glossary.md, STYLE.md). A single match
 * can be right; a page full of them has to be read twice.
 */
const LEXICON: readonly RegExp[] = [
  // A sentence begins with its subject, a noun.
  /(?:^|[.;!?] +)(?:what|whoever|whatever|whose|who|those)\b(?! (?:is|are|do|does|if) [^.]*\?)/gi,
  /(?:^|[.;!?] +)(?:that|so|where|lest|though)\b/gi,
  // Stand-ins for the noun.
  /\b(?:nobody|somebody|anybody|no one|whoever|whatever|whichever|whosoever)\b/gi,
  /\b(?:that|which|where|there) (?:is|are|was|were) (?:none|one|nothing|not one)\b/gi,
  /\b(?:none|nothing|not one) (?:of (?:it|them|that|these|those)|is|was|does|has|can|more)\b/gi,
  // Conditions are "if", "when", "unless".
  /\bwhere (?:it|they|there|one|a|an|no|nothing|he|we|its|all|two|several|only|such)\b/gi,
  /\b(?:lest|besides|whereby|albeit|all the same|save for|so far as)\b/gi,
  /\bso that [^.;]{0,40}\b(?:may|might)\b/gi,
  // Technical verbs.
  /\b(?:stands|stood|standing|lies|lay|rests)\b/gi,
  /\b(?:tells?|telling|told|untold)\b/gi,
  /\b(?:asks? (?:after|of|about)|asked (?:of|after|about)|says? (?:of|so|no|yes))\b/gi,
  /\b(?:becomes?|became|come|comes|came) (?:of|to nothing|of it|along|in by)\b/gi,
  /\b(?:is|are|was|were) (?:over|away|at hand|ours|theirs|meant|gone|good for)\b/gi,
  /\b(?:let|lets|letting) (?:go|in|out)\b/gi,
  /\b(?:takes?|taken|took|gives?|given|gave|puts?|brings?|brought) (?:along|apart|itself)\b/gi,
  /\b(?:bears?|borne|obeys?|obeyed|mends?|mended|vouch(?:es|ed)?|knows? of|heeds?)\b/gi,
  // Words of another register.
  /\b(?:anew|amid|for ever|for good|by itself|of (?:itself|its own|their own|his own|our own))\b/gi,
  /\b(?:dice|the house|gravest|dearer|dearest|lonely|manners|furniture|attic)\b/gi,
  /\b(?:thing|things) that\b/gi,
  /, (?:and|but|or) (?:not|no) (?:a |an |the )?\w+ (?:else|more)\b/gi,
]

/** At most this many matches in 10,000 words. */
export const ODD_PHRASES_MAX = 20

/** A folder with fewer words has no rate worth judging. */
const WORDS_MIN = 300

export interface FolderLanguage {
  folder: string
  words: number
  odd: readonly OddPhrase[]
}

export interface OddPhrase {
  path: string
  line: number
  phrase: string
}

/**
 * Finds odd phrasings by folder: in the prose of Markdown pages, in comments, in names of tests and
 * in texts of three words or more. One entry for each folder, sorted by name.
 */
export function languageOf(tree: Tree): FolderLanguage[] {
  const folders = new Map<string, { folder: string; words: number; odd: OddPhrase[] }>()
  const add = (path: string, texts: readonly { text: string; line: number }[]) => {
    const folder = folderOf(path)
    const entry = folders.get(folder) ?? { folder, words: 0, odd: [] }
    for (const { text, line } of texts) {
      entry.words += text.match(/[A-Za-z']+/g)?.length ?? 0
      entry.odd.push(...oddPhrasesIn(text).map((phrase) => ({ path, line, phrase })))
    }
    folders.set(folder, entry)
  }
  for (const { path, text } of tree.files.values()) {
    if (path.endsWith('.md') && path !== GLOSSARY) add(path, paragraphsOf(text))
  }
  for (const source of tree.sources) {
    if (source.path.startsWith('tools/tidy/lexicon')) continue
    add(source.path, [...commentsOf(source), ...textsOf(source)])
  }
  return [...folders.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** It quotes the words that are not used. */
const GLOSSARY = 'docs/glossary.md'

/** The matches of the lexicon in a text. */
export function oddPhrasesIn(text: string): string[] {
  const flat = text.replaceAll(/\s+/g, ' ')
  return LEXICON.flatMap((pattern) => flat.match(pattern) ?? [])
}

/** Matches in 10,000 words. */
export function rateOf({ words, odd }: FolderLanguage): number {
  return words === 0 ? 0 : (odd.length * 10_000) / words
}

/** A folder has at most `ODD_PHRASES_MAX` odd phrasings in 10,000 words. */
export const languageIsPlain: Rule = (tree) =>
  languageOf(tree)
    .filter((entry) => entry.words >= WORDS_MIN && rateOf(entry) > ODD_PHRASES_MAX)
    .map((entry) => {
      const rate = Math.ceil(rateOf(entry))
      const says = `has ${rate} odd phrasings in 10,000 words, ${ODD_PHRASES_MAX} at most`
      return { path: entry.folder, line: 1, says }
    })

type Passage = { text: string; line: number }

/** Paragraphs of a Markdown page without code, targets of links and emphasis. */
function paragraphsOf(text: string): Passage[] {
  const blank = (block: string) => block.replaceAll(/[^\n]/g, '')
  const prose = text
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, blank)
    .replaceAll(/`[^`]*`/g, (code) => `x${blank(code)}`)
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\*\*/g, '')
  let line = 1
  return prose.split(/\n{2,}/).map((paragraph) => {
    const passage = { text: paragraph, line }
    line += paragraph.split('\n').length + 1
    return passage
  })
}

function commentsOf(source: Source): Passage[] {
  const joined: Passage[] = []
  let last = -2
  for (const { text, line } of source.comments) {
    const plain = text
      .replaceAll(/^\s*\*+/gm, ' ')
      .replaceAll(/`[^`]*`/g, 'x')
      .trim()
    const before = joined.at(-1)
    if (line === last + 1 && before !== undefined) before.text += ` ${plain}`
    else joined.push({ text: plain, line })
    last = line
  }
  return joined
}

/** String literals and fixed parts of templates of three words or more; SQL is left out. */
function textsOf(source: Source): Passage[] {
  return source.visits
    .flatMap(({ node }) => textsIn(node).map((text) => ({ text, line: source.lineOf(node.start) })))
    .filter(({ text }) => /[a-z]+ [a-z]+ [a-z]+/i.test(text) && !SQL.test(text))
}

const SQL = /^\s*(?:select|insert|update|delete|with|create|alter|grant)\b|\n\s*(?:from|where)\b/

function textsIn(node: ESTree.Node): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type !== 'TemplateLiteral') return []
  return [node.quasis.map(({ value }) => value.cooked ?? '').join('x')]
}

function folderOf(path: string): string {
  const parts = posix.dirname(path).split('/')
  return parts.slice(0, parts[0] === 'service' ? 3 : 2).join('/')
}
