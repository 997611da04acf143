import type { Seeded } from '@sluice/simulator'
import type { Json, Question } from '../world/ask.ts'
import type { Described } from './document.ts'
import type { Mood, Values } from './values.ts'

/** Credential of a request. */
export type Who = 'key' | 'admin' | 'approver' | 'viewer' | 'nobody' | 'nonsense' | 'both'

/** One request, and its intent. */
export interface Shot {
  operation: Described
  who: Who
  /** True if its method, path or transport was altered: it may no longer be an operation. */
  isBent: boolean
  path: string
  question: Question
}

const WHO: readonly Who[] = [
  ...Array.from({ length: 6 }, () => 'key' as const),
  ...Array.from({ length: 4 }, () => 'admin' as const),
  'approver',
  'viewer',
  'nobody',
  'nonsense',
  'both',
]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE']

/** Draws a request for an operation; the same seed gives the same request. */
export function drawShot(
  random: Seeded,
  { operation, values }: { operation: Described; values: Values },
): Shot {
  const mood = (): Mood => (random.chance(0.6) ? 'valid' : random.chance(0.5) ? 'near' : 'hostile')
  const isSpoiled = random.chance(0.7)
  const draw = (schema: Json, name: string) =>
    values.draw(schema, name, isSpoiled ? mood() : 'valid')
  const inPath = operation.parameters.filter((one) => one.in === 'path')
  const path = inPath.reduce(
    (text, { name, schema }) =>
      text.replace(`{${name}}`, () => encode(asText(values.draw(schema, name, mood())))),
    operation.path,
  )
  const search = searchOf(random, operation, draw)
  const shot: Shot = {
    operation,
    who: random.pick(WHO),
    isBent: false,
    path: path + search,
    question: { method: operation.method, ...bodyOf(random, operation, draw, isSpoiled) },
  }
  return random.chance(0.05) ? bend(random, shot) : shot
}

function searchOf(
  random: Seeded,
  { parameters }: Described,
  draw: (schema: Json, name: string) => unknown,
): string {
  const pairs = parameters
    .filter(
      (one) => one.in === 'query' && (one.required ? random.chance(0.95) : random.chance(0.3)),
    )
    .map(({ name, schema }) => `${name}=${encode(asText(draw(schema, name)))}`)
  if (random.chance(0.03)) pairs.push('__proto__=1', 'nonsense=%F0%9F%98%80')
  if (random.chance(0.03) && pairs[0] !== undefined) pairs.push(pairs[0])
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function bodyOf(
  random: Seeded,
  { body }: Described,
  draw: (schema: Json, name: string) => unknown,
  isSpoiled: boolean,
): Question {
  if (body === null) return {}
  const drawn = draw(body, '')
  if (!isSpoiled || typeof drawn !== 'object' || drawn === null) return { body: drawn }
  const members = Object.entries(drawn as Json).flatMap(([name, value]): [string, unknown][] => {
    if (random.chance(0.1)) return []
    return [[name, random.chance(0.2) ? draw({ type: 'string' }, name) : value]]
  })
  const text = JSON.stringify(Object.fromEntries(members))
  if (!random.chance(0.1)) return { raw: text }
  const at = random.int(text.length + 1)
  return {
    raw: text.slice(0, at) + random.pick(['', '{', ',', '"', '\u0000', '}']) + text.slice(at + 1),
  }
}

function bend(random: Seeded, shot: Shot): Shot {
  const { path, question } = shot
  const bent = { ...shot, isBent: true }
  switch (random.int(4)) {
    case 0:
      return { ...bent, question: { ...question, method: random.pick(METHODS) } }
    case 1:
      return { ...bent, path: `${path.slice(0, random.int(path.length) + 1)}%` }
    case 2:
      return {
        ...bent,
        path: path.replace('/', () => random.pick(['//', '/./', '/%2e%2e/', '/V1/'])),
      }
    default: {
      const type = random.pick(['text/plain', 'application/xml', ''])
      return { ...bent, question: { ...question, headers: { 'content-type': type } } }
    }
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))
}
