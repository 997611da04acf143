import { payingBy } from '../../src/chains/chain-adapter.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import {
  BITCOIN_NODES,
  type BitcoinTestChain,
  REGTEST,
  startSimulatedBitcoin,
} from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'

const PAYEE = 'paid by the installation that was lost'
/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

describe.each(BITCOIN_NODES)('a restored installation, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('before the forgotten transaction is included', () => {
    let chain: BitcoinTestChain
    let harness: CoinHarness
    /** The withdrawal that the forgotten transaction paid, and another. */
    let [paid, other] = ['', '']
    beforeAll(async () => {
      chain = await start()
      harness = await openCoinHarness(chain, { isKept: true })
    })
    afterAll(async () => {
      await harness?.close()
      await chain?.stop()
    })

    test('a withdrawal that a transaction in a pool pays is not paid again [W25]', async () => {
      await harness.deposit('ann', 300_000n)
      const coins = await harness.coins()
      paid = await harness.want(stranger(PAYEE, chain), 290_000n)
      // Received after the backup: other outputs could pay the same withdrawal again.
      await harness.deposit('bob', 1_000_000n)
      const hex = await harness.forge(coins, stranger(PAYEE, chain), 10_000n)
      await chain.hand.rpc('sendrawtransaction', [hex])
      harness.spender.compared = new Set()
      other = await harness.want(stranger('another payee', chain), 500_000n)
      await harness.spend()
      expect(await harness.pool()).toHaveLength(1)
      const [alert] = (await harness.world.alerts()).filter(
        ({ code }) => code === 'spend.forgotten',
      )
      expect(alert?.message).toContain(`${coins[0]?.txnHash}:${coins[0]?.vout}`)
      await harness.mine(6)
      expect(await harness.held(PAYEE)).toEqual([290_000n])
      for (const id of [paid, other]) expect((await harness.read(id)).status).toBe('Pending')
    })

    test('a cancelled and resumed withdrawal is paid with other outputs [W25]', async () => {
      await harness.operator.ask('DELETE', `/withdrawals/${paid}`)
      const sender = { chainId: REGTEST, address: harness.settlement, chainNonce: 0 }
      await harness.world.database.transaction((tx) =>
        resumeSender(tx, { ...sender, actor: 'cli:test', reason: 'paid by the old one' }),
      )
      expect((await harness.conclude(other)).status).toBe('Completed')
      expect(await harness.held(PAYEE)).toEqual([290_000n])
    })

    test('no output is spent before all blocks are read [W25]', async () => {
      await harness.deposit('dan', 150_000n)
      harness.spender.compared = new Set()
      const id = await harness.want(stranger('waits for blocks', chain), 20_000n)
      await chain.hand.mineExactly([])
      await harness.spend()
      expect((await harness.read(id)).status).toBe('Pending')
      await harness.world.settle()
      await harness.spend()
      expect((await harness.read(id)).status).toBe('Processing')
      expect((await harness.conclude(id)).status).toBe('Completed')
    })

    test('spends of our payments are known after a restart of the spender', async () => {
      await harness.deposit('cid', 200_000n)
      const id = await harness.want(stranger('an own payee', chain), 100_000n)
      await harness.spend()
      expect(await harness.pool()).toHaveLength(1)
      harness.spender.compared = new Set()
      const next = await harness.want(stranger('the next payee', chain), 50_000n)
      await harness.spend()
      expect((await harness.read(next)).status).toBe('Processing')
      expect((await harness.conclude(id)).status).toBe('Completed')
    })
  })

  describe.runIf(isThere)('with an output that was spent before it was credited', () => {
    let chain: BitcoinTestChain
    let harness: CoinHarness
    beforeAll(async () => {
      chain = await start()
      harness = await openCoinHarness(chain, { isKept: true })
    })
    afterAll(async () => {
      await harness?.close()
      await chain?.stop()
    })

    test('a payment that spends an uncredited output is found [W25]', async () => {
      await harness.deposit('ann', 300_000n)
      const { address } = await harness.world.issue('bob', REGTEST)
      await chain.hand.pay({ payees: [{ to: address, amount: 100_000n }] })
      await harness.mine()
      const young = (await harness.coins()).find(({ amount }) => amount === 100_000n)
      expect(young).toMatchObject({ spendable: false })
      const hex = await harness.forge(young ? [young] : [], stranger(PAYEE, chain), 10_000n)
      await chain.hand.rpc('sendrawtransaction', [hex])
      harness.spender.compared = new Set()
      const id = await harness.want(stranger(PAYEE, chain), 90_000n)
      await harness.spend()
      expect((await harness.read(id)).status).toBe('Pending')
      const codes = (await harness.world.alerts()).map(({ code }) => code)
      expect(codes).toContain('spend.forgotten')
    })
  })
})

describe('a block that arrives while the pools are queried', () => {
  let chain: BitcoinTestChain
  let harness: CoinHarness
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
    harness = await openCoinHarness(chain, { isKept: true })
  })
  afterAll(async () => {
    await harness?.close()
    await chain?.stop()
  })

  test('a new block is read before a withdrawal that it may pay is paid again [W25]', async () => {
    await harness.deposit('ann', 300_000n)
    const coins = await harness.coins()
    await harness.deposit('bob', 400_000n)
    const hex = await harness.forge(coins, stranger(PAYEE, chain), 10_000n)
    await chain.hand.rpc('sendrawtransaction', [hex])
    const adapter = payingBy(harness.spender.adapter, 'utxo')
    harness.spender.adapter = {
      ...adapter,
      pooled: async (asked) => {
        await chain.hand.mineExactly([hex])
        return adapter.pooled(asked)
      },
    }
    harness.spender.compared = new Set()
    const id = await harness.want(stranger(PAYEE, chain), 290_000n)
    await harness.spend()
    harness.spender.adapter = adapter
    expect((await harness.read(id)).status).toBe('Pending')
    const codes = async () => (await harness.world.alerts()).map(({ code }) => code)
    expect(await codes()).toEqual([])
    await harness.world.settle()
    await harness.spend()
    expect((await harness.read(id)).status).toBe('Pending')
    expect(await codes()).toEqual(['spend.forgotten'])
    expect(await harness.held(PAYEE)).toEqual([290_000n])
  })
})

describe('the pool of a stalled node', () => {
  let chain: BitcoinTestChain
  let harness: CoinHarness
  let known: { coin: string; replaced: string }
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
    harness = await openCoinHarness(chain, { isKept: true, bumpAfterBlocks: BUMP_AFTER })
    known = await replaceInVain()
  })
  afterAll(async () => {
    await harness?.close()
    await chain?.stop()
  })

  /** A replacement with one more input, while the first transaction is included. */
  async function replaceInVain(): Promise<typeof known> {
    await harness.deposit('ann', 50_300n, 40_000n)
    const id = await harness.want(stranger('a payee', chain), 50_000n)
    await harness.spend()
    await harness.mineEmpty(BUMP_AFTER)
    await harness.spend()
    const [first, second] = (await harness.spendOf(id)).transactions
    await chain.hand.mineExactly([Buffer.from(first?.raw ?? []).toString('hex')])
    await harness.world.settle()
    expect((await harness.conclude(id)).status).toBe('Completed')
    const free = (await harness.coins()).filter(({ spent, block }) => !spent && block)
    expect(free).toMatchObject([{ amount: 40_000n, spendId: null }])
    await harness.deposit('bob', 200_000n)
    return { coin: free[0]?.txnHash ?? '', replaced: second?.txnHash ?? '' }
  }

  /** Queries of this output and this transaction from now on. */
  async function stall({ waits }: { waits: boolean }): Promise<string> {
    const adapter = payingBy(harness.spender.adapter, 'utxo')
    harness.spender.adapter = {
      ...adapter,
      pooled: async (coins) => coins.map(({ txnHash }) => txnHash === known.coin),
      waiting: async (hashes) => hashes.map((hash) => waits && hash === known.replaced),
    }
    harness.spender.compared = new Set()
    const id = await harness.want(stranger(`while it waits: ${waits}`, chain), 60_000n)
    await harness.spend()
    harness.spender.adapter = adapter
    return (await harness.read(id)).status
  }

  test('a late replacement of ours is not a forgotten transaction', async () => {
    expect(await stall({ waits: true })).toBe('Processing')
    expect((await harness.world.alerts()).map(({ code }) => code)).not.toContain('spend.forgotten')
    await harness.mine(6)
  })

  test('another transaction that spends the same output is a forgotten one [W25]', async () => {
    expect(await stall({ waits: false })).toBe('Pending')
    expect((await harness.world.alerts()).map(({ code }) => code)).toContain('spend.forgotten')
  })
})
