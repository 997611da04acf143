import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseChain, parseToken } from '../../../test/adapters/brands.ts'
import {
  addressOf,
  COIN_LOGS,
  coinLog,
  hashOf,
  sampleBlock,
  SYSTEM,
  transferLog,
} from '../../../test/adapters/evm-sample.ts'
import type { Json, SampleTransaction } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import type { Address, Block, BlockScope } from '../port.ts'
import { TRANSFER_TOPIC, contractsOf, toBlock } from './block.ts'
import { readTogether, weighLogs } from './evidence.ts'
import type { Reading } from './evidence.ts'
import { joinScans } from './join-scans.ts'
import { withOwnMoves } from './own-moves.ts'
import { parseBlock, parseLogs, parseReceipts } from './rpc.ts'
import { scanBlock, scanLogs } from './scan-answer.ts'

const CHAIN = parseChain('eip155:11155111')
const TOKENS = [addressOf(0x70ce), addressOf(0xabcdef)]
const tokens = TOKENS.map((one) => parseToken(`${CHAIN}/erc20:${one}`))
const HASH = /0x[0-9a-f]{64}/

/** Bytes of both answers, to requests 1 and 2, and the receipts of the block. */
interface Answers {
  block: Buffer
  logs: Buffer
  receipts: Json[]
}

describe('a block read from the bytes of its answers', () => {
  test('equals the parsed block for any watched addresses', () => {
    fc.assert(
      fc.property(samples(), watchers(), (made, scope) => {
        const answers = answersOf(made)
        const scanned = byScan(answers, scope)
        expect(scanned).not.toBeNull()
        expect(scanned).toEqual(byParser(answers, scope))
      }),
      { numRuns: 300 },
    )
  })

  test('equals the parsed block or is left to the parser for any edit [N02]', () => {
    let read = 0
    fc.assert(
      fc.property(
        samples(),
        watchers(),
        fc.array(spoilers(), { minLength: 1, maxLength: 2 }),
        (made, ...more) => {
          const [scope, spoil] = more
          const answers = spoil.reduce((spoilt, one) => one(spoilt), answersOf(made))
          const scanned = byScan(answers, scope)
          if (scanned === null) return
          read += 1
          expect(scanned).toEqual(byParser(answers, scope))
        },
      ),
      { numRuns: 1_500 },
    )
    expect(read).toBeGreaterThan(100)
  })

  test('equals the parsed block or is left to the parser when one byte is replaced [N02]', () => {
    const logs = [
      transferLog(TOKENS[0] ?? '', addressOf(1), addressOf(2), 7n),
      coinLog(addressOf(3), COIN_LOGS, 5n),
    ]
    const answers = answersOf([{ logs }, { transaction: { gasPrice: null, to: null } }])
    const odd = ['"', '0', 'A', 'f', 'g', ',', '}', '\\', 'é', 'null', '"}']
    for (const name of ['block', 'logs'] as const) {
      for (let at = 0; at < answers[name].length; at += 1) {
        const text = odd[at % odd.length] ?? ''
        const [before, after] = [answers[name].subarray(0, at), answers[name].subarray(at + 1)]
        const changed = { ...answers, [name]: Buffer.concat([before, Buffer.from(text), after]) }
        const scanned = byScan(changed, { tokens })
        if (scanned !== null) expect(scanned).toEqual(byParser(changed, { tokens }))
      }
    }
  })

  test('is left to the parser where keys, digits or blanks are unusual', () => {
    const answers = answersOf([{ transaction: { to: addressOf(0xd), value: '0x5' } }])
    expect(byScan(answers, { tokens })).not.toBeNull()
    const odd: [string, string][] = [
      ['"gas":"0x5208"', '"gas":"0x5208","gas":"0x5208"'],
      ['"gas":"0x5208"', '"gas": "0x5208"'],
      ['"gas":"0x5208"', '"gas":"\\u0030x5208"'],
      ['"value":"0x5"', '"value":"0xA"'],
      ['"value":"0x5"', '"value":"0x"'],
      ['"value":"0x5"', '"value":5'],
      ['"input":"0x"', '"data":"0x"'],
      ['"input":"0x"', '"input":"0x1"'],
      ['"input":"0x"', '"input":"0xé"'],
      ['"input":"0x"', '"input":"0x\\u00e9"'],
      [addressOf(0xd), addressOf(0xd).replace('d', 'g')],
      [hashOf(0x7a0700), hashOf(0x7a0700).replace('a', 'A')],
      ['"transactionIndex":"0x0"', '"transactionIndex":"0x1"'],
      ['"uncles":[]', '"uncles":[],"":0'],
      ['"uncles":[]', `"uncles":${'['.repeat(40)}${']'.repeat(40)}`],
      ['"uncles":[]', Array.from({ length: 200 }, (_, at) => `"key${at}":0`).join()],
      ['"uncles":[]', '"uncles":[01]'],
      ['"uncles":[]', '"uncles":[nul]'],
      ['"jsonrpc":"2.0"', '"error":null'],
      ['"id":1', '"id":"1"'],
      ['}}', '}} '],
    ]
    for (const [from, to] of odd) {
      const text = answers.block.toString()
      expect(text).toContain(from)
      expect(scanBlock(Buffer.from(text.replace(from, to)), 1)).toBeNull()
    }
    expect(scanBlock(Buffer.concat([answers.block, Buffer.from('\n')]), 1)).not.toBeNull()
    expect(scanBlock(answers.block, 2)).toBeNull()
    expect(scanBlock(Buffer.from('{"jsonrpc":"2.0","id":1,"result":null}'), 1)).toBeNull()
  })

  test('a log that is missing, or of another block or transaction, is no log to scan [N03]', () => {
    const logs = [1n, 2n].map((amount) =>
      transferLog(TOKENS[0] ?? '', COIN_LOGS, COIN_LOGS, amount),
    )
    const { block, logs: body } = answersOf([{ logs }, { logs }])
    const hash = scanBlock(block, 1)?.header.hash ?? ''
    expect(scanLogs(body, 2, hash)?.count).toBe(4)
    const { result } = JSON.parse(body.toString())
    for (const wrong of [
      result.slice(1),
      result.toSpliced(1, 1),
      result.map((log: Json) => ({ ...log, blockHash: hashOf(1) })),
      result.map((log: Json) => ({ ...log, removed: true })),
      result.map((log: Json) => without(log, 'data')),
      result.map((log: Json) => without(log, 'blockHash')),
    ]) {
      expect(scanLogs(envelope(2, wrong), 2, hash)).toBeNull()
    }
    const indexed = (list: Json[]) => list.map((log, at) => ({ ...log, logIndex: `0x${at}` }))
    const strange = { ...result[0], transactionHash: hashOf(0x7a0700).replace('0x0', '0xf') }
    for (const wrong of [
      indexed([result[0], result[2], result[1], result[3]]),
      [strange, ...result.slice(1)],
    ]) {
      const scan = scanLogs(envelope(2, wrong), 2, hash)
      const scannedBlock = scanBlock(block, 1)
      if (scan === null || scannedBlock === null) throw new Error('not scanned')
      const concern = { topic: TRANSFER_TOPIC, contracts: contractsOf(CHAIN, tokens) }
      expect(joinScans(scannedBlock, scan, { ...concern, scope: { tokens } })).toBeNull()
    }
  })
})

/** Null if it is left to the parser. */
function byScan({ block, logs, receipts }: Answers, scope: BlockScope): Block | string | null {
  const scannedBlock = told(() => scanBlock(block, 1))
  if (scannedBlock === null || typeof scannedBlock === 'string') return scannedBlock
  const scannedLogs = scanLogs(logs, 2, scannedBlock.header.hash)
  if (scannedLogs === null) return null
  const concern = { topic: TRANSFER_TOPIC, contracts: contractsOf(CHAIN, scope.tokens), scope }
  const joined = joinScans(scannedBlock, scannedLogs, concern)
  return joined === null ? null : told(() => finish(joined, receipts, scope))
}

function byParser({ block, logs, receipts }: Answers, scope: BlockScope): Block | string {
  return told(() => {
    const parsed = parseBlock(JSON.parse(block.toString()).result)
    const parsedLogs = parseLogs(JSON.parse(logs.toString()).result, parsed.hash)
    return finish(readTogether(parsed, parsedLogs), receipts, scope)
  })
}

/** The Outage's text where the reader finds that something is wrong. */
function told<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Outage || error instanceof SyntaxError) return error.message
    throw error
  }
}

function finish(reading: Reading, receipts: Json[], scope: BlockScope): Block {
  const asked = new Map(parseReceipts(receipts).map((one) => [one.transactionHash, one]))
  const evidence = weighLogs(reading, asked, null)
  return toBlock(CHAIN, withOwnMoves({ block: reading.block, evidence }), scope)
}

function answersOf(made: readonly SampleTransaction[]): Answers {
  const { block, receipts } = sampleBlock(made, { extraData: '0x', uncles: [], size: 7 })
  const logs = receipts.flatMap((receipt) => receipt['logs'] ?? [])
  return { block: envelope(1, block), logs: envelope(2, logs), receipts }
}

function envelope(id: number, result: unknown): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

const people = fc.integer({ min: 1, max: 6 }).map(addressOf)
const amounts = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }))

function samples(): fc.Arbitrary<SampleTransaction[]> {
  const contract = fc.constantFrom(...TOKENS, COIN_LOGS, addressOf(0x70cf))
  const transfer = fc
    .tuple(contract, people, people, amounts)
    .map(([token, from, to, amount]) => transferLog(token, from, to, amount))
  const other = fc.record({
    address: contract,
    topics: fc.array(fc.constantFrom(TRANSFER_TOPIC, hashOf(1), hashOf(2)), { maxLength: 4 }),
    data: fc.constantFrom('0x', '0x07', `0x${'07'.repeat(40)}`),
  })
  const transaction = fc.record({
    from: people,
    to: fc.option(people),
    value: amounts.map((amount) => `0x${amount.toString(16)}`),
    input: fc.constantFrom('0x', '0x01ff'),
    gasPrice: fc.constantFrom('0x1', '0x0'),
    accessList: fc.constantFrom([], [{ address: addressOf(1), storageKeys: [hashOf(1)] }]),
    chainId: fc.constantFrom(null, '0x1'),
  })
  const coins = fc
    .tuple(people, people, fc.bigInt({ min: 0n, max: 2n ** 128n }))
    .map(([from, to, amount]) => coinLog(from, to, amount))
  const system = fc.record({
    to: fc.constantFrom(SYSTEM['to'], addressOf(1)),
    gas: fc.constantFrom('0x0', '0x00', '0x1'),
  })
  const sample = fc.record({
    transaction: fc.oneof(
      { weight: 3, arbitrary: transaction },
      system.map((one) => ({ ...SYSTEM, gasPrice: '0x0', ...one })),
    ),
    receipt: fc.constantFrom({ status: '0x1' }, { status: '0x0' }),
    logs: fc.array(fc.oneof(transfer, coins, other), { maxLength: 4 }),
  })
  return fc.array(
    sample.map((one) => (one.receipt.status === '0x0' ? { ...one, logs: [] } : one)),
    { minLength: 1, maxLength: 6 },
  )
}

/** All of them, or those whose last digit is in a set, asked by text alone or by bytes too. */
function watchers(): fc.Arbitrary<BlockScope> {
  const some = fc.tuple(fc.integer({ min: 0, max: 127 }), fc.boolean()).map(([set, bytes]) => {
    const has = (digit: number) => (set & (1 << digit)) !== 0
    const mayWatch = (one: Address) => has(Number.parseInt(one.slice(-1), 16))
    const mayWatchBytes = (one: Uint8Array) => has((one[19] ?? 0) & 15)
    return bytes ? { tokens, mayWatch, mayWatchBytes } : { tokens, mayWatch }
  })
  return fc.oneof(fc.constant<BlockScope>({ tokens }), some)
}

/** Edits that make an answer wrong, or change its form. */
function spoilers(): fc.Arbitrary<(answers: Answers) => Answers> {
  const which = fc.constantFrom('block', 'logs')
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  const byte = fc
    .tuple(which, place, fc.constantFrom(...'"0aAfgxn,:{}[] \\é'.split('')))
    .map(([name, at, char]) =>
      on(name, (text) => {
        const cut = Math.floor(at * text.length)
        return text.slice(0, cut) + char + text.slice(cut + 1)
      }),
    )
  const cut = fc
    .tuple(which, place)
    .map(([name, at]) => on(name, (text) => text.slice(0, Math.floor(at * text.length))))
  const swap = which.map((name) => on(name, reversedKeys))
  const hash = fc.tuple(which, place, fc.constantFrom(hashOf(0), hashOf(7))).map(([name, at, to]) =>
    on(name, (text) => {
      const from = text.indexOf('0x', Math.floor(at * text.length))
      return from < 0 ? text : text.slice(0, from) + text.slice(from).replace(HASH, to)
    }),
  )
  return fc.oneof(byte, byte, byte, cut, swap, hash)
}

function on(name: 'block' | 'logs', change: (text: string) => string) {
  return (answers: Answers): Answers => ({
    ...answers,
    [name]: Buffer.from(change(answers[name].toString())),
  })
}

function without(value: Json, key: string): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

/** The same JSON with the keys of every object the other way round. */
function reversedKeys(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (_, value: unknown) => reversed(value)))
  } catch {
    return text
  }
}

function reversed(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.fromEntries(Object.entries(value).toReversed()) : value
}
