import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOf, hashOf, hex, sampleBlock, SYSTEM } from '../../../test/adapters/evm-sample.ts'
import type { Json } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import { parseBlock } from './rpc.ts'
import { readBlockTrace, readCallTraces } from './traces.ts'

const { block: json } = sampleBlock([{ transaction: { gas: '0xffff' } }])
const block = parseBlock(json)
const [{ hash }] = [...block.transactions, { hash: '' }]
const D = addressOf(0xd)

interface Frame {
  type: string
  to: number
  value: number
  fails: boolean
  calls: Frame[]
}

const frame = (type: string, to: number, value: number, calls: Frame[] = []): Frame => ({
  type,
  to,
  value,
  fails: false,
  calls,
})
const failing = (one: Frame): Frame => ({ ...one, fails: true })

/** The frame as geth's callTracer shows it. */
function asCall(one: Frame, from: string): Json {
  const to = addressOf(one.to)
  return {
    type: one.type,
    from,
    to,
    value: hex(one.value),
    ...(one.fails ? { error: 'execution reverted' } : {}),
    ...(one.calls.length > 0 ? { calls: one.calls.map((call) => asCall(call, to)) } : {}),
  }
}

/** The same frame and all within it as `trace_block` lists them. */
function asFrames(one: Frame, from: string, path: number[]): Json[] {
  const to = addressOf(one.to)
  const value = hex(one.value)
  const shapes: Record<string, Json> = {
    CREATE: { type: 'create', action: { from, value }, result: { address: to } },
    SELFDESTRUCT: { type: 'suicide', action: { address: from, refundAddress: to, balance: value } },
  }
  const call = { type: 'call', action: { callType: one.type.toLowerCase(), from, to, value } }
  const about = { blockHash: block.hash, transactionHash: hash, traceAddress: path }
  const shape = { ...(shapes[one.type] ?? call), ...about, ...(one.fails ? { error: 'Bad' } : {}) }
  return [shape, ...one.calls.flatMap((inner, at) => asFrames(inner, to, [...path, at]))]
}

const SENDER = addressOf(0xf0)
const callMoves = (root: Frame) =>
  readCallTraces([{ txHash: hash, result: asCall(root, SENDER) }], block)[0]
const frameMoves = (root: Frame) => readBlockTrace(asFrames(root, SENDER, []), block)[0]
const paid = (root: Frame) => callMoves(root)?.moves.map(({ to, value }) => [to, value])

const frames: fc.Arbitrary<Frame> = fc.letrec<{ frame: Frame }>((tie) => ({
  frame: fc.record<Frame>({
    type: fc.constantFrom(
      'CALL',
      'CALLCODE',
      'DELEGATECALL',
      'STATICCALL',
      'CREATE',
      'SELFDESTRUCT',
    ),
    to: fc.integer({ min: 1, max: 6 }),
    value: fc.integer({ min: 0, max: 3 }),
    fails: fc.boolean(),
    calls: fc.oneof(
      { maxDepth: 4 },
      fc.constant<Frame[]>([]),
      fc.array(tie('frame'), { maxLength: 4 }),
    ),
  }),
})).frame

describe('traces', () => {
  test('a transaction that reverts moves nothing [E02]', () => {
    expect(callMoves(failing(frame('CALL', 1, 0, [frame('CALL', 0xd, 5)])))).toEqual({
      failed: true,
      moves: [],
    })
  })

  test('drops all frames inside a failed frame and keeps its neighbours [E02]', () => {
    const inner = failing(frame('CALL', 2, 1, [frame('CALL', 3, 1, [frame('CALL', 0xd, 5)])]))
    expect(paid(frame('CALL', 1, 0, [inner, frame('CALL', 0xd, 7)]))).toEqual([[D, 7n]])
  })

  test('calls, creations and destructions with a value move it [E03]', () => {
    const calls = [frame('CALL', 0xd, 1), frame('CREATE', 0xd, 2), frame('SELFDESTRUCT', 0xd, 3)]
    expect(paid(frame('CALL', 1, 0, calls))).toEqual([
      [D, 1n],
      [D, 2n],
      [D, 3n],
    ])
  })

  test('lent code moves nothing, though it shows a value', () => {
    const calls = ['DELEGATECALL', 'STATICCALL', 'CALLCODE'].map((type) => frame(type, 0xd, 9))
    expect(paid(frame('CALL', 1, 0, calls))).toEqual([])
  })

  test("the transaction's own value is left out", () => {
    expect(paid(frame('CALL', 0xd, 9))).toEqual([])
  })

  test('a contract that pays itself moves nothing', () => {
    expect(paid(frame('CALL', 1, 0, [frame('CALL', 1, 5), frame('SELFDESTRUCT', 1, 5)]))).toEqual(
      [],
    )
  })

  test('is the same from both forms of traces', () => {
    fc.assert(
      fc.property(frames, (root) => {
        expect(frameMoves(root)).toEqual(callMoves(root))
      }),
      { numRuns: 500 },
    )
  })

  test("ignores the traces of the chain's own transactions", () => {
    const own = parseBlock(sampleBlock([{ hash: hashOf(1), transaction: SYSTEM }]).block)
    const about = { blockHash: own.hash, transactionHash: hashOf(1) }
    const pays = frame('CALL', 1, 0, [frame('CALL', 0xd, 5)])
    const calls = [
      [],
      [{ txHash: hashOf(1), error: 'intrinsic gas too low' }],
      [{ txHash: hashOf(1), result: asCall(pays, SENDER) }],
      [{ txHash: hashOf(1), result: asCall(failing(pays), SENDER) }],
    ]
    const twice = [...asFrames(pays, SENDER, []), ...asFrames(pays, SENDER, [])]
    for (const answer of calls)
      expect(readCallTraces(answer, own)).toEqual([{ failed: false, moves: [] }])
    for (const answer of [[], twice.map((one) => ({ ...one, ...about }))])
      expect(readBlockTrace(answer, own)).toEqual([{ failed: false, moves: [] }])
  })

  test('is null for a transaction that the node could not trace [E03]', () => {
    const answer = [{ txHash: hash, error: 'execution timeout' }]
    expect(readCallTraces(answer, block)).toEqual([null])
  })

  test.each<[string, unknown]>([
    ['an object', {}],
    ['no trace of a transaction', []],
    ['neither a trace nor an error', [{ txHash: hash }]],
    [
      'two traces of one transaction',
      [0, 1].map(() => ({ txHash: hash, result: asCall(frame('CALL', 1, 0), SENDER) })),
    ],
    [
      'an unknown frame with a value',
      [{ txHash: hash, result: asCall(frame('CALL', 1, 0, [frame('PAYCALL', 2, 1)]), SENDER) }],
    ],
    [
      'a value in decimal',
      [
        {
          txHash: hash,
          result: { type: 'CALL', calls: [{ type: 'CALL', from: D, to: D, value: 7 }] },
        },
      ],
    ],
    ['frames without an end', [{ txHash: hash, result: nested(5_000) }]],
  ])('callTracer: %s is an outage [N09]', (_what, answer) => {
    expect(() => readCallTraces(answer, block)).toThrow(Outage)
  })

  test.each<[string, unknown]>([
    ['no trace of a transaction', []],
    [
      'only inner frames',
      asFrames(frame('CALL', 1, 0, [frame('CALL', 2, 1)]), SENDER, []).slice(1),
    ],
    [
      'an unknown frame with a value',
      asFrames(frame('PAYCALL', 1, 0, [frame('PAYCALL', 2, 1)]), SENDER, []),
    ],
    ['a frame without a path', [{ type: 'call', blockHash: block.hash, transactionHash: hash }]],
    ['a frame without a block', [{ type: 'call', transactionHash: hash, traceAddress: [] }]],
  ])('trace_block: %s is an outage [N09]', (_what, answer) => {
    expect(() => readBlockTrace(answer, block)).toThrow(Outage)
  })
})

function nested(depth: number): Json {
  let inner: Json = { type: 'CALL', from: D, to: D, value: '0x0' }
  for (let at = 0; at < depth; at += 1) inner = { type: 'CALL', from: D, to: D, calls: [inner] }
  return inner
}
