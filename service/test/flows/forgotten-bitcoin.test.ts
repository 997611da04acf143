import { payingBy } from '../../src/chains/chain-adapter.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import {
  BITCOIN_NODES,
  type BitcoinTestChain,
  REGTEST,
  startSimulatedBitcoin,
} from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, stranger } from '../support/coin-house.ts'

const PAYEE = 'paid by the installation that was lost'
/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

describe.each(BITCOIN_NODES)('a restored installation, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('before the forgotten transaction is included', () => {
    let chain: BitcoinTestChain
    let house: CoinHouse
    /** The withdrawal that the forgotten transaction paid, and another. */
    let [paid, other] = ['', '']
    beforeAll(async () => {
      chain = await start()
      house = await openCoinHouse(chain, { isKept: true })
    })
    afterAll(async () => {
      await house?.close()
      await chain?.stop()
    })

    test('a withdrawal that a transaction in a pool pays is not paid again [W25]', async () => {
      await house.deposit('ann', 300_000n)
      const coins = await house.coins()
      paid = await house.want(stranger(PAYEE, chain), 290_000n)
      // Received after the backup: other outputs could pay the same withdrawal again.
      await house.deposit('bob', 1_000_000n)
      const hex = await house.forge(coins, stranger(PAYEE, chain), 10_000n)
      await chain.hand.rpc('sendrawtransaction', [hex])
      house.spender.compared = new Set()
      other = await house.want(stranger('another payee', chain), 500_000n)
      await house.spend()
      expect(await house.pool()).toHaveLength(1)
      const [alert] = (await house.world.alerts()).filter(({ code }) => code === 'spend.forgotten')
      expect(alert?.message).toContain(`${coins[0]?.txnHash}:${coins[0]?.vout}`)
      await house.mine(6)
      expect(await house.held(PAYEE)).toEqual([290_000n])
      for (const id of [paid, other]) expect((await house.read(id)).status).toBe('Pending')
    })

    test('a cancelled and resumed withdrawal is paid with other outputs [W25]', async () => {
      await house.operator.ask('DELETE', `/withdrawals/${paid}`)
      const sender = { chainId: REGTEST, address: house.settlement, chainNonce: 0 }
      await house.world.database.transaction((tx) =>
        resumeSender(tx, { ...sender, actor: 'cli:test', reason: 'paid by the old one' }),
      )
      expect((await house.conclude(other)).status).toBe('Completed')
      expect(await house.held(PAYEE)).toEqual([290_000n])
    })

    test('no output is spent before all blocks are read [W25]', async () => {
      await house.deposit('dan', 150_000n)
      house.spender.compared = new Set()
      const id = await house.want(stranger('waits for blocks', chain), 20_000n)
      await chain.hand.mineExactly([])
      await house.spend()
      expect((await house.read(id)).status).toBe('Pending')
      await house.world.settle()
      await house.spend()
      expect((await house.read(id)).status).toBe('Processing')
      expect((await house.conclude(id)).status).toBe('Completed')
    })

    test('spends of our payments are known after a restart of the spender', async () => {
      await house.deposit('cid', 200_000n)
      const id = await house.want(stranger('an own payee', chain), 100_000n)
      await house.spend()
      expect(await house.pool()).toHaveLength(1)
      house.spender.compared = new Set()
      const next = await house.want(stranger('the next payee', chain), 50_000n)
      await house.spend()
      expect((await house.read(next)).status).toBe('Processing')
      expect((await house.conclude(id)).status).toBe('Completed')
    })
  })

  describe.runIf(isThere)('with an output that was spent before it was credited', () => {
    let chain: BitcoinTestChain
    let house: CoinHouse
    beforeAll(async () => {
      chain = await start()
      house = await openCoinHouse(chain, { isKept: true })
    })
    afterAll(async () => {
      await house?.close()
      await chain?.stop()
    })

    test('a payment that spends an uncredited output is found [W25]', async () => {
      await house.deposit('ann', 300_000n)
      const { address } = await house.world.issue('bob', REGTEST)
      await chain.hand.pay({ payees: [{ to: address, amount: 100_000n }] })
      await house.mine()
      const [young] = await house.coins()
      expect(young).toMatchObject({ amount: 100_000n, spendable: false })
      const hex = await house.forge(young ? [young] : [], stranger(PAYEE, chain), 10_000n)
      await chain.hand.rpc('sendrawtransaction', [hex])
      house.spender.compared = new Set()
      const id = await house.want(stranger(PAYEE, chain), 90_000n)
      await house.spend()
      expect((await house.read(id)).status).toBe('Pending')
      const codes = (await house.world.alerts()).map(({ code }) => code)
      expect(codes).toContain('spend.forgotten')
    })
  })
})

describe('a block that arrives while the pools are queried', () => {
  let chain: BitcoinTestChain
  let house: CoinHouse
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
    house = await openCoinHouse(chain, { isKept: true })
  })
  afterAll(async () => {
    await house?.close()
    await chain?.stop()
  })

  test('a new block is read before a withdrawal that it may pay is paid again [W25]', async () => {
    await house.deposit('ann', 300_000n)
    const coins = await house.coins()
    await house.deposit('bob', 400_000n)
    const hex = await house.forge(coins, stranger(PAYEE, chain), 10_000n)
    await chain.hand.rpc('sendrawtransaction', [hex])
    const adapter = payingBy(house.spender.adapter, 'utxo')
    house.spender.adapter = {
      ...adapter,
      pooled: async (asked) => {
        await chain.hand.mineExactly([hex])
        return adapter.pooled(asked)
      },
    }
    house.spender.compared = new Set()
    const id = await house.want(stranger(PAYEE, chain), 290_000n)
    await house.spend()
    house.spender.adapter = adapter
    expect((await house.read(id)).status).toBe('Pending')
    const codes = async () => (await house.world.alerts()).map(({ code }) => code)
    expect(await codes()).toEqual([])
    await house.world.settle()
    await house.spend()
    expect((await house.read(id)).status).toBe('Pending')
    expect(await codes()).toEqual(['spend.forgotten'])
    expect(await house.held(PAYEE)).toEqual([290_000n])
  })
})

describe('the pool of a stalled node', () => {
  let chain: BitcoinTestChain
  let house: CoinHouse
  let known: { coin: string; replaced: string }
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
    house = await openCoinHouse(chain, { isKept: true, bumpAfterBlocks: BUMP_AFTER })
    known = await replaceInVain()
  })
  afterAll(async () => {
    await house?.close()
    await chain?.stop()
  })

  /** A replacement with one more input, while the first transaction is included. */
  async function replaceInVain(): Promise<typeof known> {
    await house.deposit('ann', 50_300n, 40_000n)
    const id = await house.want(stranger('a payee', chain), 50_000n)
    await house.spend()
    await house.mineEmpty(BUMP_AFTER)
    await house.spend()
    const [first, second] = (await house.spendOf(id)).transactions
    await chain.hand.mineExactly([Buffer.from(first?.raw ?? []).toString('hex')])
    await house.world.settle()
    expect((await house.conclude(id)).status).toBe('Completed')
    const free = (await house.coins()).filter(({ spent, block }) => !spent && block)
    expect(free).toMatchObject([{ amount: 40_000n, spendId: null }])
    await house.deposit('bob', 200_000n)
    return { coin: free[0]?.txnHash ?? '', replaced: second?.txnHash ?? '' }
  }

  /** Queries of this output and this transaction from now on. */
  async function stall({ waits }: { waits: boolean }): Promise<string> {
    const adapter = payingBy(house.spender.adapter, 'utxo')
    house.spender.adapter = {
      ...adapter,
      pooled: async (coins) => coins.map(({ txnHash }) => txnHash === known.coin),
      waiting: async (hashes) => hashes.map((hash) => waits && hash === known.replaced),
    }
    house.spender.compared = new Set()
    const id = await house.want(stranger(`while it waits: ${waits}`, chain), 60_000n)
    await house.spend()
    house.spender.adapter = adapter
    return (await house.read(id)).status
  }

  test('a late replacement of ours is not a forgotten transaction', async () => {
    expect(await stall({ waits: true })).toBe('Processing')
    expect((await house.world.alerts()).map(({ code }) => code)).not.toContain('spend.forgotten')
    await house.mine(6)
  })

  test('another transaction that spends the same output is a forgotten one [W25]', async () => {
    expect(await stall({ waits: false })).toBe('Pending')
    expect((await house.world.alerts()).map(({ code }) => code)).toContain('spend.forgotten')
  })
})
