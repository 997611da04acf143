import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressOf,
  COIN_LOGS,
  coinLog,
  hashOf,
  sampleBlock,
  SYSTEM,
  transferLog,
} from '../../../test/adapters/evm-sample.ts'
import type { SampleTransaction } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import { parseBlock, parseLogs, parseTransaction } from './rpc.ts'
import {
  LOG_WIDTH,
  TRANSACTION_WIDTH,
  logAt,
  scanBlock,
  scanLogs,
  transactionAt,
} from './scan-answer.ts'
import type { ScannedBlock, ScannedLogs } from './scan-answer.ts'
import { Shape, openSource, readTable } from './scan-json.ts'
import { openScanMemory } from './scan-memory.ts'
import type { ScanMemory } from './scan-memory.ts'
import { SwiftTables } from './swift-table.ts'

const HASH = hashOf(0xb10c007)
/** What may stand where a byte of an answer was. */
const LETTERS = '"0aAfgx,:{}[] \\/'.split('')
const ODD = [...LETTERS, '\u007f', '\u0000', '\u0019', 'é', '"0x', '"}', '},{', '],', 'null']

const LOGS = [
  transferLog(addressOf(0x70ce), addressOf(1), addressOf(2), 7n),
  coinLog(addressOf(3), COIN_LOGS, 5n),
  { address: addressOf(9), topics: [], data: '0x', removed: null },
  { address: addressOf(9), topics: [hashOf(0xabcdef)], data: `0x${'0123456789abcdef'.repeat(5)}` },
]
/** Transactions of several types, as nodes write them. */
const MADE: SampleTransaction[] = [
  { transaction: { input: `0x${'5a'.repeat(40)}`, v: '0x1b', accessList: [] }, logs: LOGS },
  { transaction: { gasPrice: '0x1', to: null, input: '0x60', type: '0x0', v: '0x25' } },
  { transaction: { gasPrice: null, maxFeePerGas: '0x77359400', yParity: '0x1' }, logs: LOGS },
  { transaction: { ...SYSTEM, isSystemTx: true, mint: false, note: 'an { odd } [text]' } },
  { transaction: { accessList: [{ address: addressOf(7), storageKeys: [hashOf(1)] }], big: 17 } },
  { transaction: { aVeryLongKeyThatNobodyHasEverSeenInAnyBlock: '', blobs: {} }, logs: LOGS },
]

interface Answers {
  block: Buffer
  logs: Buffer
}

describe('answers that are read in WebAssembly', () => {
  test('can be, on what this runs on', () => {
    expect(openScanMemory()).not.toBeNull()
  })

  test('are told like those that are read byte by byte, and are those of a parser', () => {
    const answers = answersOf(MADE)
    for (let times = 0; times < 3; times += 1) {
      expect(scanBlock(answers.block, 1)?.transactions.count).toBe(MADE.length)
      expect(scanLogs(answers.logs, 2, HASH)?.logs.count).toBe(3 * LOGS.length)
      expectSame(answers)
    }
    expectSame(answersOf([]))
    const many = answersOf(Array.from({ length: 9_000 }, (_, at) => ({ hash: hashOf(at) })))
    expect(scanBlock(many.block, 1)?.transactions.count).toBe(9_000)
    expectSame(many)
  })

  test('N02 are told the same, or not at all, whichever byte is another one', () => {
    const answers = answersOf(MADE.slice(0, 3))
    for (const name of ['block', 'logs'] as const) {
      const { length } = answers[name]
      for (let at = 0; at < length; at += 1) {
        const odd = ODD[(7 * at) % ODD.length] ?? ''
        expectSame({ ...answers, [name]: spliced(answers[name], at, 1, odd) })
      }
    }
  })

  test('N02 are told the same, or not at all, whichever key is missing or comes twice', () => {
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

  test('N02 are told the same, or not at all, whatever is said of where an object stands', () => {
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

  test('are told by their own keys, however many others were learned meanwhile', () => {
    const memory = openScanMemory()
    const kinds = [
      { a: { place: 0, wanted: 'hex' }, b: { place: 2, wanted: 'any' } },
      { b: { place: 0, wanted: 'any' }, a: { place: 2, wanted: 'any' } },
    ] as const
    const shapes = kinds.map((wishes) => new Shape(wishes))
    const tables = shapes.map((shape) => new SwiftTables(shape))
    for (let at = 0; at < 700; at += 1) {
      const text = at % 2 === 0 ? `[{"x${at}":"","a":"0x1"}]` : '[{"a":"0x1","b":"0x2"}]'
      const source = openSource(Buffer.from(text))
      for (const [rank, shape] of shapes.entries()) {
        memory?.isPlain(source.bytes)
        const swift = tables[rank]?.read(source, 0, { memory, hash: Buffer.alloc(64) })
        const plain = readTable(shape, source, 0)?.table.rows.subarray(0, shape.width)
        expect(swift?.table.rows).toEqual(plain)
      }
    }
  })

  test('are told the same by whoever tells the hash of a block last', () => {
    const { block, logs } = answersOf(MADE)
    const { hash, ...others } = JSON.parse(block.toString()).result
    const last = { jsonrpc: '2.0', id: 1, result: { ...others, hash } }
    expectSame({ block: Buffer.from(JSON.stringify(last)), logs })
  })

  test('N02 end where they end, whatever was read before', () => {
    const answers = answersOf(MADE.slice(0, 2))
    for (const name of ['block', 'logs'] as const) {
      for (let end = 0; end < answers[name].length; end += 3) {
        scanBlock(answers.block, 1)
        scanLogs(answers.logs, 2, HASH)
        expectSame({ ...answers, [name]: answers[name].subarray(0, end) })
      }
    }
  })

  test('N02 are told the same in whatever order keys come, and whatever is wrong in them', () => {
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

/** Both ways and, where nothing is left to it, a parser. Answers with whether nothing was. */
function expectSame({ block, logs }: Answers): boolean {
  const [swift, plain] = [openScanMemory(), null].map((memory) => told(() => scan(block, memory)))
  expect(swift).toEqual(plain)
  const [swiftLogs, plainLogs] = [openScanMemory(), null].map((memory) =>
    shownLogs(scanLogs(logs, 2, HASH, memory)),
  )
  expect(swiftLogs).toEqual(plainLogs)
  // What stands in inputs is not looked at, and a parser of JSON refuses some of it.
  if (isStrange(block) || isStrange(logs)) return false
  if (swift !== null) {
    expect(told(() => scan(block, null)?.read)).toEqual(
      told(() => parseBlock(JSON.parse(block.toString()).result)),
    )
  }
  // The hashes of transactions are looked at when they are compared with those of the block.
  const isRead = swiftLogs !== null && swiftLogs?.logs.every(hasTransaction) === true
  if (isRead) {
    expect(told(() => parseLogs(swiftLogs.logs, HASH))).toEqual(
      told(() => parseLogs(JSON.parse(logs.toString()).result, HASH)),
    )
  }
  return isRead && swift !== null && typeof swift === 'object'
}

function scan(block: Buffer, memory: ScanMemory | null) {
  const scanned = scanBlock(block, 1, memory)
  return scanned === null ? null : shownBlock(scanned)
}

function shownBlock(scanned: ScannedBlock) {
  const { header, transactions } = scanned
  const rows = transactions.rows.slice(0, transactions.count * TRANSACTION_WIDTH)
  const read = Array.from({ length: transactions.count }, (_, at) =>
    parseTransaction(transactionAt(scanned, at), at, header),
  )
  return { rows, read: { ...header, transactions: read } }
}

function shownLogs(scanned: ScannedLogs | null) {
  if (scanned === null) return null
  const { count, rows } = scanned.logs
  const logs = Array.from({ length: count }, (_, at) => logAt(scanned, at))
  return { rows: rows.slice(0, count * LOG_WIDTH), logs }
}

function hasTransaction(log: unknown): boolean {
  return /"transactionHash":"0x[0-9a-f]{64}"/.test(JSON.stringify(log))
}

/** The Outage's text where the reader finds that something is wrong. */
function told<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Outage) return error.message
    throw error
  }
}

function isStrange(bytes: Buffer): boolean {
  return bytes.some((byte) => byte < 0x20)
}

/** Answers to requests 1 and 2; the keys of each object in an order of its own where asked for. */
function answersOf(made: readonly SampleTransaction[], order: number | null = null): Answers {
  const { block, receipts } = sampleBlock(made, { extraData: '0x', uncles: [], size: '0x7' })
  let seed = order ?? 0
  const mixed = (value: object) => {
    if (order === null) return value
    seed = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 3
    const entries = Object.entries(value)
    const from = seed % entries.length
    return Object.fromEntries([...entries.slice(from), ...entries.slice(0, from)])
  }
  const logs = receipts.flatMap(({ logs: own }) => (Array.isArray(own) ? own.map(mixed) : []))
  const envelope = (id: number, result: unknown) =>
    Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))
  const transactions = block.transactions.map(mixed)
  return { block: envelope(1, { ...block, transactions }), logs: envelope(2, logs) }
}

function spliced(bytes: Buffer, at: number, cut: number, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at + cut)])
}
