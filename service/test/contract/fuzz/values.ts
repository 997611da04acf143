import type { Seeded } from '@sluice/simulator'
import type { Json } from '../world/ask.ts'
import { type Corpus, corpus } from '../world/corpora.ts'

/** Intended validity of a value: documented, almost, or hostile. */
export type Mood = 'valid' | 'near' | 'hostile'

/** Values that are good under a name, as far as a stranger can know. */
export type Good = Readonly<Record<string, readonly unknown[]>>

/** Draws values for schemas. */
export interface Values {
  draw(schema: Json, name: string, mood: Mood): unknown
}

const LISTS = [
  'amounts',
  'evm-addresses',
  'bitcoin-addresses',
  'tron-addresses',
  'xrpl-addresses',
  'ids',
  'user-ids',
  'texts',
  'webhook-urls',
]
const BAD = LISTS.map(corpus).flatMap((one: Corpus) => Object.values(one).flat())
const OTHER_TYPES: readonly unknown[] = [null, 0, -1, 1.5, true, false, [], ['a'], {}, { a: 1 }]
const JUNK_MAX = 40

/** Opens them on what is known to be good; everything else follows from the schema. */
export function openValues(
  random: Seeded,
  { good, resolve }: { good: Good; resolve: (schema: Json) => Json },
): Values {
  const draw = (reference: Json, name: string, mood: Mood): unknown => {
    const schema = resolve(reference)
    if (mood === 'hostile') return random.chance(0.5) ? random.pick(BAD) : anyText(random)
    if (mood === 'near' && random.chance(0.3)) return random.pick(OTHER_TYPES)
    const value = ofSchema(schema, name)
    return mood === 'near' && typeof value === 'string' ? bent(random, value) : value
  }
  const ofSchema = (schema: Json, name: string): unknown => {
    const known = good[name]
    if (known !== undefined && random.chance(0.9)) return random.pick(known)
    if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as unknown[])
    if ('const' in schema) return schema['const']
    const types = [schema['type'] ?? 'string'].flat() as string[]
    const type = random.pick(types)
    if (type === 'null') return null
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'integer' || type === 'number') return numberOf(random, schema)
    if (type === 'array')
      return Array.from({ length: random.int(4) }, () =>
        draw(schema['items'] as Json, name, 'valid'),
      )
    if (type === 'object') return objectOf(schema)
    return textOf(random, schema)
  }
  const objectOf = (schema: Json): Json => {
    const properties = (schema['properties'] ?? {}) as Record<string, Json>
    const required = (schema['required'] ?? []) as string[]
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || random.chance(0.5),
    )
    return Object.fromEntries(
      names.map((name) => [name, draw(properties[name] ?? {}, name, 'valid')]),
    )
  }
  return { draw }
}

function numberOf(random: Seeded, { minimum = 0, maximum = 1000 }: Json): number {
  const [least, most] = [Number(minimum), Number(maximum)]
  return random.pick([least, most, least + random.int(Math.max(1, most - least))])
}

function textOf(random: Seeded, { minLength = 0, maxLength = 24 }: Json): string {
  const least = Number(minLength)
  const length = least + random.int(Math.max(1, Math.min(Number(maxLength), 24) - least + 1))
  return random.hex(length).slice(0, length)
}

/** A good text with one thing wrong. */
function bent(random: Seeded, text: string): string {
  const at = random.int(text.length + 1)
  const extra = random.pick([
    ' ',
    '\u0000',
    '\n',
    '\u200b',
    '\u202e',
    '0',
    'é',
    '%',
    "'",
    '\u{1F600}',
  ])
  return random.pick([
    text.slice(0, at) + extra + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
    text.toUpperCase(),
    text.toLowerCase(),
    text + text,
    '',
    text.slice(0, at),
    `${text}/`,
  ])
}

function anyText(random: Seeded): string {
  const ranges = [0x20, 0x80, 0x0, 0x300, 0x600, 0x2000, 0x1f600]
  return Array.from({ length: random.int(JUNK_MAX) }, () =>
    String.fromCodePoint(random.pick(ranges) + random.int(0x60)),
  ).join('')
}
