import { describe, expect, test } from 'vitest'
import { hashOf, hex, sampleBlock } from '../../../test/adapters/evm-sample.ts'
import { Outage } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import { Declined, RpcRefusal } from '../json-rpc.ts'
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
    /** The node's answers to queries for this many receipts, or for all of a block. */
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

describe('receipts that are too much for one answer [N08]', () => {
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

  test('are read in smaller parts, and in larger ones after a success', async () => {
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

  test('are read up to 96 MB when one transaction may fill its block', async () => {
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

  test('are an outage when a single one is too much', async () => {
    const { rpc, block, said, sizes } = chainOf(3)
    said.partMax = 0
    await expect(readReceipts(rpc, block)).rejects.toBeInstanceOf(Unfinished)
    expect(sizes).toEqual([3, 1])
  })

  test('are not read in parts when the node does not return its head either', async () => {
    const { rpc, block, said, sizes } = chainOf(3)
    said.head = null
    await expect(readReceipts(rpc, block)).rejects.toBeInstanceOf(Unfinished)
    expect(sizes).toEqual([])
  })
})

describe('logs that are too much for one answer [N08]', () => {
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

describe('a node that declines eth_getBlockReceipts', () => {
  const refusal = (code: number, message: string) =>
    new RpcRefusal('node', 'eth_getBlockReceipts', { code, message })

  test.each<[string, Error]>([
    ['method not found', refusal(-32_601, 'the method does not exist/is not available')],
    ['a hash as parameter', refusal(-32_602, 'hex string has length 64, want block number')],
    ['an invalid request', refusal(-32_600, 'Invalid Request')],
    ['not supported', refusal(-32_000, 'not supported')],
    ['a plan', refusal(-32_001, 'upgrade to use this API')],
    ['HTTP 404', new Declined('node', 'answered HTTP 404', 404)],
    ['HTTP 405', new Declined('node', 'answered HTTP 405', 405)],
    ['HTTP 501', new Declined('node', 'answered HTTP 501', 501)],
  ])('for %s is asked by transaction, and not again soon', async (_what, error) => {
    const { rpc, block, said, sizes } = chainOf(3)
    said.whole = error
    expect(await readReceipts(rpc, block)).toHaveLength(3)
    said.whole = new Outage('node', 'was asked again')
    expect(await readReceipts(rpc, block)).toHaveLength(3)
    expect(sizes).toEqual([3, 3])
  })

  test('is asked again after 256 blocks', async () => {
    const { rpc, block, said, sizes } = chainOf(1)
    said.whole = refusal(-32_601, 'no such method')
    await readReceipts(rpc, block)
    said.whole = null
    for (let read = 0; read < 257; read += 1) await readReceipts(rpc, block)
    expect(sizes).toHaveLength(257)
  })

  test.each<[string, Error]>([
    ['away', new Outage('node', 'answered HTTP 502')],
    ['too busy', refusal(-32_005, 'limit exceeded')],
  ])('is not passed over when it is %s [N07]', async (_what, error) => {
    const { rpc, block, said, sizes } = chainOf(3)
    said.whole = error
    await expect(readReceipts(rpc, block)).rejects.toBe(error)
    said.whole = null
    expect(await readReceipts(rpc, block)).toHaveLength(3)
    expect(sizes).toEqual([])
  })

  test('is asked again when it declined everything', async () => {
    const { rpc, block, said, sizes } = chainOf(3)
    said.whole = new Declined('node', 'answered HTTP 403', 403)
    said.partMax = 0
    await expect(readReceipts(rpc, block)).rejects.toBeInstanceOf(Outage)
    said.whole = null
    sizes.length = 0
    expect(await readReceipts(rpc, block)).toHaveLength(3)
    expect(sizes).toEqual([])
  })

  test.each([[null], [[]]])('by answering %j is asked by transaction', async (answer) => {
    const { rpc, block } = chainOf(3)
    const only = { ...rpc, call: async () => answer }
    expect(await readReceipts(only, block)).toHaveLength(3)
  })

  test('may answer in another order', async () => {
    const { rpc, block, said } = chainOf(3)
    said.whole = null
    const reversed = {
      ...rpc,
      call: async (call: RpcCall) => {
        const answer = await rpc.call(call)
        return Array.isArray(answer) ? answer.toReversed() : answer
      },
    }
    const receipts = await readReceipts(reversed, block)
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
      block.transactions.map(({ hash }) => hash),
    )
  })
})
