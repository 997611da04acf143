import { isAscii } from 'node:buffer'
import { LearnedTables } from './learned-table.ts'
import { openScanMemory } from './memory.ts'
import type { ScanMemory } from './memory.ts'
import { Literal, Shape, openSource } from './shape.ts'
import type { ReadRows, Table, Wish } from './shape.ts'
import { FAILED, HASH_DIGITS, NIBBLES, OPENING, QUOTE, countTopics, topicAt } from './skip.ts'
import type { Source, ValueKind } from './skip.ts'

/**
 * The value that a field of a row must have, as Ethereum's JSON-RPC writes it, with lower-case
 * digits. A field is required, except `any` and the kinds with `-or-null`: they may be missing.
 * - `quantity`: 0x and 1 to 64 digits
 * - `data`: 0x and whole bytes
 * - `input`: the same, but the digits are not checked, because transaction inputs are not read
 * - `unchecked-hash`: 0x and 64 characters, which the caller compares with a known hash
 * - `own-hash`: one of the hashes that the caller expects, or the hash of the parent object
 * - `rank`: a quantity that equals the row's index
 * - `topics`: a list of at most four hashes
 */
export type FieldKind =
  | 'quantity'
  | 'quantity-or-null'
  | 'hash'
  | 'address'
  | 'address-or-null'
  | 'unchecked-hash'
  | 'own-hash'
  | 'rank'
  | 'data'
  | 'input'
  | 'topics'
  | 'false-or-null'
  | 'any'

/** The answer to read: a list of objects, or an object that contains one. */
export interface Schema<Field extends string> {
  /** The object in `result` if that is not the list: its fields, and the field with the list. */
  parent?: { fields: readonly string[]; list: string }
  row: Readonly<Record<Field, FieldKind>>
}

export interface Expected {
  /** The id of the JSON-RPC request. */
  id: number
  /** Values that `own-hash` may have; without them, the `hash` of the parent object. */
  ownHashes?: readonly [string, ...string[]]
}

export interface Scanner<Field extends string> {
  /** The rows of an answer; null if they must be read by a JSON parser. */
  scan(bytes: Buffer, expected: Expected): Scan<Field> | null
}

/** The rows of an answer, as positions in its bytes, which must not change. */
export interface Scan<Field extends string> {
  readonly bytes: Buffer
  readonly view: DataView
  readonly count: number
  /** The fields of the parent object; `hash` was checked, the others were not. */
  readonly parent: Readonly<Record<string, unknown>>
  /** The fields of one row, parsed; a missing field is undefined. */
  record(rank: number): Record<string, unknown>
  column(field: Field): Column
  topics(field: Field): TopicColumn
  /** Compares ASCII text of at least four bytes with the bytes at a position. */
  matcher(text: string): (at: number) => boolean
}

/** One field of all rows. */
export interface Column {
  /** Whether the field is null or missing. */
  isNull(rank: number): boolean
  /** The position of the first digit, behind 0x. */
  digits(rank: number): number
}

/** A field with a list of topics. */
export interface TopicColumn {
  count(rank: number): number
  /** The position of the first digit of a topic, behind 0x. */
  digits(rank: number, topic: number): number
}

/**
 * A scanner for answers of one schema. It accepts an answer only if each row has exactly the form
 * that clients write: no blanks, no escapes, no key twice. The rest of an answer is only delimited.
 */
export function createScanner<Field extends string>(schema: Schema<Field>): Scanner<Field> {
  return new JsonScanner(schema)
}

const ENVELOPE = {
  id: { place: 0, kind: 'any' },
  result: { place: 2, kind: 'rows' },
  error: { place: 4, kind: 'any' },
} as const
const ENVELOPE_SHAPE = new Shape(ENVELOPE)
const PARENT_HASH = 'hash'

/** The check of a value after it was delimited. A class, since it is read for each value. */
class Check {
  readonly kind: ValueKind
  readonly isOptional: boolean
  readonly isEven: boolean
  /** Lengths include quotes and 0x. */
  readonly lengthMin: number
  readonly lengthMax: number
  /** The first byte; 0 for any. */
  readonly first: number

  constructor(
    kind: ValueKind,
    {
      isOptional = false,
      isEven = false,
      lengthMin = 1,
      lengthMax = LENGTH_MAX,
      first = 0,
    }: Partial<Omit<Check, 'kind'>> = {},
  ) {
    this.kind = kind
    this.isOptional = isOptional
    this.isEven = isEven
    this.lengthMin = lengthMin
    this.lengthMax = lengthMax
    this.first = first
  }
}

const [NEWLINE, BACKSLASH, LETTER_F, LETTER_N] = [10, 92, 102, 110]
const LENGTH_MAX = 2 ** 30
const QUANTITY = { lengthMin: '"0x0"'.length, lengthMax: OPENING + 64 + 1 }
const FOUR_TOPICS = topicAt(0, 4) - OPENING
const CHECKS: Readonly<Record<FieldKind, Check>> = {
  quantity: new Check('hex', QUANTITY),
  'quantity-or-null': new Check('hex-or-null', { ...QUANTITY, isOptional: true }),
  hash: new Check('hash'),
  address: new Check('address'),
  'address-or-null': new Check('address-or-null', { isOptional: true }),
  'unchecked-hash': new Check('compared'),
  'own-hash': new Check('own-hash'),
  rank: new Check('rank'),
  data: new Check('hex', { isEven: true }),
  input: new Check('long'),
  topics: new Check('topics', { lengthMax: FOUR_TOPICS }),
  'false-or-null': new Check('any', { isOptional: true, first: LETTER_F }),
  any: new Check('any', { isOptional: true }),
}

type Wishes = Readonly<Record<string, Wish>>

/** More digits would not fit a number of 32 bits. */
const RANK_DIGITS_MAX = 7

/** The scanner behind `createScanner`; tests choose whether it uses WebAssembly. */
export class JsonScanner<Field extends string> implements Scanner<Field> {
  readonly #wishes: Wishes
  readonly #checks: readonly Check[]
  readonly #tables: LearnedTables
  readonly #parent: { wishes: Wishes; shape: Shape } | null

  constructor({ parent, row }: Schema<Field>) {
    const checks = Object.entries<FieldKind>(row).map(([field, kind]) => ({
      field,
      check: CHECKS[kind],
    }))
    this.#checks = checks.map(({ check }) => check)
    this.#wishes = wishesOf(checks.map(({ field, check }) => [field, check.kind]))
    this.#tables = new LearnedTables(new Shape(this.#wishes))
    this.#parent = parent === undefined ? null : parentOf(parent)
  }

  /** Without a memory the answer is read byte by byte: the same result in three times the time. */
  scan(
    bytes: Buffer,
    { id, ownHashes = [] }: { id: number; ownHashes?: readonly string[] },
    memory: ScanMemory | null = openScanMemory(),
  ): Scan<Field> | null {
    if (!isPlain(bytes, memory)) return null
    const source = openSource(bytes)
    const parentRow = new Int32Array(this.#parent?.shape.width ?? 0).fill(FAILED)
    const hashes = ownHashes.map(literalOf)
    const tables: Table[] = []
    const readRows: ReadRows = (_, at) => {
      const hash = hashes[0]?.text ?? this.#parentHash(bytes, parentRow)
      const read = this.#tables.read(source, at, { memory, hash })
      if (read === null) return FAILED
      tables.push(read.table)
      return read.end
    }
    const shape = this.#parent?.shape
    const readResult: ReadRows = (_, at) =>
      shape?.read(source, at, { rows: parentRow, row: 0, readRows }) ?? readRows(source, at)
    const [table] = isAnswer(source, id, readResult) ? tables : []
    if (table === undefined) return null
    const parentHash = this.#parentHash(bytes, parentRow)
    if (hashes.length === 0 && parentHash !== null) hashes.push(new Literal(parentHash))
    if (!this.#isValid(source, table, hashes)) return null
    return new JsonScan(source, table, {
      wishes: this.#wishes,
      parent: recordAt(bytes, parentRow, this.#parent?.wishes ?? {}),
    })
  }

  /** The digits of the parent's hash; null if it was not read yet. */
  #parentHash(bytes: Buffer, parentRow: Int32Array): Uint8Array | null {
    const begin = parentRow[this.#parent?.wishes[PARENT_HASH]?.place ?? FAILED] ?? FAILED
    if (begin === FAILED) return null
    return bytes.subarray(begin + OPENING, begin + OPENING + HASH_DIGITS)
  }

  #isValid(source: Source, { count, rows, proved }: Table, hashes: readonly Literal[]): boolean {
    const { bytes } = source
    for (let rank = 0, place = 0; rank < count; rank += 1) {
      const isProved = proved[rank] === 1
      for (const check of this.#checks) {
        const begin = rows[place] ?? FAILED
        const end = rows[place + 1] ?? FAILED
        place += 2
        if (!isValue(bytes, begin, end, check)) return false
        if (isProved) continue
        if (check.kind === 'rank' && quantityAt(bytes, begin, end) !== rank) return false
        const isOwn = check.kind !== 'own-hash' || isOneOf(source, begin + OPENING, hashes)
        if (!isOwn) return false
      }
    }
    return true
  }
}

class JsonScan<Field extends string> implements Scan<Field> {
  readonly bytes: Buffer
  readonly view: DataView
  readonly count: number
  readonly parent: Readonly<Record<string, unknown>>
  readonly #rows: Int32Array
  readonly #wishes: Wishes
  readonly #width: number

  constructor(
    { bytes, view }: Source,
    { count, rows }: Table,
    { wishes, parent }: { wishes: Wishes; parent: Readonly<Record<string, unknown>> },
  ) {
    this.bytes = bytes
    this.view = view
    this.count = count
    this.parent = parent
    this.#rows = rows
    this.#wishes = wishes
    this.#width = 2 * Object.keys(wishes).length
  }

  record(rank: number): Record<string, unknown> {
    return recordAt(this.bytes, this.#rows, this.#wishes, rank * this.#width)
  }

  column(field: Field): Column {
    const place = this.#wishes[field]?.place ?? FAILED
    const [bytes, rows, width] = [this.bytes, this.#rows, this.#width]
    return {
      isNull: (rank) => {
        const begin = rows[rank * width + place] ?? FAILED
        return begin === FAILED || bytes[begin] === LETTER_N
      },
      digits: (rank) => (rows[rank * width + place] ?? 0) + OPENING,
    }
  }

  topics(field: Field): TopicColumn {
    const place = this.#wishes[field]?.place ?? FAILED
    const [rows, width] = [this.#rows, this.#width]
    return {
      count: (rank) =>
        countTopics(rows[rank * width + place] ?? 0, rows[rank * width + place + 1] ?? 0),
      digits: (rank, topic) => topicAt(rows[rank * width + place] ?? 0, topic),
    }
  }

  matcher(text: string): (at: number) => boolean {
    const literal = new Literal(Buffer.from(text, 'latin1'))
    const source = { bytes: this.bytes, view: this.view }
    return (at) => literal.isAt(source, at)
  }
}

function parentOf({ fields, list }: { fields: readonly string[]; list: string }) {
  const wishes = wishesOf(fields.map((field) => [field, field === PARENT_HASH ? 'hash' : 'any']))
  const place = 2 * fields.length
  return { wishes, shape: new Shape({ ...wishes, [list]: { place, kind: 'rows' } }) }
}

function wishesOf(kinds: readonly (readonly [field: string, kind: ValueKind])[]): Wishes {
  return Object.fromEntries(kinds.map(([field, kind], at) => [field, { place: 2 * at, kind }]))
}

/** Whether the bytes are ASCII without escapes. Copies them into the memory. */
function isPlain(bytes: Buffer, memory: ScanMemory | null): boolean {
  return memory?.isPlain(bytes) ?? (!bytes.includes(BACKSLASH) && isAscii(bytes))
}

/** Whether the bytes are one answer to this request, without an error. */
function isAnswer(source: Source, id: number, readRows: ReadRows): boolean {
  const { bytes } = source
  const rows = new Int32Array(ENVELOPE_SHAPE.width).fill(FAILED)
  const end = ENVELOPE_SHAPE.read(source, 0, { rows, row: 0, readRows })
  const isWhole = end === bytes.length || (end === bytes.length - 1 && bytes[end] === NEWLINE)
  if (!isWhole || rows[ENVELOPE.error.place] !== FAILED) return false
  return valueAt(bytes, rows, ENVELOPE.id.place) === id
}

function isValue(bytes: Buffer, begin: number, end: number, check: Check): boolean {
  if (begin === FAILED) return check.isOptional
  if (check.isOptional && bytes[begin] === LETTER_N) return true
  const length = end - begin
  if (length < check.lengthMin || length > check.lengthMax) return false
  if (check.isEven && length % 2 !== 0) return false
  return check.first === 0 || bytes[begin] === check.first
}

function isOneOf(source: Source, at: number, hashes: readonly Literal[]): boolean {
  return hashes.some((hash) => hash.isAt(source, at))
}

/** A small quantity; FAILED if it has no digits or too many. */
function quantityAt(bytes: Buffer, begin: number, end: number): number {
  const [first, last] = [begin + OPENING, end - 1]
  if (last <= first || last - first > RANK_DIGITS_MAX) return FAILED
  let value = 0
  for (let at = first; at < last; at += 1) value = value * 16 + (NIBBLES[bytes[at] ?? 0] ?? 0) - 1
  return value
}

/** The digits of a hex string, without its 0x. */
function literalOf(hex: string): Literal {
  return new Literal(Buffer.from(hex.slice(2), 'latin1'))
}

function recordAt(
  bytes: Buffer,
  rows: Int32Array,
  wishes: Wishes,
  row = 0,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(wishes).map(([field, { place }]) => [field, valueAt(bytes, rows, row + place)]),
  )
}

/** The value at a place of a row; undefined if the field is missing. */
function valueAt(bytes: Buffer, rows: Int32Array, place: number): unknown {
  const begin = rows[place] ?? FAILED
  const end = rows[place + 1] ?? FAILED
  if (begin === FAILED) return undefined
  if (bytes[begin] === QUOTE) return bytes.toString('latin1', begin + 1, end - 1)
  return JSON.parse(bytes.toString('latin1', begin, end))
}
