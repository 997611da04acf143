import { readFileSync } from 'node:fs'

/** Texts too long to be written down are a recipe. */
interface Recipe {
  before?: string
  repeat: string
  times: number
}

/** Entries of a class of bad inputs, by the name of the class. */
export type Corpus = Readonly<Record<string, readonly string[]>>

/** Reads one of the lists in `corpora/`. */
export function corpus(name: string): Corpus {
  const written = readJson(name) as Record<string, (string | Recipe)[]>
  return Object.fromEntries(
    Object.entries(written).map(([kind, entries]) => [kind, entries.map(cook)]),
  )
}

/** The entries of one class of a list. */
export function entriesOf(name: string, kind: string): readonly string[] {
  const entries = corpus(name)[kind]
  if (entries === undefined) throw new Error(`${name} has no ${kind}`)
  return entries
}

/** A body as it is sent, byte for byte. */
export interface BadBody {
  what: string
  bytes: Buffer
  headers: Record<string, string>
}

const DEEP = 10_000
const OVER_64_KIB = 66_000
const HUGE = 10_000_000

/** The bodies of `corpora/bodies.json`, built around the members of one that would be accepted. */
export function badBodies(members: string): BadBody[] {
  const { refused } = readJson('bodies') as { refused: WrittenBody[] }
  return refused.map(({ what, body = '', base64, headers = {} }) => {
    const text = body
      .replace('<VALID>', () => members)
      .replace('<VALID>', () => members)
      .replace('<DEEP>', () => '['.repeat(DEEP) + ']'.repeat(DEEP))
      .replace('<OPEN>', () => '['.repeat(DEEP))
      .replace('<LONG>', () => 'x'.repeat(OVER_64_KIB))
      .replace('<HUGE>', () => 'x'.repeat(HUGE))
    const bytes = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')
    return { what, bytes, headers }
  })
}

interface WrittenBody {
  what: string
  body?: string
  base64?: string
  headers?: Record<string, string>
}

function cook(entry: string | Recipe): string {
  if (typeof entry === 'string') return entry
  return (entry.before ?? '') + entry.repeat.repeat(entry.times)
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../corpora/${name}.json`, import.meta.url), 'utf8'))
}
