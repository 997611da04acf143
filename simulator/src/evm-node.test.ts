import { afterEach, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'
import { encodeCall } from './evm-abi.ts'
import { type EvmNode, type EvmNodeOptions, startEvmNode } from './evm-node.ts'
import { deploy, invoke, mined, send } from './evm-send.ts'
import { devWallet } from './evm-wallet.ts'
import { blockHash, bloomOf, receiptsRoot, transactionsRoot } from './evm/encodings.ts'
import type {
  BlockJson,
  CallFrameJson,
  MinedReceiptJson,
  MinedTransactionJson,
} from './evm/shapes.ts'
import { selfDestructPayer } from './contracts/bytecodes.ts'
import { testTokenInitCode } from './contracts/creations.ts'
import { rpcClient } from './rpc-client.ts'

const D = '0x00000000000000000000000000000000000d0001'
const USDT = { symbol: 'USDT', name: 'Tether USD', decimals: 6 }
type FullBlock = BlockJson & { transactions: MinedTransactionJson[] }

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function setUp(options: Partial<EvmNodeOptions> = {}) {
  const node = await startEvmNode({ chainId: 97, seed: 1, ...options })
  const client = rpcClient(node.url)
  ends.push(
    () => node.stop(),
    () => client.close(),
  )
  return { node, chain: node.chain, client }
}

const codeOf = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => ({ code: 0 }),
    (thrown: { code: number }) => thrown,
  )
  return error.code
}

describe('the simulated node', () => {
  test('the node returns blocks by number, hash and tag, full or not', async () => {
    const { chain, client } = await setUp()
    const hash = chain.pay({ to: D, amount: 5n })
    chain.mine(70)
    const first = await client.call<FullBlock>('eth_getBlockByNumber', ['0x1', true])
    expect(first.transactions).toMatchObject([{ hash, to: D, value: '0x5', blockNumber: '0x1' }])
    const bare = await client.call<BlockJson>('eth_getBlockByHash', [first.hash, false])
    expect(bare).toEqual({ ...first, transactions: [hash] })
    const at = async (tag: string) =>
      (await client.call<BlockJson>('eth_getBlockByNumber', [tag, false])).number
    expect(await Promise.all(['earliest', 'finalized', 'safe', 'latest'].map(at))).toEqual([
      '0x0',
      '0x6',
      '0x26',
      '0x46',
    ])
    expect(await client.call('eth_blockNumber')).toBe('0x46')
    expect(await client.call('eth_chainId')).toBe('0x61')
    expect(await client.call('net_version')).toBe('97')
  })

  test('the node returns receipts by block and by transaction', async () => {
    const { chain, client } = await setUp()
    const hash = chain.pay({ to: D, amount: 5n })
    expect(await client.call('eth_getTransactionReceipt', [hash])).toBeNull()
    expect(await client.call('eth_getTransactionByHash', [hash])).toMatchObject({ blockHash: null })
    chain.mine()
    const [receipt] = await client.call<MinedReceiptJson[]>('eth_getBlockReceipts', ['0x1'])
    expect(receipt).toMatchObject({ transactionHash: hash, status: '0x1', gasUsed: '0x5208' })
    expect(await client.call('eth_getTransactionReceipt', [hash])).toEqual(receipt)
    for (const named of [receipt?.blockHash, { blockHash: receipt?.blockHash }]) {
      expect(await client.call('eth_getBlockReceipts', [named])).toEqual([receipt])
    }
  })

  test('the node filters logs by block, range, addresses and topics', async () => {
    const { chain, client } = await setUp()
    const [one, two] = [chain.deployToken(USDT), chain.deployToken(USDT)]
    for (const token of [one, two, one]) {
      chain.payToken({ token, to: D, amount: 1n })
      chain.mine()
    }
    const count = async (filter: object) => {
      return (await client.call<unknown[]>('eth_getLogs', [filter])).length
    }
    const range = { fromBlock: '0x1', toBlock: '0x9' }
    expect(await count(range)).toBe(3)
    expect(await count({ ...range, address: one })).toBe(2)
    expect(await count({ ...range, address: [two.toUpperCase().replace('0X', '0x')] })).toBe(1)
    const to = `0x${D.slice(2).padStart(64, '0')}`
    expect(await count({ ...range, topics: [null, null, [to]] })).toBe(3)
    expect(await count({ ...range, topics: [[to]] })).toBe(0)
    expect(await count({ blockHash: chain.blockAt(2)?.hash, address: [one, two] })).toBe(1)
    expect(await count({ fromBlock: 'latest' })).toBe(1)
  })

  test('the node returns balances of any block by number, tag and hash', async () => {
    const { chain, client } = await setUp()
    const token = chain.deployToken(USDT)
    chain.pay({ to: D, amount: 5n })
    chain.payToken({ token, to: D, amount: 7n })
    chain.mine(2)
    const data = encodeCall('balanceOf(address)', [D])
    const held = async (block: unknown) => {
      const own = await client.call<string>('eth_getBalance', [D, block])
      return [own, BigInt(await client.call<string>('eth_call', [{ to: token, data }, block]))]
    }
    expect(await held('0x0')).toEqual(['0x0', 0n])
    expect(await held('latest')).toEqual(['0x5', 7n])
    expect(await held({ blockHash: chain.blockAt(1)?.hash })).toEqual(['0x5', 7n])
    expect(await client.call('eth_getCode', [token, 'latest'])).not.toBe('0x')
    expect(await client.call('eth_getCode', [D, 'latest'])).toBe('0x')
  })

  test('the node knows an orphaned block only by its hash', async () => {
    const { chain, client } = await setUp()
    const token = chain.deployToken(USDT)
    const hash = chain.payToken({ token, to: D, amount: 7n })
    chain.mine()
    const old = chain.head().hash
    chain.reorg({ depth: 1, keep: 'none' })
    expect(await client.call('eth_getTransactionReceipt', [hash])).toBeNull()
    expect(await client.call('eth_getBlockByHash', [old, false])).toMatchObject({ hash: old })
    expect(await client.call('eth_getLogs', [{ blockHash: old }])).toHaveLength(1)
    expect(await client.call('eth_getLogs', [{ fromBlock: '0x1' }])).toEqual([])
  })

  test('the node answers batches in order, and wrong requests as geth does', async () => {
    const { client, node } = await setUp({ without: ['trace_block'] })
    const call = (method: unknown, id: number, params: unknown = []) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    })
    const batch = [call('eth_chainId', 2), call('eth_nothing', 1), call(7, 3)]
    expect(JSON.parse((await client.post(JSON.stringify(batch))).text)).toMatchObject([
      { id: 2, result: '0x61' },
      { id: 1, error: { code: -32_601 } },
      { id: null, error: { code: -32_600 } },
    ])
    for (const [body, code] of [
      ['junk', -32_700],
      ['[]', -32_600],
      ['{"id":1}', -32_600],
    ] as const) {
      expect(JSON.parse((await client.post(body)).text).error.code).toBe(code)
    }
    const hash = `0x${'12'.repeat(32)}`
    expect(await codeOf(client.call('trace_block', ['0x0']))).toBe(-32_601)
    expect(await codeOf(client.call('eth_getBlockByNumber', ['0x01', false]))).toBe(-32_602)
    expect(await codeOf(client.call('eth_getBlockByNumber', []))).toBe(-32_602)
    expect(await codeOf(client.call('eth_getBlockByHash', ['0x12', false]))).toBe(-32_602)
    expect(await codeOf(client.call('eth_getLogs', [{ blockHash: hash }]))).toBe(-32_000)
    expect(await codeOf(client.call('eth_getBalance', [D, '0x9']))).toBe(-32_000)
    expect(await codeOf(client.call('debug_traceBlockByHash', [hash, TRACER]))).toBe(-32_000)
    node.chain.setFinalizedDistance(null)
    expect(await codeOf(client.call('eth_getBlockByNumber', ['finalized', false]))).toBe(-32_000)
  })

  test('the node returns another chain id when set [N06]', async () => {
    const { node, client } = await setUp()
    node.setChainId(999)
    expect(await client.call('eth_chainId')).toBe('0x3e7')
    node.setChainId(null)
    expect(await client.call('eth_chainId')).toBe('0x61')
    expect(node.counts['eth_chainId']).toBe(2)
  })

  test('two nodes can serve one chain', async () => {
    const { chain } = await setUp()
    const { client } = await setUp({ chain })
    chain.mine(3)
    expect(await client.call('eth_blockNumber')).toBe('0x3')
  })
})

const TRACER = { tracer: 'callTracer' }

describe('beside a real anvil', () => {
  /** The same story on both: a payment, a token payment, and one by self-destruction. */
  async function tell(): Promise<{ anvil: Anvil; node: EvmNode }> {
    const anvil = await startAnvil({ chainId: 97 })
    ends.push(() => anvil.stop())
    const wallet = devWallet(0)
    const contract = await deploy(anvil, wallet, testTokenInitCode(USDT))
    const mint = 'mint(address,uint256)'
    await mined(anvil, await invoke(anvil, wallet, contract.address, mint, [wallet.address, 9n]))
    const transfer = 'transfer(address,uint256)'
    await mined(anvil, await send(anvil, wallet, { to: D, value: 5n }))
    await mined(anvil, await invoke(anvil, wallet, contract.address, transfer, [D, 7n]))
    await mined(anvil, await send(anvil, wallet, { data: selfDestructPayer(D), value: 6n }))

    const { node, chain } = await setUp()
    chain.mine(2)
    const token = chain.deployToken(USDT)
    chain.pay({ to: D, amount: 5n })
    chain.mine()
    chain.payToken({ token, to: D, amount: 7n })
    chain.mine()
    chain.payInternal({ to: D, amount: 6n, via: 'selfdestruct' })
    chain.mine()
    return { anvil, node }
  }

  test('our encodings give the hash and the roots of its blocks', async () => {
    const { anvil } = await tell()
    for (const height of ['0x3', '0x4', '0x5']) {
      const block = await anvil.rpc<FullBlock>('eth_getBlockByNumber', [height, true])
      const receipts = await anvil.rpc<MinedReceiptJson[]>('eth_getBlockReceipts', [height])
      expect(blockHash(block)).toBe(block.hash)
      expect(transactionsRoot(block.transactions)).toBe(block.transactionsRoot)
      expect(receiptsRoot(receipts)).toBe(block.receiptsRoot)
      expect(bloomOf(receipts.flatMap(({ logs }) => logs))).toBe(block.logsBloom)
    }
  })

  test('anvil and the simulated node answer alike', async () => {
    const { anvil, node } = await tell()
    const story = async ({ rpc }: Pick<Anvil, 'rpc'>) => {
      const receipts = await Promise.all(
        ['0x3', '0x4', '0x5'].map((height) =>
          rpc<MinedReceiptJson[]>('eth_getBlockReceipts', [height]),
        ),
      )
      const frames = await rpc<{ result: CallFrameJson }[]>('debug_traceBlockByNumber', [
        '0x5',
        TRACER,
      ])
      const traces = await rpc<{ type: string; subtraces: number; traceAddress: number[] }[]>(
        'trace_block',
        ['0x5'],
      )
      return {
        receipts: receipts.flat().map(({ status, type, logs, to }) => ({
          status,
          type,
          hasRecipient: to !== null,
          logs: logs.map(({ topics, data }) => [topics[0], topics[2], data]),
        })),
        frames: frames.map(({ result }) => [
          [result.type, result.value],
          result.calls?.map(({ type, to, value }) => [type, to, value]),
        ]),
        traces: traces.map(({ type, subtraces, traceAddress }) => [type, subtraces, traceAddress]),
        held: await rpc('eth_getBalance', [D, 'latest']),
      }
    }
    expect(await story(node)).toEqual(await story(anvil))
  })
})
