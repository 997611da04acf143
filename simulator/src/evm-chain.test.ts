import { describe, expect, test } from 'vitest'
import { EvmChain } from './evm-chain.ts'
import { blockHash, bloomOf, receiptsRoot, transactionsRoot } from './evm/encodings.ts'
import { seeded } from './seeded.ts'

const D = '0x00000000000000000000000000000000000d0001'
const E = '0x00000000000000000000000000000000000d0002'
const USDT = { symbol: 'USDT', name: 'Tether USD', decimals: 6 }
const chainOf = (seed = 1, chainId = 1) => new EvmChain({ chainId, seed })

/** Status of a mined transaction, and its logs. */
function receiptOf(chain: EvmChain, hash: string) {
  const place = chain.tree.placeOf(hash)
  const receipt = place?.block.transactions[place.index]?.receipt
  if (receipt === undefined) throw new Error(`${hash} is not on the chain`)
  return receipt
}

describe('payments', () => {
  test('payments move the amount once a block is mined, and not before', () => {
    const chain = chainOf()
    const token = chain.deployToken(USDT)
    chain.pay({ to: D, amount: 5n })
    chain.payToken({ token, to: D, amount: 7n })
    expect([chain.balanceOf(D), chain.balanceOf(D, token)]).toEqual([0n, 0n])
    chain.mine()
    expect([chain.balanceOf(D), chain.balanceOf(D, token)]).toEqual([5n, 7n])
    expect(chain.balanceOf(D, token, 0)).toBe(0n)
  })

  test('transactions that fail, or whose inner frame fails, move nothing and log nothing', () => {
    const chain = chainOf()
    const failed = chain.failed({ to: D, amount: 5n })
    const caught = chain.payInternal({ to: D, amount: 5n, fails: true })
    chain.mine()
    expect(chain.balanceOf(D)).toBe(0n)
    expect([receiptOf(chain, failed).status, receiptOf(chain, caught).status]).toEqual([
      '0x0',
      '0x1',
    ])
  })

  test('payments by a contract and by a self-destruction arrive without a log', () => {
    const chain = chainOf()
    const called = chain.payInternal({ to: D, amount: 5n })
    const destroyed = chain.payInternal({ to: D, amount: 6n, via: 'selfdestruct' })
    chain.mine()
    expect(chain.balanceOf(D)).toBe(11n)
    for (const hash of [called, destroyed]) expect(receiptOf(chain, hash).logs).toEqual([])
    expect(receiptOf(chain, destroyed).to).toBeNull()
    expect(receiptOf(chain, destroyed).contractAddress).toMatch(/^0x[0-9a-f]{40}$/)
  })

  test('payments of a paid address are limited by its balance', () => {
    const chain = chainOf()
    const token = chain.deployToken(USDT)
    chain.pay({ to: D, amount: 5n })
    chain.mine()
    const tooMuch = chain.pay({ from: D, to: E, amount: 6n })
    const noTokens = chain.payToken({ from: D, token, to: E, amount: 1n })
    chain.mine()
    expect(chain.pending.map(({ hash }) => hash)).toEqual([tooMuch])
    expect(receiptOf(chain, noTokens)).toMatchObject({ status: '0x0', logs: [] })
    chain.pay({ to: D, amount: 1n })
    chain.mine(2)
    expect([chain.balanceOf(D), chain.balanceOf(E), chain.balanceOf(E, token)]).toEqual([
      0n,
      6n,
      0n,
    ])
  })

  test('payments of a batch are one transaction with a log for each token payment', () => {
    const chain = chainOf()
    const token = chain.deployToken(USDT)
    const payments = [D, E, D].map((to) => ({ to, token, amount: 3n }))
    const hash = chain.batch([...payments, { to: D, amount: 9n }])
    chain.mine()
    expect(receiptOf(chain, hash).logs).toHaveLength(3)
    expect([chain.balanceOf(D, token), chain.balanceOf(D)]).toEqual([6n, 9n])
  })

  test('token payments, mints and burns change balances and log as requested', () => {
    const chain = chainOf()
    const token = chain.deployToken(USDT)
    const lie = chain.lie({ token, to: D, amount: 2n ** 256n - 1n })
    const fee = chain.payToken({ token, to: D, amount: 100n, arrives: 99n })
    const minted = chain.mint({ token, to: D, amount: 10n })
    const burnt = chain.burn({ token, address: D, amount: 4n })
    chain.mine()
    const logs = [lie, fee, minted, burnt].map((hash) => receiptOf(chain, hash).logs.length)
    expect(logs).toEqual([1, 1, 1, 0])
    expect(chain.balanceOf(D, token)).toBe(105n)
  })

  test('payments are replaced by the first of the same sender and nonce', () => {
    const chain = chainOf()
    const first = chain.pay({ from: E, nonce: 0, to: D, amount: 5n })
    const second = chain.pay({ from: E, nonce: 0, to: D, amount: 6n })
    chain.mine()
    expect(chain.tree.placeOf(first)).toBeDefined()
    expect(chain.tree.placeOf(second)).toBeUndefined()
    expect([chain.balanceOf(D), chain.pending.length]).toEqual([5n, 0])
  })

  test('unprotected transactions have the same hash on two chains [E21]', () => {
    const payment = { from: E, to: D, amount: 5n, nonce: 3 }
    const hashes = [1, 97].map((chainId) => chainOf(chainId, chainId))
    const pay = (more: object) => hashes.map((chain) => chain.pay({ ...payment, ...more }))
    expect(new Set(pay({ isUnprotected: true })).size).toBe(1)
    expect(new Set(pay({})).size).toBe(2)
  })

  test('payments of native coins log too once EIP-7708 is in force [E17]', () => {
    const chain = chainOf()
    chain.logNativeTransfers(true)
    const hash = chain.payInternal({ to: D, amount: 5n })
    chain.mine()
    expect(receiptOf(chain, hash).logs.map(({ address }) => address)).toEqual([
      '0xfffffffffffffffffffffffffffffffffffffffe',
      '0xfffffffffffffffffffffffffffffffffffffffe',
    ])
  })

  test('a balance changes without a transaction', () => {
    const chain = chainOf()
    chain.setBalance({ address: D, by: 8n })
    chain.mine()
    expect(chain.balanceOf(D)).toBe(8n)
    expect(chain.blockAt(1)?.transactions).toEqual([])
    chain.setBalance({ address: D, by: -9n })
    expect(() => chain.mine()).toThrow('below zero')
  })
})

describe('blocks', () => {
  test('blocks depend on the seed alone', () => {
    const run = (seed: number) => {
      const chain = chainOf(seed)
      chain.pay({ to: D, amount: 5n })
      chain.mine(3)
      chain.reorg({ depth: 2, keep: 'shuffled' })
      return chain.head().hash
    }
    expect(run(1)).toBe(run(1))
    expect(run(1)).not.toBe(run(2))
  })

  test('blocks have the hash, roots and bloom of their content, unknown types included', () => {
    const chain = chainOf()
    const token = chain.deployToken(USDT)
    for (const type of [0, 1, 2, 4, 0x7f]) chain.payToken({ token, to: D, amount: 1n, type })
    chain.failed({ to: D, amount: 1n, type: 0 })
    chain.mine()
    const block = chain.blockAt(1)
    if (block === undefined) throw new Error('no block was mined')
    const { header, transactions } = block
    const receipts = transactions.map(({ receipt }) => receipt)
    expect(blockHash(header)).toBe(block.hash)
    expect(header.parentHash).toBe(chain.blockAt(0)?.hash)
    expect(receiptsRoot(receipts)).toBe(header.receiptsRoot)
    expect(transactionsRoot(transactions.map(({ json }) => json))).toBe(header.transactionsRoot)
    expect(bloomOf(receipts.flatMap(({ logs }) => logs))).toBe(header.logsBloom)
    expect(receipts.flatMap(({ logs }) => logs.map(({ logIndex }) => Number(logIndex)))).toEqual([
      0, 1, 2, 3, 4,
    ])
  })
})

describe('reorgs', () => {
  const setUp = () => {
    const chain = chainOf()
    chain.mine(4)
    const first = chain.pay({ to: D, amount: 1n })
    chain.mine()
    const second = chain.pay({ to: D, amount: 2n })
    chain.mine()
    return { chain, first, second }
  }
  const heightOf = (chain: EvmChain, hash: string) => chain.tree.placeOf(hash)?.block.height

  test('reorgs drop transactions permanently [R01]', () => {
    const { chain, first, second } = setUp()
    const before = chain.head()
    chain.reorg({ depth: 1, keep: 'none' })
    expect(chain.head().height).toBe(before.height)
    expect(chain.head().hash).not.toBe(before.hash)
    expect([heightOf(chain, first), heightOf(chain, second)]).toEqual([5, undefined])
    expect([chain.balanceOf(D), chain.pending.length]).toEqual([1n, 0])
  })

  test('reorgs include the same transactions in other blocks [R02]', () => {
    const { chain, first, second } = setUp()
    const old = heightOf(chain, first)
    chain.reorg({
      depth: 2,
      extra: 1,
      keep: (from) => from.map(({ hash }) => ({ hash, height: hash === first ? 7 : 5 })),
    })
    expect(old).toBe(5)
    expect([heightOf(chain, first), heightOf(chain, second)]).toEqual([7, 5])
    expect([chain.head().height, chain.balanceOf(D)]).toEqual([7, 3n])
    expect(chain.balanceOf(D, undefined, 5)).toBe(2n)
  })

  test('reorgs let a pending transaction replace an orphaned one [R03]', () => {
    const chain = chainOf()
    const original = chain.pay({ from: E, nonce: 0, to: D, amount: 1n })
    chain.mine()
    const other = chain.pay({ from: E, nonce: 0, to: E, amount: 1n })
    chain.reorg({
      depth: 1,
      keep: (from) =>
        from.filter(({ height }) => height === null).map(({ hash }) => ({ hash, height: 1 })),
    })
    expect([heightOf(chain, original), heightOf(chain, other)]).toEqual([undefined, 1])
    expect(chain.balanceOf(D)).toBe(0n)
  })

  test('reorgs return to the former blocks [R07]', () => {
    const { chain } = setUp()
    const before = chain.head().hash
    const orphan = chain.blockAt(5)
    chain.reorg({ depth: 3, keep: 'none', extra: 2 })
    expect(chain.balanceOf(D)).toBe(0n)
    if (orphan === undefined) throw new Error('no block 5')
    expect(chain.tree.balance(`/${D}`, orphan)).toBe(1n)
    expect(chain.blockAt(orphan.hash)).toBe(orphan)
    chain.setHead(before)
    expect([chain.head().hash, chain.balanceOf(D)]).toEqual([before, 3n])
  })

  test('reorgs lower the head [R08]', () => {
    const { chain, first } = setUp()
    chain.rollback(1)
    expect([chain.head().height, heightOf(chain, first), chain.balanceOf(D)]).toEqual([5, 5, 1n])
    expect(() => chain.rollback(9)).toThrow('no 9 blocks')
  })

  test('random reorgs leave the balances that the chain from genesis has', () => {
    const chain = chainOf(3)
    const token = chain.deployToken(USDT)
    const random = seeded('traffic')
    const people = [D, E, '0x00000000000000000000000000000000000d0003']
    for (let round = 0; round < 150; round += 1) {
      const from = random.chance(0.3) ? { from: random.pick(people) } : {}
      const amount = BigInt(random.int(50))
      if (random.chance(0.5)) chain.pay({ to: random.pick(people), amount, ...from })
      else chain.payToken({ token, to: random.pick(people), amount, ...from })
      chain.mine()
      const depth = random.int(Math.min(8, chain.head().height)) + 1
      const keep = random.pick(['none', 'same', 'shuffled'] as const)
      if (random.chance(0.4)) chain.reorg({ depth, keep, extra: random.int(2) })
    }
    for (const key of people.flatMap((person) => [`/${person}`, `${token}/${person}`])) {
      let walked: bigint | undefined
      for (let height = 0; height <= chain.head().height; height += 1) {
        walked = chain.blockAt(height)?.writes.get(key) ?? walked
        const block = chain.blockAt(height)
        if (walked !== undefined) expect(chain.tree.balance(key, block)).toBe(walked)
      }
    }
  })
})

describe('tags', () => {
  test('finalized follows the head at its distance, is pinned, or is unknown [R10]', () => {
    const chain = chainOf()
    chain.mine(100)
    expect([chain.taggedHeight('safe'), chain.taggedHeight('finalized')]).toEqual([68, 36])
    chain.setFinalizedDistance(2)
    expect([chain.taggedHeight('safe'), chain.taggedHeight('finalized')]).toEqual([99, 98])
    chain.finalize(50)
    expect(chain.taggedHeight('finalized')).toBe(50)
    chain.setFinalizedDistance(null)
    expect(chain.taggedHeight('finalized')).toBeNull()
  })
})
