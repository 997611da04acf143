import fc from 'fast-check'

type Path = readonly (string | number)[]

/** A change of one place of a JSON value. */
export interface Change {
  kind: 'replace' | 'remove' | 'insert' | 'case' | 'empty' | 'copy' | 'drop' | 'add'
  /** Indexes of the changed and of another place, modulo the number of places. */
  place: number
  other: number
  /** Position in a text, and the character that is written there. */
  position: number
  character: string
}

const CHARACTERS = Array.from('0123456789abcdefABCxyz-_/:. \u0000"\\é')

export const changes: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(
    'replace',
    'replace',
    'remove',
    'insert',
    'case',
    'empty',
    'copy',
    'drop',
    'add',
  ),
  place: fc.noBias(fc.nat(2 ** 20)),
  other: fc.noBias(fc.nat(2 ** 20)),
  position: fc.noBias(fc.nat(2 ** 20)),
  character: fc.constantFrom(...CHARACTERS),
})

/** The value with one change, as a new one; null if the change leaves it as it is. */
export function mutate(value: unknown, change: Change): unknown {
  const json = JSON.stringify(value)
  const copy: unknown = JSON.parse(json)
  const { kind, place } = change
  const paths = pathsOf(copy).slice(1)
  const isNode = kind === 'add'
  const fitting = paths.filter(
    (path) => isNode === isObject(valueAt(copy, path)) || kind === 'drop',
  )
  const path = fitting[place % fitting.length] ?? []
  const parent = Object(valueAt(copy, path.slice(0, -1)))
  const key = path.at(-1) ?? ''
  if (kind === 'add') Object(valueAt(copy, path))[change.character] = change.position
  else if (kind !== 'drop') parent[key] = leafOf(parent[key], paths, copy, change)
  else if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
  return JSON.stringify(copy) === json ? null : copy
}

function leafOf(leaf: unknown, paths: readonly Path[], root: unknown, change: Change): unknown {
  const { kind, other, position, character } = change
  if (kind === 'empty') return ''
  if (kind === 'copy') {
    const leaves = paths.map((path) => valueAt(root, path)).filter((value) => !isObject(value))
    return leaves[other % leaves.length]
  }
  if (typeof leaf === 'number') return leaf + (kind === 'replace' ? 1 : -1)
  if (typeof leaf === 'boolean') return !leaf
  if (typeof leaf !== 'string') return character
  const at = position % (leaf.length + (kind === 'insert' ? 1 : 0))
  const [before, there, after] = [leaf.slice(0, at), leaf.charAt(at), leaf.slice(at + 1)]
  if (kind === 'remove') return before + after
  if (kind === 'insert') return before + character + there + after
  if (kind === 'replace') return before + character + after
  return leaf === leaf.toUpperCase() ? leaf.toLowerCase() : leaf.toUpperCase()
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  const isList = Array.isArray(value)
  const entries = isObject(value) ? Object.entries(Object(value)) : []
  const inner = entries.flatMap(([key, part]) =>
    pathsOf(part, [...path, isList ? Number(key) : key]),
  )
  return [path, ...inner]
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce((value: unknown, key) => Object(value)[key], root)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
