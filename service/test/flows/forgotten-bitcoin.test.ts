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
/** Blocks without it after which a transaction is replaced. */
const BUMP_AFTER = 3

describe.each(BITCOIN_NODES)('a restored house, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('before what it forgot is in a block', () => {
    let chain: BitcoinTestChain
    let house: CoinHouse
    /** The one that was paid by what is forgotten, and one besides. */
    let [paid, other] = ['', '']
    beforeAll(async () => {
      chain = await start()
      house = await openCoinHouse(chain, { isKept: true })
    })
    afterAll(async () => {
      await house?.close()
      await chain?.stop()
    })

    test('W25 what a transaction pays that waits in a pool is not paid once more', async () => {
      await house.deposit('ann', 300_000n)
      const coins = await house.coins()
      paid = await house.want(stranger(PAYEE, chain), 290_000n)
      // Came in after the backup: other coins would pay the same once more.
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

    test('W25 what the operator calls off and resumes goes on with other coins', async () => {
      await house.operator.ask('DELETE', `/withdrawals/${paid}`)
      const given = { chainId: REGTEST, address: house.settlement, chainNonce: 0 }
      await house.world.database.transaction((tx) =>
        resumeSender(tx, { ...given, actor: 'cli:test', reason: 'paid by the old one' }),
      )
      expect((await house.conclude(other)).status).toBe('Completed')
      expect(await house.held(PAYEE)).toEqual([290_000n])
    })

    test('W25 no coin is taken before all blocks are read', async () => {
      await house.deposit('dan', 150_000n)
      house.spender.compared = new Set()
      const id = await house.want(stranger('who waits for blocks', chain), 20_000n)
      await chain.hand.mineExactly([])
      await house.spend()
      expect((await house.read(id)).status).toBe('Pending')
      await house.world.settle()
      await house.spend()
      expect((await house.read(id)).status).toBe('Processing')
      expect((await house.conclude(id)).status).toBe('Completed')
    })

    test('what our own payments spend is not forgotten when a new term begins', async () => {
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

  describe.runIf(isThere)('with a coin that was not credited when it was spent', () => {
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

    test('W25 a payment that spends it is found as well', async () => {
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

describe('a block that comes while the pools are asked', () => {
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

  test('W25 is read before what it may pay is paid once more', async () => {
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

describe('what a node keeps that has stalled', () => {
  let chain: BitcoinTestChain
  let house: CoinHouse
  let given: { coin: string; replaced: string }
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
    house = await openCoinHouse(chain, { isKept: true, bumpAfterBlocks: BUMP_AFTER })
    given = await replaceInVain()
  })
  afterAll(async () => {
    await house?.close()
    await chain?.stop()
  })

  /** A replacement that takes one more coin, while the first one is what a block has. */
  async function replaceInVain(): Promise<typeof given> {
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

  /** What is read of the nodes from now on, of that coin and of that transaction. */
  async function stall({ waits }: { waits: boolean }): Promise<string> {
    const adapter = payingBy(house.spender.adapter, 'utxo')
    house.spender.adapter = {
      ...adapter,
      pooled: async (coins) => coins.map(({ txnHash }) => txnHash === given.coin),
      waiting: async (hashes) => hashes.map((hash) => waits && hash === given.replaced),
    }
    house.spender.compared = new Set()
    const id = await house.want(stranger(`while it waits: ${waits}`, chain), 60_000n)
    await house.spend()
    house.spender.adapter = adapter
    return (await house.read(id)).status
  }

  test('is no forgotten transaction where it is a late replacement of ours', async () => {
    expect(await stall({ waits: true })).toBe('Processing')
    expect((await house.world.alerts()).map(({ code }) => code)).not.toContain('spend.forgotten')
    await house.mine(6)
  })

  test('W25 is one where another transaction spends the same coin', async () => {
    expect(await stall({ waits: false })).toBe('Pending')
    expect((await house.world.alerts()).map(({ code }) => code)).toContain('spend.forgotten')
  })
})
