import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'
import { encodeCall } from './evm-abi.ts'
import { type EvmNode, startEvmNode } from './evm-node.ts'
import { devWallet, signTransaction, transactionHash } from './evm-wallet.ts'
import type { Hex } from './hex.ts'

const CHAIN_ID = 97
const GWEI = 1_000_000_000n
const ETHER = 10n ** 18n
const payer = devWallet(0)
const D = '0x00000000000000000000000000000000000d0001'
const TRANSFER = 'transfer(address,uint256)'

let node: EvmNode
beforeEach(async () => {
  node = await startEvmNode({ chainId: CHAIN_ID, seed: 5 })
  node.chain.setBalance({ address: payer.address, by: 10n * ETHER })
  node.chain.mine()
  return () => node.stop()
})

interface Wish {
  nonce?: number
  to?: string
  value?: bigint
  data?: string
  gas?: number
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  chainId?: number
}

const raw = (wish: Wish = {}): Hex =>
  signTransaction(payer, {
    type: 'eip1559',
    chainId: CHAIN_ID,
    nonce: 0,
    to: D,
    value: 5n,
    gas: 21_000,
    maxFeePerGas: 3n * GWEI,
    maxPriorityFeePerGas: GWEI,
    ...wish,
  })
const hand = (bytes: Hex) => node.rpc<Hex>('eth_sendRawTransaction', [bytes])
const countOf = async (tag: string) =>
  Number(await node.rpc('eth_getTransactionCount', [payer.address, tag]))
const receiptOf = (hash: string) =>
  node.rpc<{ status: Hex; gasUsed: Hex; effectiveGasPrice: Hex; from: Hex } | null>(
    'eth_getTransactionReceipt',
    [hash],
  )

describe('signed bytes', () => {
  test('signed bytes wait under their hash, are mined, and pay for their gas', async () => {
    const hash = await hand(raw())
    expect(hash).toBe(transactionHash(raw()))
    expect([await countOf('latest'), await countOf('pending')]).toEqual([0, 1])
    node.chain.mine()
    expect(await receiptOf(hash)).toMatchObject({
      status: '0x1',
      from: payer.address.toLowerCase(),
      gasUsed: '0x5208',
      effectiveGasPrice: `0x${(2n * GWEI).toString(16)}`,
    })
    expect([await countOf('latest'), await countOf('pending')]).toEqual([1, 1])
    expect(node.chain.balanceOf(D)).toBe(5n)
    const left = 10n * ETHER - 5n - 21_000n * 2n * GWEI
    expect(node.chain.balanceOf(payer.address)).toBe(left)
  })

  test('legacy bytes pay the price they name', async () => {
    const old = { type: 'legacy' as const, chainId: CHAIN_ID, gasPrice: 4n * GWEI }
    const hash = await hand(signTransaction(payer, { ...old, nonce: 0, to: D, gas: 21_000 }))
    node.chain.mine()
    const price = `0x${(4n * GWEI).toString(16)}`
    expect(await receiptOf(hash)).toMatchObject({ status: '0x1', effectiveGasPrice: price })
  })

  test('pool transactions move tokens, or fail and pay their gas', async () => {
    const token = node.chain.deployToken({ symbol: 'T', name: 'T', decimals: 6 })
    node.chain.mint({ token, to: payer.address, amount: 9n })
    node.chain.mine()
    const call = (nonce: number, amount: bigint) =>
      raw({ nonce, to: token, value: 0n, gas: 90_000, data: encodeCall(TRANSFER, [D, amount]) })
    const [good, bad] = [await hand(call(0, 7n)), await hand(call(1, 3n))]
    node.chain.mine()
    expect([node.chain.balanceOf(D, token), node.chain.balanceOf(payer.address, token)]).toEqual([
      7n,
      2n,
    ])
    expect((await receiptOf(good))?.status).toBe('0x1')
    expect(await receiptOf(bad)).toMatchObject({ status: '0x0' })
    expect(await countOf('latest')).toBe(2)
  })

  test('signed bytes with too little gas fail with all of it', async () => {
    node.chain.setCode(D, { gas: 5_000_000n, reverts: false })
    const hash = await hand(raw({ gas: 100_000 }))
    node.chain.mine()
    expect(await receiptOf(hash)).toMatchObject({ status: '0x0', gasUsed: '0x186a0' })
    expect(node.chain.balanceOf(D)).toBe(0n)
  })

  test('signed bytes wait for a nonce gap, and for a base fee that they can pay', async () => {
    const second = await hand(raw({ nonce: 1 }))
    node.chain.mine()
    expect(await receiptOf(second)).toBeNull()
    expect(await countOf('pending')).toBe(0)
    await hand(raw())
    node.chain.setBaseFee(4n * GWEI)
    node.chain.mine()
    expect([await countOf('latest'), await countOf('pending')]).toEqual([0, 2])
    node.chain.setBaseFee(GWEI)
    node.chain.mine()
    expect(await countOf('latest')).toBe(2)
  })

  test('signed bytes vanish with a reorg and are accepted again', async () => {
    const hash = await hand(raw())
    node.chain.mine()
    node.chain.reorg({ depth: 1, keep: 'none' })
    expect([await receiptOf(hash), await countOf('latest')]).toEqual([null, 0])
    await hand(raw())
    node.chain.mine()
    expect((await receiptOf(hash))?.status).toBe('0x1')
    node.chain.drop(await hand(raw({ nonce: 1 })))
    expect(await countOf('pending')).toBe(1)
  })
})

describe('the pool refuses', () => {
  const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  const wishes: [string, Wish][] = [
    ['invalid chain id', { chainId: 1 }],
    ['intrinsic gas too low', { gas: 20_999 }],
    ['insufficient funds for gas', { value: 10n * ETHER }],
    ['max priority fee per gas higher', fees(GWEI, 2n * GWEI)],
  ]
  test.each(wishes)('%s', async (says, wish) => {
    await expect(hand(raw(wish))).rejects.toThrow(says)
    expect(await countOf('pending')).toBe(0)
  })

  test('the node returns pending and included transactions', async () => {
    await hand(raw())
    await expect(hand(raw())).rejects.toThrow('already known')
    node.chain.mine()
    await expect(hand(raw())).rejects.toThrow('already known')
    await expect(hand(raw({ value: 6n }))).rejects.toThrow('nonce too low')
  })

  test('a replacement that offers less than 10 % more on either fee', async () => {
    const first = await hand(raw())
    const tenth = fees((33n * GWEI) / 10n, (11n * GWEI) / 10n)
    for (const wish of [
      { ...tenth, maxFeePerGas: tenth.maxFeePerGas - 1n },
      { ...tenth, maxPriorityFeePerGas: tenth.maxPriorityFeePerGas - 1n },
    ]) {
      await expect(hand(raw(wish))).rejects.toThrow('replacement transaction underpriced')
    }
    const second = await hand(raw(tenth))
    node.chain.mine()
    expect(await receiptOf(first)).toBeNull()
    expect((await receiptOf(second))?.status).toBe('0x1')
    expect(await countOf('latest')).toBe(1)
  })

  test.each(['0x', '0x02', '0x02c0', '0xc0', '0x05c0', 'nonsense'])(
    'bytes like %s',
    async (bytes) => {
      await expect(node.rpc('eth_sendRawTransaction', [bytes])).rejects.toThrow(
        /malformed|supported/,
      )
    },
  )

  test('a changed signature pays from an unknown address', async () => {
    const bytes = raw()
    const other: Hex = `0x${bytes.slice(2, -2)}${bytes.endsWith('01') ? '02' : '01'}`
    await expect(hand(other)).rejects.toThrow(/insufficient funds|invalid transaction/)
  })
})

describe('questions before a payment', () => {
  const ask = (call: object) => node.rpc<Hex>('eth_estimateGas', [{ from: payer.address, ...call }])

  test('the node estimates the gas of a payment, or says why it would fail', async () => {
    const token = node.chain.deployToken({ symbol: 'T', name: 'T', decimals: 6 })
    const data = encodeCall(TRANSFER, [D, 1n])
    expect(await ask({ to: D, value: '0x5' })).toBe('0x5208')
    await expect(ask({ to: D, value: `0x${(11n * ETHER).toString(16)}` })).rejects.toThrow(
      'insufficient funds',
    )
    await expect(ask({ to: token, data })).rejects.toMatchObject({ code: 3 })
    node.chain.mint({ token, to: payer.address, amount: 1n })
    node.chain.mine()
    expect(Number(await ask({ to: token, data }))).toBeGreaterThan(21_000)
    node.chain.setCode(D, { gas: 10n ** 9n, reverts: false })
    await expect(ask({ to: D })).rejects.toThrow('exceeds allowance')
  })

  test('a chain before the fee market has one price and no tips', async () => {
    node.chain.setBaseFee(null)
    node.chain.mine()
    const block = await node.rpc<Record<string, Hex>>('eth_getBlockByNumber', ['latest', false])
    expect(block['baseFeePerGas']).toBeUndefined()
    expect(await node.rpc('eth_gasPrice')).toBe(`0x${GWEI.toString(16)}`)
    await expect(node.rpc('eth_maxPriorityFeePerGas')).rejects.toThrow('not available')
  })
})

describe('beside a real anvil', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: CHAIN_ID, args: ['--no-mining'] })
  })
  afterAll(() => anvil.stop())

  test('answers have the same shapes', async () => {
    const shapeOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
      return typeof value === 'string' ? value.slice(0, 2) : typeof value
    }
    const calls: [string, unknown[]][] = [
      ['eth_gasPrice', []],
      ['eth_maxPriorityFeePerGas', []],
      ['eth_estimateGas', [{ from: payer.address, to: D, value: '0x5' }]],
      ['eth_getTransactionCount', [payer.address, 'pending']],
      ['eth_getCode', [D, 'latest']],
    ]
    for (const [method, params] of calls) {
      expect(shapeOf(await node.rpc(method, params))).toEqual(
        shapeOf(await anvil.rpc(method, params)),
      )
    }
    const history = ['0x1', 'latest', [50]]
    const theirs = await anvil.rpc<Record<string, unknown>>('eth_feeHistory', history)
    const ours = await node.rpc<Record<string, unknown>>('eth_feeHistory', history)
    for (const key of ['oldestBlock', 'baseFeePerGas', 'gasUsedRatio', 'reward']) {
      expect([key, shapeOf(ours[key])]).toEqual([key, shapeOf(theirs[key])])
    }
  })

  test('the same bytes are mined with the same receipt', async () => {
    const told = async (on: { rpc: EvmNode['rpc'] }, mine: () => unknown) => {
      const hash = await on.rpc<Hex>('eth_sendRawTransaction', [raw({ maxFeePerGas: 9n * GWEI })])
      await mine()
      const { status, gasUsed, from, to, type } = await on.rpc<Record<string, Hex>>(
        'eth_getTransactionReceipt',
        [hash],
      )
      return { hash, status, gasUsed, from: from?.toLowerCase(), to: to?.toLowerCase(), type }
    }
    const here = await told(node, () => node.chain.mine())
    expect(here).toEqual(await told(anvil, () => anvil.mine()))
  })
})
