import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A page of the documentation, by its path in the repository. */
export interface Page {
  path: string
  text: string
}

/** Code in a page: a block, or a span in a sentence. */
export interface Code {
  page: string
  /** Of a block, what is written behind its fence; null for words in a sentence. */
  language: string | null
  text: string
}

const LEFT_OUT = ['node_modules', 'dist', '.git', '.sluice', 'coverage']
const FENCE = /^( *)```([a-z]*)\n([\s\S]*?)^\1```$/gm

/** Every page there is. */
export function readPages(root: string): Page[] {
  return pathsIn(root)
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? pathsIn(path) : [path]
    })
    .toSorted((a, b) => (a < b ? -1 : 1))
}

/** The page without its blocks of code. */
export function proseOf({ text }: Page): string {
  return text.replaceAll(FENCE, '')
}

/** All code of a page. */
export function codeIn(page: Page): Code[] {
  const blocks = [...page.text.matchAll(FENCE)].map(
    ([, indent = '', language = '', text = '']) => ({
      page: page.path,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
  const spans = [...proseOf(page).matchAll(/`([^`]+)`/g)].map(([, text = '']) => ({
    page: page.path,
    language: null,
    text: text.replaceAll(/\s+/g, ' '),
  }))
  return [...blocks, ...spans]
}
