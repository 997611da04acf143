import { describe, expect, test } from 'vitest'
import { parseHolder } from '../../../test/adapters/brands.ts'
import { hashOf } from '../../../test/adapters/evm-sample.ts'
import {
  adapterOf,
  answersOf,
  BSC,
  ETHER_ID,
  failing,
  HOLDER,
  PLAIN,
  TOKEN_ID,
} from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'
import { Bug } from '../../base/assert.ts'
import { noncesOf, payingBy } from '../chain-adapter.ts'

const GWEI = 10n ** 9n
const hex = (value: bigint | number) => `0x${value.toString(16)}`
const FROM = parseHolder(BSC, `0x${'f0'.repeat(20)}`)
const RAW = Uint8Array.of(2, 0xc0)

const base = () => answersOf([], { baseFeePerGas: hex(3n * GWEI) }).answers
const priced = () => ({ ...base(), eth_maxPriorityFeePerGas: () => hex(GWEI) })

describe('the gas price', () => {
  test('has room for the next blocks, and is returned for a plain transfer in total', async () => {
    const { adapter } = await adapterOf([priced()])
    const rate = { family: 'eip155', maxFeePerGas: 7n * GWEI, maxPriorityFeePerGas: GWEI }
    expect(await adapter.feeRate()).toEqual(rate)
    expect(await adapter.feeEstimate(ETHER_ID)).toBe(21_000n * 7n * GWEI)
    expect(await adapter.feeEstimate(TOKEN_ID)).toBe(100_000n * 7n * GWEI)
  })
})

test('the tip is at least the floor of the chain, in rates and quotes [W18]', async () => {
  const { adapter } = await adapterOf([priced()], { tipFloor: 25n * GWEI })
  const rate = { family: 'eip155', maxFeePerGas: 31n * GWEI, maxPriorityFeePerGas: 25n * GWEI }
  expect(await adapter.feeRate()).toEqual(rate)
})

test.each([
  ['no code', '0x', false],
  ['code', '0x6001', true],
  ['a delegation (EIP-7702)', `0xef0100${'11'.repeat(20)}`, false],
])('an address with %s is a contract or not', async (_name, code, isContract) => {
  const { adapter } = await adapterOf([{ ...base(), eth_getCode: () => code }])
  const address = parseHolder(adapter.chainId, `0x${'22'.repeat(20)}`)
  expect(await payingBy(adapter, 'nonce').isContract(address)).toBe(isContract)
})

describe('a broadcast', () => {
  const hash = hashOf(9)
  const takes = { ...base(), eth_sendRawTransaction: () => hash }
  const refusals: [string, number, string][] = [
    ['W13 already known', -32000, 'already known'],
    ['W14 nonce too low', -32000, 'nonce too low: next nonce 5, tx nonce 3'],
    ['W18 underpriced', -32000, 'replacement transaction underpriced'],
    ['W13 a fee too low that is accepted anyway', -32010, 'FeeTooLow'],
  ]
  test.each(refusals)('%s is returned and decides nothing', async (_name, code, said) => {
    const send = () => refuse(code, said)
    const { adapter } = await adapterOf([{ ...base(), eth_sendRawTransaction: send }])
    expect((await adapter.broadcast(RAW)).answer).toContain(`${said} (${code})`)
    // The node is not set aside for it.
    expect((await adapter.tip()).head.height).toBe(7)
  })

  test('goes to every node, even if others refuse it [N15]', async () => {
    const seen: string[] = []
    const node = (name: string, answer: () => unknown): Record<string, Answer> => ({
      ...base(),
      eth_sendRawTransaction: (raw: string) => {
        seen.push(`${name} ${raw}`)
        return answer()
      },
    })
    const { adapter } = await adapterOf([
      node('a', () => refuse(-32000, 'already known')),
      node('b', () => hash),
      node('c', () => 'nonsense'),
    ])
    const { answer } = await adapter.broadcast(RAW)
    expect(seen.toSorted()).toEqual(['a 0x02c0', 'b 0x02c0', 'c 0x02c0'])
    for (const said of ['already known', hash, 'malformed']) expect(answer).toContain(said)
  })

  test('is an outage when no node can be identified [N14]', async () => {
    const { adapter } = await adapterOf([{}])
    await failing(adapter.broadcast(RAW))
  })

  test('reaches no node of another chain [N06]', async () => {
    const foreign = { ...takes, eth_chainId: () => '0x1' }
    const { adapter, node } = await adapterOf([foreign, takes])
    await adapter.identify()
    expect((await adapter.broadcast(RAW)).answer).toContain(hash)
    expect(node.counts['eth_sendRawTransaction']).toBeUndefined()
  })

  test('is not sent to a node that is not identified yet [N06]', async () => {
    const elsewhere = () => refuse(-32000, 'taken elsewhere')
    const foreign = { ...takes, eth_chainId: () => '0x1', eth_sendRawTransaction: elsewhere }
    const { adapter } = await adapterOf([takes, foreign])
    const { answer } = await adapter.broadcast(RAW)
    expect(answer).toContain(hash)
    expect(answer).not.toContain('taken elsewhere')
  })
})

describe('nonces', () => {
  test('are those in blocks, and with what waits', async () => {
    const count = (_address: string, tag: string) => (tag === 'pending' ? '0x7' : '0x5')
    const { adapter } = await adapterOf([{ ...base(), eth_getTransactionCount: count }])
    expect(await noncesOf(adapter, FROM)).toEqual({ latest: 5, pending: 7 })
  })

  test('of a node without a view of what waits are never below the blocks', async () => {
    const count = (_address: string, tag: string) => (tag === 'pending' ? '0x0' : '0x5')
    const { adapter } = await adapterOf([{ ...base(), eth_getTransactionCount: count }])
    expect(await noncesOf(adapter, FROM)).toEqual({ latest: 5, pending: 5 })
  })
})

describe('the fate of a nonce', () => {
  const made = () => answersOf([PLAIN])
  const [receipt] = made().receipts
  const { block } = made()
  const mine = { ...receipt, blockNumber: '0x7' }
  const hash = String(receipt?.['transactionHash'])
  const spent = (nonce: number, hashes = [hashOf(1), hash]) => ({
    from: FROM,
    reservation: { kind: 'nonce' as const, nonce },
    hashes,
  })
  const node = (count: number, receiptOf: (hash: string) => unknown = () => null) => ({
    ...made().answers,
    eth_getTransactionCount: () => hex(count),
    eth_getTransactionReceipt: receiptOf,
  })
  const found = (asked: string) => (asked === hash ? mine : null)

  test('is not known while the nonce is free', async () => {
    const { adapter } = await adapterOf([node(5)])
    expect(await adapter.fate(spent(5))).toEqual({ state: 'unknown' })
  })

  test('is the inclusion of any of its transactions [W14]', async () => {
    const { adapter } = await adapterOf([node(6, found)])
    const included = { state: 'included', txnHash: hash, ref: { height: 7, hash: block.hash } }
    expect(await adapter.fate(spent(5))).toEqual({ ...included, succeeded: true })
  })

  test('shows that an included transaction failed [W22]', async () => {
    const { adapter } = await adapterOf([node(6, () => ({ ...mine, status: '0x0' }))])
    expect(await adapter.fate(spent(5, [hash]))).toMatchObject({ succeeded: false })
  })

  test('is not known by the receipt of a block that left the chain [R09]', async () => {
    const orphaned = { ...mine, blockHash: hashOf(5), logs: [] }
    const { adapter } = await adapterOf([node(6, (asked) => (asked === hash ? orphaned : null))])
    expect(await adapter.fate(spent(5))).toEqual({ state: 'unknown' })
  })

  test('is another transaction where the nonce is used and none of ours was [W19]', async () => {
    const { adapter } = await adapterOf([node(6)])
    expect(await adapter.fate(spent(5))).toEqual({ state: 'consumed', by: 'other' })
  })

  test('is not another transaction if a second node knows it [N15]', async () => {
    const { adapter } = await adapterOf([node(6), node(6, found)])
    expect(await adapter.fate(spent(5))).toMatchObject({ state: 'included', txnHash: hash })
    const behind = await adapterOf([node(6), node(5)])
    expect(await behind.adapter.fate(spent(5))).toEqual({ state: 'unknown' })
    const away = { ...node(6), eth_getTransactionCount: () => refuse(-32603, 'internal error') }
    const alone = await adapterOf([node(6), away])
    expect(await alone.adapter.fate(spent(5))).toEqual({ state: 'consumed', by: 'other' })
  })

  test('is not another transaction if a reorg frees the nonce meanwhile', async () => {
    let asked = 0
    const count = () => (++asked === 1 ? '0x6' : '0x5')
    const { adapter } = await adapterOf([{ ...node(6), eth_getTransactionCount: count }])
    expect(await adapter.fate(spent(5))).toEqual({ state: 'unknown' })
  })

  test('is an outage if a receipt is of another transaction', async () => {
    const { adapter } = await adapterOf([node(6, () => mine)])
    await failing(adapter.fate(spent(5, [hashOf(1)])))
  })
})

test('a payment on another chain is a bug [N06]', async () => {
  const { adapter } = await adapterOf([priced()])
  const chainId = ETHER_ID.replace('97/slip44:60', '1') as typeof BSC
  const intent = { chainId, tokenId: ETHER_ID, from: FROM, to: HOLDER, amount: 1n, memo: null }
  const terms = {
    family: 'eip155' as const,
    gasLimit: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
  }
  expect(() => adapter.craft(intent, terms, { kind: 'nonce', nonce: 0 })).toThrow(Bug)
})
