import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LearnedTables } from './learned-table.ts'
import { openScanMemory } from './memory.ts'
import type { ScanMemory } from './memory.ts'
import { JsonScanner } from './scanner.ts'
import type { Scan } from './scanner.ts'
import { Shape, openSource, readTable } from './shape.ts'

type Json = Record<string, unknown>

const PARENT = ['number', 'hash', 'timestamp']
const TRANSACTION = {
  blockHash: 'own-hash',
  transactionIndex: 'rank',
  hash: 'hash',
  from: 'address',
  to: 'address-or-null',
  value: 'quantity',
  gasPrice: 'quantity-or-null',
  input: 'input',
} as const
const LOG = {
  blockHash: 'own-hash',
  logIndex: 'rank',
  transactionHash: 'unchecked-hash',
  address: 'address',
  topics: 'topics',
  data: 'data',
  removed: 'false-or-null',
} as const
const TRANSACTIONS = new JsonScanner({
  parent: { fields: PARENT, list: 'transactions' },
  row: TRANSACTION,
})
const LOGS = new JsonScanner({ row: LOG })
const HASH = hashOf(0xb10c007)
const ZERO_HASH = hashOf(0)
/** Replacements for a byte of an answer. */
const LETTERS = '"0aAfgx,:{}[] \\/'.split('')
const ODD = [...LETTERS, '\u007f', '\u0000', '\u0019', 'é', '"0x', '"}', '},{', '],', 'null']

/** Transactions of several types, as clients write them. */
const MADE: Json[] = [
  { input: `0x${'5a'.repeat(40)}`, v: '0x1b', accessList: [] },
  { gasPrice: '0x1', to: null, input: '0x60', type: '0x0', v: '0x25' },
  { gasPrice: null, maxFeePerGas: '0x77359400', yParity: '0x1' },
  { isSystemTx: true, mint: false, note: 'an { odd } [text]' },
  { accessList: [{ address: addressOf(7), storageKeys: [hashOf(1)] }], big: 17 },
  { aKeyThatIsLongerThanAnyKeyOfATransaction: '', blobs: {} },
]
const LOG_KINDS: Json[] = [
  { address: addressOf(0x70ce), topics: [hashOf(1), hashOf(2), hashOf(3)], data: hashOf(7) },
  { address: addressOf(9), topics: [], data: '0x', removed: null },
  { address: addressOf(9), topics: [hashOf(0xabcdef)], data: `0x${'0123456789abcdef'.repeat(5)}` },
]

interface Answers {
  block: Buffer
  logs: Buffer
}

describe('createScanner', () => {
  test('finds WebAssembly with vectors on this platform', () => {
    expect(openScanMemory()).not.toBeNull()
  })

  test('returns the same rows with and without WebAssembly', () => {
    const answers = answersOf(MADE)
    for (let times = 0; times < 3; times += 1) {
      expect(TRANSACTIONS.scan(answers.block, { id: 1 })?.count).toBe(MADE.length)
      expect(scanLogs(answers.logs)?.count).toBe(MADE.length * LOG_KINDS.length)
      expectSame(answers)
    }
    expectSame(answersOf([]))
    const many = answersOf(Array.from({ length: 9_000 }, (_, at) => ({ hash: hashOf(at) })))
    expect(TRANSACTIONS.scan(many.block, { id: 1 })?.count).toBe(9_000)
    expectSame(many)
  })

  test('returns the same rows or null when one byte is replaced [N02]', () => {
    const answers = answersOf(MADE.slice(0, 3))
    for (const name of ['block', 'logs'] as const) {
      const { length } = answers[name]
      for (let at = 0; at < length; at += 1) {
        const odd = ODD[(7 * at) % ODD.length] ?? ''
        expectSame({ ...answers, [name]: spliced(answers[name], at, 1, odd) })
      }
    }
  })

  test('returns the same rows or null when a key is missing or appears twice [N02]', () => {
    const answers = answersOf(MADE.slice(0, 3))
    for (const name of ['block', 'logs'] as const) {
      const text = answers[name].toString()
      for (const [member] of text.matchAll(/"\w+":("[^"]*"|null|false),/g)) {
        for (const instead of ['', member + member]) {
          for (const all of [false, true]) {
            const changed = all ? text.replaceAll(member, instead) : text.replace(member, instead)
            expectSame(answers)
            expectSame({ ...answers, [name]: Buffer.from(changed) })
          }
        }
      }
    }
  })

  test('returns the same rows or null when a rank is written differently [N02]', () => {
    const answers = answersOf(MADE.slice(0, 3))
    const odd = ['"0x@"', '"0xA"', '"0xq"', '"0x"', '"0x!1"', '"1"', '1', 'null', '"0x00000001"']
    for (const [name, key] of [
      ['block', 'transactionIndex'],
      ['logs', 'logIndex'],
    ] as const) {
      const text = answers[name].toString()
      for (const at of [0, 1, 2]) {
        for (const value of [...odd, '"0x10000000000000001"', '"0x100000001"', `"0x0${at}"`]) {
          const changed = text.replace(`"${key}":"0x${at}"`, `"${key}":${value}`)
          expect(changed).not.toBe(text)
          expectSame(answers)
          expectSame({ ...answers, [name]: Buffer.from(changed) })
        }
      }
    }
  })

  test('returns null for a value outside the limits of its kind', () => {
    const { block, logs } = answersOf(MADE)
    const wrong: [Buffer, string, string][] = [
      [block, '"value":"0x5"', `"value":"0x${'1'.repeat(65)}"`],
      [block, '"value":"0x5"', '"value":"0x"'],
      [block, '"gasPrice":"0x1"', '"gasPrice":"0x"'],
      [block, `"from":"${addressOf(1)}",`, ''],
      [logs, '"data":"0x"', '"data":"0x1"'],
      [logs, '"removed":null', '"removed":true'],
      [logs, '"removed":null', '"removed":"abc"'],
      [logs, '"topics":[]', `"topics":[${`"${HASH}",`.repeat(4)}"${HASH}"]`],
      [logs, `"blockHash":"${HASH}"`, `"blockHash":"${hashOf(5)}"`],
    ]
    for (const [bytes, from, to] of wrong) {
      const changed = bytes.toString().replace(from, to)
      expect(changed).not.toBe(bytes.toString())
      for (const memory of [openScanMemory(), null]) {
        const [scanned, isBlock] = [Buffer.from(changed), bytes === block]
        expect(isBlock ? scanBlock(scanned, memory) : scanLogs(scanned, memory)).toBeNull()
      }
    }
  })

  test('accepts each of the hashes that the caller expects', () => {
    const { logs } = answersOf(MADE)
    const mixed = Buffer.from(logs.toString().replace(HASH, ZERO_HASH))
    expect(scanLogs(mixed)?.record(0)['blockHash']).toBe(ZERO_HASH)
    expect(LOGS.scan(mixed, { id: 2, ownHashes: [HASH] })).toBeNull()
    expect(LOGS.scan(logs, { id: 2 })).toBeNull()
  })

  test('reads positions in columns and compares text at them', () => {
    const scan = scanLogs(answersOf(MADE).logs)
    const [address, removed, topics] = [
      scan?.column('address'),
      scan?.column('removed'),
      scan?.topics('topics'),
    ]
    const isContract = scan?.matcher(addressOf(0x70ce).slice(2))
    expect([0, 1].map((rank) => isContract?.(address?.digits(rank) ?? 0))).toEqual([true, false])
    expect([0, 1].map((rank) => removed?.isNull(rank))).toEqual([true, true])
    expect([0, 1, 2].map((rank) => topics?.count(rank))).toEqual([3, 0, 1])
    expect(scan?.matcher(hashOf(3).slice(2))(topics?.digits(0, 2) ?? 0)).toBe(true)
  })

  test('keeps the keys of each kind when the table of learned keys overflows', () => {
    const memory = openScanMemory()
    const kinds = [
      { a: { place: 0, kind: 'hex' }, b: { place: 2, kind: 'any' } },
      { b: { place: 0, kind: 'any' }, a: { place: 2, kind: 'any' } },
    ] as const
    const shapes = kinds.map((wishes) => new Shape(wishes))
    const tables = shapes.map((shape) => new LearnedTables(shape))
    for (let at = 0; at < 700; at += 1) {
      const text = at % 2 === 0 ? `[{"x${at}":"","a":"0x1"}]` : '[{"a":"0x1","b":"0x2"}]'
      const source = openSource(Buffer.from(text))
      for (const [rank, shape] of shapes.entries()) {
        memory?.isPlain(source.bytes)
        const learned = tables[rank]?.read(source, 0, { memory, hash: Buffer.alloc(64) })
        const plain = readTable(shape, source, 0)?.table.rows.subarray(0, shape.width)
        expect(learned?.table.rows).toEqual(plain)
      }
    }
  })

  test('reads a block whose hash follows its transactions', () => {
    const { block, logs } = answersOf(MADE)
    const { hash, ...others } = JSON.parse(block.toString()).result
    const last = { jsonrpc: '2.0', id: 1, result: { ...others, hash } }
    const answers = { block: Buffer.from(JSON.stringify(last)), logs }
    expect(scanBlock(answers.block)?.count).toBe(MADE.length)
    expectSame(answers)
  })

  test('does not read past the end of a truncated answer [N02]', () => {
    const answers = answersOf(MADE.slice(0, 2))
    for (const name of ['block', 'logs'] as const) {
      for (let end = 0; end < answers[name].length; end += 3) {
        scanBlock(answers.block)
        scanLogs(answers.logs)
        expectSame({ ...answers, [name]: answers[name].subarray(0, end) })
      }
    }
  })

  test('returns the values of a JSON parser for any order of keys and any edit [N02]', () => {
    const edit = fc.record({
      name: fc.constantFrom('block', 'logs'),
      place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      cut: fc.integer({ min: 0, max: 3 }),
      text: fc.constantFrom('', ...ODD),
    })
    let read = 0
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...MADE), { maxLength: 8 }),
        fc.option(fc.integer()),
        fc.array(edit, { maxLength: 2 }),
        (made, order, edits) => {
          let answers = answersOf(made, order)
          for (const { name, place, cut, text } of edits) {
            const bytes = answers[name === 'block' ? 'block' : 'logs']
            const at = Math.floor(place * bytes.length)
            answers = { ...answers, [name]: spliced(bytes, at, cut, text) }
          }
          if (expectSame(answers)) read += 1
        },
      ),
      { numRuns: 1_200 },
    )
    expect(read).toBeGreaterThan(200)
  })
})

function scanBlock(bytes: Buffer, memory: ScanMemory | null = openScanMemory()) {
  return TRANSACTIONS.scan(bytes, { id: 1 }, memory)
}

function scanLogs(bytes: Buffer, memory: ScanMemory | null = openScanMemory()) {
  return LOGS.scan(bytes, { id: 2, ownHashes: [HASH, ZERO_HASH] }, memory)
}

/**
 * Compares both ways with each other and with `JSON.parse`. Returns whether the scanner read both
 * answers.
 */
function expectSame({ block, logs }: Answers): boolean {
  const [fast, plain] = [openScanMemory(), null].map((memory) => shown(scanBlock(block, memory)))
  expect(fast).toBe(plain)
  const [fastLogs, plainLogs] = [openScanMemory(), null].map((memory) =>
    shown(scanLogs(logs, memory)),
  )
  expect(fastLogs).toBe(plainLogs)
  // An input may contain control characters, which a JSON parser refuses.
  if (block.some((byte) => byte < 0x20) || logs.some((byte) => byte < 0x20)) return false
  if (fast !== null) {
    const { result } = JSON.parse(block.toString())
    const rows = result.transactions.map(pick(Object.keys(TRANSACTION)))
    expect(fast).toBe(JSON.stringify({ rows, parent: pick(PARENT)(result) }))
  }
  // An unchecked hash may even contain a quote.
  const isRead =
    typeof fastLogs === 'string' && !/"transactionHash":"(?!0x[0-9a-f]{64}")/.test(fastLogs)
  if (isRead) {
    const rows = JSON.parse(logs.toString()).result.map(pick(Object.keys(LOG)))
    expect(fastLogs).toBe(JSON.stringify({ rows, parent: {} }))
  }
  return fast !== null && isRead
}

function shown<Field extends string>(scan: Scan<Field> | null): string | null {
  if (scan === null) return null
  const rows = Array.from({ length: scan.count }, (_, rank) => scan.record(rank))
  return JSON.stringify({ rows, parent: scan.parent })
}

function pick(keys: readonly string[]) {
  return (parsed: Json) => Object.fromEntries(keys.map((key) => [key, parsed[key]]))
}

/** Answers to requests 1 and 2; with an order, each object has its own order of keys. */
function answersOf(made: readonly Json[], order: number | null = null): Answers {
  let seed = order ?? 0
  const mixed = (value: object) => {
    if (order === null) return value
    seed = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 3
    const entries = Object.entries(value)
    const from = seed % entries.length
    return Object.fromEntries([...entries.slice(from), ...entries.slice(0, from)])
  }
  const transactions = made.map((fields, at) =>
    mixed({
      blockHash: HASH,
      transactionIndex: `0x${at.toString(16)}`,
      hash: hashOf(0x7a0700 + at),
      from: addressOf(1),
      to: addressOf(2),
      value: '0x5',
      input: '0x',
      ...fields,
    }),
  )
  const logs = made.flatMap((_, at) =>
    LOG_KINDS.map((fields, kind) =>
      mixed({
        logIndex: `0x${(at * LOG_KINDS.length + kind).toString(16)}`,
        blockHash: HASH,
        transactionHash: hashOf(0x7a0700 + at),
        ...fields,
      }),
    ),
  )
  const block = {
    number: '0x7',
    hash: HASH,
    uncles: [],
    size: '0x7',
    timestamp: '0x5',
    transactions,
  }
  return { block: envelope(1, block), logs: envelope(2, logs) }
}

function envelope(id: number, result: unknown): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

function hashOf(seed: number): string {
  return `0x${seed.toString(16).padStart(64, '0')}`
}

function addressOf(seed: number): string {
  return `0x${seed.toString(16).padStart(40, '0')}`
}

function spliced(bytes: Buffer, at: number, cut: number, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at + cut)])
}
