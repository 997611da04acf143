import { describe, expect, test } from 'vitest'
import { hashOf, sampleBlock, transferLog } from '../../../test/adapters/evm-sample.ts'
import { logsBloom, receiptsRoot } from './receipts-root.ts'
import { parseReceipts } from './rpc.ts'
import { EMPTY_ROOT } from './trie.ts'

const token = `0x${'aa'.repeat(20)}`
const payment = transferLog(token, `0x${'bb'.repeat(20)}`, `0x${'cc'.repeat(20)}`, 5n)

const rootOf = (json: Record<string, unknown>[]) => receiptsRoot(parseReceipts(json))

describe('receipts root', () => {
  test('no receipts have the root of the empty trie', () => {
    expect(receiptsRoot([])).toBe(EMPTY_ROOT)
  })

  test('every field that the chain commits to changes the root', () => {
    const { receipts } = sampleBlock([{ logs: [payment] }, {}])
    const [first = {}, second = {}] = receipts
    const variants = [
      receipts,
      [{ ...first, status: '0x0' }, second],
      [{ ...first, type: '0x0' }, second],
      [{ ...first, type: '0x1' }, second],
      [{ ...first, type: '0x7f' }, second],
      [{ ...first, cumulativeGasUsed: '0x1' }, second],
      [{ ...first, logs: [] }, second],
      [{ ...first, status: undefined, root: hashOf(9) }, second],
      [second, first],
    ]
    expect(new Set(variants.map(rootOf)).size).toBe(variants.length)
  })

  test('changes the root only for fields that the chain commits to', () => {
    const { receipts } = sampleBlock([{ logs: [payment] }])
    const changed = receipts.map((one) => ({ ...one, gasUsed: '0x1', contractAddress: token }))
    expect(rootOf(changed)).toBe(rootOf(receipts))
  })
})

describe('bloom of logs', () => {
  test('no logs set no bit', () => {
    expect(logsBloom([])).toBe(`0x${'00'.repeat(256)}`)
  })

  test('a log sets three bits for its address and each of its topics at most', () => {
    const { receipts } = sampleBlock([{ logs: [payment] }])
    const bits = logsBloom(parseReceipts(receipts).flatMap(({ logs }) => logs))
    const count = BigInt(bits).toString(2).replaceAll('0', '').length
    expect(count).toBeGreaterThan(8)
    expect(count).toBeLessThanOrEqual(12)
  })
})
