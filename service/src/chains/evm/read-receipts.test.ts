import { describe, expect, test } from 'vitest'
import { hashOf, hex, sampleBlock } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import { readLogs } from './read-logs.ts'
import { readReceipts, readReceiptsOf } from './read-receipts.ts'
import { parseBlock } from './rpc.ts'

const LOG = { address: `0x${'5a'.repeat(20)}`, topics: [hashOf(1)], data: '0x' }
const tooLong = () => new Unfinished('node', 'answered more than bytes')

/** A block of so many transactions that buy so much gas each and log once, on a slow node. */
function chainOf(count: number, gas = 100_000) {
  const samples = Array.from({ length: count }, () => ({
    transaction: { gas: hex(gas) },
    logs: [LOG],
  }))
  const { block, receipts } = sampleBlock(samples)
  const said = {
    /** What the node says to a question for so many receipts, or for all of a block. */
    whole: tooLong() as Error | null,
    partMax: 100,
    head: block as unknown,
  }
  const sizes: number[] = []
  const limits: (number | undefined)[] = []
  const one = ({ params: [hash] }: RpcCall) =>
    receipts.find(({ transactionHash }) => transactionHash === hash) ?? null
  const rpc = {
    name: 'node',
    call: async (call: RpcCall, bytesMax?: number) => {
      if (call.method === 'eth_getBlockByNumber') {
        if (said.head === null) throw new Outage('node', 'is away')
        return said.head
      }
      if (call.method === 'eth_getTransactionReceipt') {
        sizes.push(1)
        limits.push(bytesMax)
        if (said.partMax < 1) throw tooLong()
        return one(call)
      }
      if (said.whole !== null) throw said.whole
      return receipts
    },
    read: async () => {
      throw said.whole ?? tooLong()
    },
    batch: async (calls: readonly RpcCall[]) => {
      sizes.push(calls.length)
      if (calls.length > said.partMax) throw tooLong()
      return calls.map(one)
    },
  } as Partial<JsonRpc> as JsonRpc
  return { rpc, block: parseBlock(block), said, sizes, limits }
}

describe('N08 receipts that are too much to be told at once', () => {
  test.each<[string, Error]>([
    ['are longer than an answer may be', tooLong()],
    ['do not come in time', new Unfinished('node', 'no answer within 10000 ms')],
    [
      'are too large for the node, as it says',
      new RpcRefusal('node', 'eth_getBlockReceipts', {
        code: -32003,
        message: 'response too large',
      }),
    ],
    [
      'take the node too long, as it says',
      new RpcRefusal('node', 'eth_getBlockReceipts', {
        code: -32002,
        message: 'request timed out',
      }),
    ],
  ])('and %s are asked for in parts', async (_what, error) => {
    const { rpc, block, said, sizes } = chainOf(120)
    said.whole = error
    const receipts = await readReceipts(rpc, block)
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
      block.transactions.map(({ hash }) => hash),
    )
    expect(sizes).toEqual([100, 20])
  })

  test('are asked for in ever smaller parts, and in larger ones where these are told', async () => {
    const { rpc, block, said, sizes } = chainOf(60)
    said.partMax = 7
    expect(await readReceipts(rpc, block)).toHaveLength(60)
    expect(sizes.slice(0, 5)).toEqual([60, 15, 3, 6, 12])
    said.partMax = 1
    expect(await readReceipts(rpc, block)).toHaveLength(60)
  })

  test('are asked for in parts that can hold no more than an answer, by their gas', async () => {
    const { rpc, block, sizes } = chainOf(6, 5_000_000)
    expect(await readReceipts(rpc, block)).toHaveLength(6)
    expect(sizes).toEqual([3, 3])
  })

  test('are read up to 96 MB where one transaction may have filled its block', async () => {
    for (const [gas, bytesMax] of [
      [21_000, 32_000_000],
      [30_000_000, 60_000_000],
      [200_000_000, 96_000_000],
    ] as const) {
      const { rpc, block, limits } = chainOf(2, gas)
      await readReceiptsOf(rpc, block, block.transactions.slice(1))
      expect(limits).toEqual([bytesMax])
    }
  })

  test('are an outage where one alone is too much', async () => {
    const { rpc, block, said, sizes } = chainOf(3)
    said.partMax = 0
    await expect(readReceipts(rpc, block)).rejects.toBeInstanceOf(Unfinished)
    expect(sizes).toEqual([3, 1])
  })

  test('are not asked for in parts where the node tells its head as little', async () => {
    const { rpc, block, said, sizes } = chainOf(3)
    said.head = null
    await expect(readReceipts(rpc, block)).rejects.toBeInstanceOf(Unfinished)
    expect(sizes).toEqual([])
  })
})

describe('N08 logs that are too much to be told at once', () => {
  test('are taken from the receipts of all transactions', async () => {
    const { rpc, block, said } = chainOf(3)
    const answer = { header: block, count: 3, scan: null, parse: () => block }
    const logs = await readLogs(rpc, answer, 'scan')
    expect([logs.count, logs.scan]).toEqual([3, null])
    expect(logs.parse().map(({ logIndex }) => logIndex)).toEqual([0, 1, 2])
    const refusal = { code: -32_000, message: 'no' }
    said.whole = new RpcRefusal('node', 'eth_getLogs', refusal)
    await expect(readLogs(rpc, answer, 'scan')).rejects.toBe(said.whole)
  })
})
