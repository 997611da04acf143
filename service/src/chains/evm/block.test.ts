import { describe, expect, test } from 'vitest'
import { parseChain, parseToken } from '../../../test/adapters/brands.ts'
import {
  addressOf,
  COIN_LOGS,
  coinLog,
  hashOf,
  sampleBlock,
  TRANSFER,
  transferLog,
  word,
} from '../../../test/adapters/evm-sample.ts'
import type { Json, SampleTransaction } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import type { Block } from '../port.ts'
import { brandEvmAddress, createdAddress } from './address.ts'
import { toBlock } from './block.ts'
import { readTogether, weighLogs, weighReceipts } from './evidence.ts'
import { parseBlock, parseReceipts } from './rpc.ts'
import type { TransactionTrace } from './traces.ts'

const SEPOLIA = parseChain('eip155:11155111')
const TOKEN = addressOf(0x70ce)
const TOKEN_ID = parseToken(`eip155:11155111/erc20:${TOKEN}`)
const ETHER_ID = 'eip155:11155111/slip44:60'
const [A, B, D] = [addressOf(0xa), addressOf(0xb), addressOf(0xd)]
const FROM = addressOf(0xf0)
const MAX = 2n ** 256n - 1n

function told(
  samples: readonly SampleTransaction[],
  traces: readonly TransactionTrace[] | null = null,
  tokens = [TOKEN_ID],
  chainId = SEPOLIA,
): Block {
  const { block: json, receipts } = sampleBlock(samples)
  const block = parseBlock(json)
  const evidence = weighReceipts(block, parseReceipts(receipts), traces)
  return toBlock(chainId, { block, evidence }, { tokens })
}

const pay = (to: string, value: string): SampleTransaction => ({ transaction: { to, value } })
const withLogs = (...logs: Json[]): SampleTransaction => ({ logs })
const brief = (block: Block) =>
  block.transfers.map(({ position, to, amount }) => [position, to, amount])
const move = (from: string, to: string, value: bigint) => ({
  from: brandEvmAddress(from),
  to: brandEvmAddress(to),
  value,
})

describe('native transfers', () => {
  test('a failed transaction with value moves nothing and is reported as failed [E01]', () => {
    const block = told([{ ...pay(D, '0x64'), receipt: { status: '0x0' } }, pay(D, '0x1')])
    expect(brief(block)).toEqual([['tx', D, 1n]])
    expect(block.transactions.map(({ succeeded }) => succeeded)).toEqual([false, true])
  })

  test('a transfer names sender, receiver, coin and amount', () => {
    const [transfer] = told([{ ...pay(D, '0x64'), hash: hashOf(1) }]).transfers
    expect(transfer).toEqual({
      txnHash: hashOf(1),
      position: 'tx',
      tokenId: ETHER_ID,
      from: FROM,
      to: D,
      amount: 100n,
      tag: null,
    })
  })

  test('zero value is no transfer, nor is what one sends to oneself', () => {
    expect(brief(told([pay(D, '0x0'), pay(FROM, '0x5')]))).toEqual([])
  })

  test('a creation with value pays the address that it creates', () => {
    const created = createdAddress(brandEvmAddress(FROM), 0n)
    const create = { transaction: { to: null, value: '0x5' } }
    expect(brief(told([create]))).toEqual([['tx', created, 5n]])
  })

  test('inner moves are ranked among all moves to the same account, the outer one first', () => {
    const moves = [move(A, D, 1n), move(A, B, 2n), move(B, D, 3n), move(A, B, 4n)]
    expect(brief(told([pay(D, '0x9')], [{ failed: false, moves }]))).toEqual([
      ['tx', D, 9n],
      ['call:1', D, 1n],
      ['call:0', B, 2n],
      ['call:2', D, 3n],
      ['call:1', B, 4n],
    ])
  })

  test('without a trace the outer transfer keeps its position', () => {
    expect(brief(told([pay(D, '0x9')]))).toEqual([['tx', D, 9n]])
  })

  test('a receipt and a trace that disagree on success are an outage', () => {
    expect(() => told([pay(D, '0x9')], [{ failed: true, moves: [] }])).toThrow(Outage)
    const failed = { ...pay(D, '0x9'), receipt: { status: '0x0' } }
    expect(() => told([failed], [{ failed: false, moves: [] }])).toThrow(Outage)
  })

  test('before Byzantium the trace decides, and without one the gas [E01]', () => {
    const old = { receipt: { status: undefined, root: hashOf(1), gasUsed: '0xffff' } }
    const sample = { transaction: { to: D, value: '0x9', gas: '0xffff' }, ...old }
    expect(brief(told([sample], [{ failed: true, moves: [] }]))).toEqual([])
    expect(brief(told([sample], [{ failed: false, moves: [] }]))).toEqual([['tx', D, 9n]])
    expect(brief(told([sample]))).toEqual([])
    const spared = { ...sample, receipt: { ...old.receipt, gasUsed: '0x5208' } }
    expect(brief(told([spared]))).toEqual([['tx', D, 9n]])
    const plain = { ...spared, transaction: { to: D, value: '0x9' } }
    expect(brief(told([plain]))).toEqual([['tx', D, 9n]])
  })

  test('a transaction of an unknown type is read like any other [E18]', () => {
    const unknown = {
      transaction: { to: D, value: '0x9', type: '0x7f' },
      receipt: { type: '0x7f' },
    }
    expect(brief(told([unknown]))).toEqual([['tx', D, 9n]])
  })
})

describe('token transfers', () => {
  test("the sender is the one of the log, not the transaction's [E13]", () => {
    const [transfer] = told([withLogs(transferLog(TOKEN, A, D, 7n))]).transfers
    expect(transfer).toMatchObject({ tokenId: TOKEN_ID, from: A, to: D, amount: 7n })
  })

  test('only tokens in scope are read, even if others have the same name [E10]', () => {
    const other = addressOf(0x70cf)
    const block = told([withLogs(transferLog(other, A, D, 7n), transferLog(TOKEN, A, D, 8n))])
    expect(brief(block)).toEqual([['log:1', D, 8n]])
  })

  test('a token of another chain at the same address is not in scope [E10]', () => {
    const abroad = parseToken(`eip155:97/erc20:${TOKEN}`)
    expect(brief(told([withLogs(transferLog(TOKEN, A, D, 7n))], null, [abroad]))).toEqual([])
  })

  test('odd shapes are passed over, and the next log is read [E11]', () => {
    const good = transferLog(TOKEN, A, D, 7n)
    const odd: Json[] = [
      { ...good, topics: [TRANSFER, word(A), word(D), word(1n)], data: '0x' },
      { ...good, topics: [TRANSFER], data: `0x${'00'.repeat(96)}` },
      { ...good, topics: [], data: '0x' },
      { ...good, topics: [TRANSFER, word(A)], data: `${word(D)}${word(1n).slice(2)}` },
      { ...good, data: '0x' },
      { ...good, data: '0x07' },
      { ...good, data: `${word(7n)}${word(7n).slice(2)}` },
      { ...good, topics: [TRANSFER, word(A), `0x01${word(D).slice(4)}`] },
      { ...good, topics: [TRANSFER, `0xff${word(A).slice(4)}`, word(D)] },
      { ...good, topics: [hashOf(1), word(A), word(D)] },
    ]
    const block = told([withLogs(...odd, good), withLogs(good)])
    expect(brief(block)).toEqual([
      [`log:${odd.length}`, D, 7n],
      ['log:0', D, 7n],
    ])
  })

  test('transfers of nothing are left out [E12]', () => {
    expect(brief(told([withLogs(transferLog(TOKEN, D, A, 0n))]))).toEqual([])
  })

  test('a holder that pays itself moves nothing', () => {
    expect(brief(told([withLogs(transferLog(TOKEN, D, D, 7n))]))).toEqual([])
  })

  test('fifty transfers in one transaction are fifty, each at its own place [E14]', () => {
    const logs = Array.from({ length: 50 }, (_, at) =>
      transferLog(TOKEN, A, addressOf(0x100 + (at % 30)), 5n),
    )
    const { transfers } = told([withLogs(...logs)])
    expect(new Set(transfers.map(({ position }) => position)).size).toBe(50)
    expect(transfers.reduce((sum, { amount }) => sum + amount, 0n)).toBe(250n)
  })

  test('coins and tokens in one transaction are two transfers [E15]', () => {
    const both = { ...pay(D, '0x5'), logs: [transferLog(TOKEN, A, D, 7n)] }
    expect(brief(told([both]))).toEqual([
      ['tx', D, 5n],
      ['log:0', D, 7n],
    ])
  })

  test('logs that announce moves of ether are no token, not even a listed one [E17]', () => {
    const ether = '0xfffffffffffffffffffffffffffffffffffffffe'
    const listed = parseToken(`eip155:11155111/erc20:${ether}`)
    const both = { ...pay(D, '0x5'), logs: [transferLog(ether, FROM, D, 5n)] }
    expect(brief(told([both], null, [listed, TOKEN_ID]))).toEqual([['tx', D, 5n]])
  })

  test('POL that its contract moves is credited once, though listed as a token [E17]', () => {
    const listed = parseToken(`eip155:137/erc20:${COIN_LOGS}`)
    const call = { transaction: { to: COIN_LOGS, value: '0x5', gas: '0xffff', input: '0x01' } }
    const inner = [{ failed: false, moves: [move(COIN_LOGS, D, 5n)] }]
    const both = { ...call, logs: [coinLog(FROM, D, 5n), transferLog(COIN_LOGS, FROM, D, 5n)] }
    const block = told([both], inner, [listed], parseChain('eip155:137'))
    expect(brief(block).filter(([, to]) => to === D)).toEqual([['call:0', D, 5n]])
  })

  test('a mint comes from the zero address [E19]', () => {
    const zero = addressOf(0)
    const [transfer] = told([withLogs(transferLog(TOKEN, zero, D, 7n))]).transfers
    expect(transfer).toMatchObject({ from: zero, to: D, amount: 7n })
  })

  test('amounts are exact up to 2^256-1 [E22]', () => {
    expect(brief(told([withLogs(transferLog(TOKEN, A, D, MAX))]))).toEqual([['log:0', D, MAX]])
  })

  test('transactions with logs before it do not move a position [R06]', () => {
    const ours = { ...withLogs(transferLog(TOKEN, A, D, 7n)), hash: hashOf(1) }
    const others = withLogs(transferLog(TOKEN, A, B, 1n), transferLog(TOKEN, A, B, 1n))
    const ofOurs = (block: Block) => block.transfers.filter(({ txnHash }) => txnHash === hashOf(1))
    expect(ofOurs(told([others, others, ours]))).toEqual(ofOurs(told([ours])))
  })
})

describe('a block read from its logs alone', () => {
  const samples = [
    { ...pay(D, '0x5'), logs: [transferLog(TOKEN, A, D, 7n)] },
    pay(B, '0x6'),
    { ...pay(D, '0x7'), receipt: { status: '0x0' } },
  ]
  const { block: json, receipts: receiptsJson } = sampleBlock(samples)
  const block = parseBlock(json)
  const receipts = parseReceipts(receiptsJson)
  const logs = receipts.flatMap((receipt) => receipt.logs)
  const asked = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))

  test('a receipt that was asked for stops a failed transfer [E01]', () => {
    const evidence = weighLogs(readTogether(block, logs), asked, null)
    expect(brief(toBlock(SEPOLIA, { block, evidence }, { tokens: [TOKEN_ID] }))).toEqual(
      brief(told(samples)),
    )
  })

  test('a transaction without a receipt is presumed to have paid, and has no outcome', () => {
    const evidence = weighLogs(readTogether(block, logs), new Map(), null)
    const read = toBlock(
      SEPOLIA,
      { block, evidence },
      { tokens: [], mayWatch: (one) => one !== FROM },
    )
    expect(read.transactions).toEqual([])
    expect(brief(read).map(([position]) => position)).toEqual(['tx', 'tx', 'tx'])
  })

  test('our own transaction without its receipt is an outage', () => {
    const evidence = weighLogs(readTogether(block, logs), new Map(), null)
    expect(() => toBlock(SEPOLIA, { block, evidence }, { tokens: [] })).toThrow(Outage)
  })

  test('a log of a transaction that is not in the block is an outage', () => {
    const strangers = logs.map((log) => ({ ...log, transactionHash: hashOf(99) }))
    expect(() => readTogether(block, strangers)).toThrow(Outage)
  })
})

describe('a transaction with different results from two sources', () => {
  const failing = (logs: Json[]) => ({ logs, receipt: { status: '0x0' } })
  const paid = transferLog(TOKEN, A, D, 7n)
  const read = (
    samples: readonly SampleTransaction[],
    traces: readonly TransactionTrace[] | null,
  ): unknown => {
    const { block: json, receipts } = sampleBlock(samples)
    const block = parseBlock(json)
    const parsed = parseReceipts(receipts)
    const logs = parsed.flatMap((receipt) => receipt.logs)
    const asked = new Map(parsed.map((receipt) => [receipt.transactionHash, receipt]))
    return weighLogs(readTogether(block, logs), asked, traces)
  }

  test('is an outage if its receipt names failure and has a log', () => {
    expect(() => told([failing([paid])])).toThrow(Outage)
    expect(() => read([failing([paid])], null)).toThrow(Outage)
  })

  test('is an outage if its trace failed and it has a log', () => {
    expect(() => read([withLogs(paid)], [{ failed: true, moves: [] }])).toThrow(Outage)
  })

  test('is an outage if its trace failed and its receipt names success', () => {
    expect(() => read([pay(D, '0x9')], [{ failed: true, moves: [] }])).toThrow(Outage)
    expect(() => read([failing([])], [{ failed: false, moves: [] }])).toThrow(Outage)
  })

  test('is no deposit if it failed and logs its fee alone, as on Polygon', () => {
    expect(brief(told([failing([coinLog(A, D, 7n)])]))).toEqual([])
  })
})
