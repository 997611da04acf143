// Prints odd phrasings in 10,000 words for each folder; with a folder, each of its matches:
// `npm run language [-- <folder>]`.
import { fileURLToPath } from 'node:url'
import { languageOf, rateOf } from './tidy/lexicon.ts'
import { readTree } from './tidy/tree.ts'

const [wanted] = process.argv.slice(2)
for (const entry of languageOf(readTree(fileURLToPath(new URL('..', import.meta.url))))) {
  if (wanted !== undefined && !`${entry.folder}/`.startsWith(`${wanted}/`)) continue
  process.stdout.write(`${entry.folder} ${Math.ceil(rateOf(entry))} (${entry.words} words)\n`)
  if (wanted === undefined) continue
  for (const { path, line, phrase } of entry.odd) {
    process.stdout.write(`${path}:${line} ${phrase.trim()}\n`)
  }
}
