import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A block of code in a page, and its place. */
export interface Block {
  page: string
  line: number
  language: string
  code: string
}

/** The pieces of code of a page, in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```([a-z]+)\n(.*?)^```$/gms)].map((found) => ({
    page,
    line: text.slice(0, found.index).split('\n').length,
    language: found[1] ?? '',
    code: found[2] ?? '',
  }))
}

/** The one piece of code of a page that has this in it. */
export function blockWith(page: string, what: string, language?: string): Block {
  const found = blocksOf(page).filter(
    (block) => block.code.includes(what) && (language ?? block.language) === block.language,
  )
  const [block] = found
  if (block === undefined || found.length > 1)
    throw new Error(`${found.length} pieces of code with "${what}" in ${page}`)
  return block
}
