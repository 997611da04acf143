import { describe, expect, test } from 'vitest'
import { parseChain } from '../../../test/adapters/brands.ts'
import { addressOf, hashOf, sampleBlock, transferLog } from '../../../test/adapters/evm-sample.ts'
import type { SampleTransaction } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import { demandTransactions, proveReceipts } from './completeness.ts'
import { logsBloom } from './receipts-root.ts'
import { parseBlock, parseReceipts } from './rpc.ts'
import type { RpcBlock, RpcReceipt } from './rpc.ts'

const ETHEREUM = parseChain('eip155:1')
const BSC = parseChain('eip155:56')
const payment = transferLog(addressOf(1), addressOf(2), addressOf(3), 5n)
const twins: SampleTransaction[] = [{ logs: [payment, payment] }, { logs: [payment] }]

function parsed(samples: readonly SampleTransaction[]) {
  const { block: json, receipts: receiptsJson } = sampleBlock(samples)
  const receipts = parseReceipts(receiptsJson)
  const bloom = logsBloom(receipts.flatMap(({ logs }) => logs))
  return { block: parseBlock({ ...json, logsBloom: bloom }), receipts }
}

/** The same block, of a chain whose receipts root cannot be recomputed. */
const unprovable = (block: RpcBlock): RpcBlock => ({ ...block, receiptsRoot: hashOf(1) })
const without = (receipts: readonly RpcReceipt[], at: number, log: number) =>
  receipts.map((receipt, index) =>
    index === at ? { ...receipt, logs: receipt.logs.filter((_, place) => place !== log) } : receipt,
  )

describe('completeness of receipts', () => {
  test('proves data that the header commits to', () => {
    const { block, receipts } = parsed(twins)
    expect(proveReceipts(ETHEREUM, block, receipts)).toBe('proved')
  })

  test('an empty block is proved, and one that hides its transactions is an outage', () => {
    const { block } = parsed([])
    expect(proveReceipts(ETHEREUM, block, [])).toBe('proved')
    expect(() => demandTransactions({ ...block, transactionsRoot: hashOf(1) }, 0)).toThrow(Outage)
  })

  test('N02 one of two equal logs missing is an outage, which a bloom alone would not see', () => {
    const { block, receipts } = parsed(twins)
    for (const log of [0, 1]) {
      expect(() => proveReceipts(ETHEREUM, block, without(receipts, 0, log))).toThrow(Outage)
    }
  })

  test('another count of receipts is an outage [N04]', () => {
    const { block, receipts } = parsed(twins)
    expect(() => proveReceipts(ETHEREUM, block, [])).toThrow(Outage)
    expect(() => proveReceipts(ETHEREUM, block, [...receipts, ...receipts])).toThrow(Outage)
  })

  test('receipts of a sibling block are an outage [N01]', () => {
    const { block, receipts } = parsed(twins)
    const stale = receipts.map((receipt) => ({ ...receipt, blockHash: hashOf(2) }))
    expect(() => proveReceipts(ETHEREUM, block, stale)).toThrow(Outage)
  })

  test('a root that cannot be recomputed is an outage on chains that have none', () => {
    const { block, receipts } = parsed(twins)
    expect(() => proveReceipts(ETHEREUM, unprovable(block), receipts)).toThrow(Outage)
  })

  test('a root that cannot be recomputed leaves bloom and indices to check elsewhere', () => {
    const { block, receipts } = parsed(twins)
    expect(proveReceipts(BSC, unprovable(block), receipts)).toBe('likely')
  })

  test('a log missing from the middle leaves a gap in the indices [N02]', () => {
    const { block, receipts } = parsed(twins)
    const gap = without(receipts, 0, 1)
    expect(() => proveReceipts(BSC, unprovable(block), gap)).toThrow(Outage)
  })

  test('logs that do not give the bloom of the header are an outage [N02]', () => {
    const other = transferLog(addressOf(1), addressOf(2), addressOf(4), 5n)
    const { block, receipts } = parsed([...twins, { logs: [other] }])
    const cut = without(receipts, 2, 0)
    expect(() => proveReceipts(BSC, unprovable(block), cut)).toThrow(Outage)
    const bloomless = { ...unprovable(block), logsBloom: null }
    expect(() => proveReceipts(BSC, bloomless, receipts)).toThrow(Outage)
  })
})
