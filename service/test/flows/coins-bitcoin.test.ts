import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOwnAddress } from '../../src/accounts/own-address.ts'
import { auditLedger } from '../../src/audit/run.ts'
import { holdDeposit, releaseDeposit } from '../../src/deposits/hold.ts'
import { ensureOwnAddresses } from '../../src/gas/wallets.ts'
import { withSession } from '../../src/store/connection.ts'
import { freeCoins } from '../../src/transactions/utxo/coin-rows.ts'
import {
  BITCOIN_NODES,
  type BitcoinTestChain,
  bitcoinWorld,
  REGTEST,
  TBTC,
} from '../support/bitcoin-chain.ts'
import { openCoinHarness, stranger } from '../support/coin-harness.ts'
import { coinsAtAddresses, spendSecretly } from '../support/coin-thief.ts'
import { REQUIRED } from '../support/world-life.ts'
import type { World } from '../support/world.ts'

const MATURITY = 100

describe.each(BITCOIN_NODES)('unspent outputs of Bitcoin, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('with a withdrawing world', () => {
    let chain: BitcoinTestChain
    beforeAll(async () => {
      chain = await start()
    })
    afterAll(() => chain.stop())

    const open = async () => {
      const world = await bitcoinWorld(chain)
      const { address: ann } = await world.issue('ann', REGTEST)
      const entry = world.entry(REGTEST)
      await ensureOwnAddresses(world.database, { keys: world.keys, entry })
      const harness = await settlementOf(world)
      const confirm = async (blocks = REQUIRED + 1) => {
        await chain.hand.mine(blocks)
        await world.settle()
      }
      const pay = (to: string, amount: bigint) => chain.hand.pay({ payees: [{ to, amount }] })
      return { world, ann, harness, confirm, pay }
    }

    test('outputs of a deposit and a funding are available once credited [B13]', async () => {
      const { world, ann, harness, confirm, pay } = await open()
      await pay(ann, 40_000n)
      await pay(harness, 50_000n)
      await confirm(1)
      expect(await amountsOf(world)).toEqual([])
      expect(await coinsAtAddresses(world, ann, harness)).toHaveLength(2)
      expect(await differences(world)).toEqual([])
      await confirm()
      expect(await amountsOf(world)).toEqual([50_000n, 40_000n])
      expect(await world.balances()).toEqual({
        [`${TBTC} claim:available`]: 90_000n,
        [`${TBTC} place:deposits:${ann}`]: 40_000n,
        [`${TBTC} place:settlement:${harness}`]: 50_000n,
      })
      expect(await differences(world)).toEqual([])
    })

    test('coinbase outputs are available once mature [B05]', async () => {
      const { world, ann, confirm } = await open()
      await chain.hand.mineTo(ann)
      await confirm(MATURITY - 1)
      expect(await amountsOf(world)).toEqual([])
      await confirm(1)
      expect(await amountsOf(world)).toHaveLength(1)
    })

    test('held and below-minimum outputs are available only once credited [B06]', async () => {
      const { world, ann, confirm, pay } = await open()
      await pay(ann, 40_000n)
      await chain.hand.pay({ payees: [{ to: ann, amount: 300n }], isSent: false })
      await confirm(1)
      const [deposit] = (await world.deposits()).filter(({ amount }) => amount === 40_000n)
      const { catalogue, database } = world
      const word = { catalogue, depositId: deposit?.id ?? '', actor: 'test', reason: 'a look' }
      await database.transaction((tx) => holdDeposit(tx, word))
      await confirm()
      const statuses = (await world.deposits()).map(({ status }) => status).toSorted()
      expect(statuses).toEqual(['BelowMinimum', 'Held'])
      expect(await amountsOf(world)).toEqual([])
      expect(await differences(world)).toEqual([])
      await database.transaction((tx) => releaseDeposit(tx, word))
      await world.settle()
      expect(await amountsOf(world)).toEqual([40_000n, 300n])
    })

    test('the audit reports an output that is spent outside with our key [B11]', async () => {
      const { world, ann, confirm, pay } = await open()
      await pay(ann, 40_000n)
      await pay(ann, 30_000n)
      await confirm()
      const [coin, kept] = await coinsAtAddresses(world, ann)
      if (coin === undefined || kept === undefined) throw new Error('there are no coins')
      const payees = [{ to: chain.hand.address, amount: coin.amount - 5_000n }]
      await spendSecretly(world, chain, { coins: [coin], payees })
      await world.settle()
      expect(await amountsOf(world)).toEqual([kept.amount])
      expect(await differences(world)).toEqual([`${ann} 70000 ${kept.amount}`])
      // The node knows the spend before the scanner has read its block.
      await asOwner(
        world,
        'update coins set spent_height = null, spent_hash = null, spent_by = null',
      )
      expect(await amountsOf(world)).toEqual([40_000n, 30_000n])
      expect(await differences(world)).toEqual([`${ann} 70000 ${kept.amount}`])
      const { tip } = await world.state(REGTEST)
      await world.rescan(tip.height, tip.height, REGTEST)
      await world.settle()
      expect(await amountsOf(world)).toEqual([kept.amount])
    })

    test('the audit reports a changed output, not a node on another branch [B11]', async () => {
      const { world, ann, confirm, pay } = await open()
      await pay(ann, 40_000n)
      await confirm()
      await asOwner(world, 'update coins set amount = 39000')
      expect(await differences(world)).toEqual([`${ann} 40000 39000`])
      await asOwner(world, 'update coins set amount = 40000')
      const [coin] = await coinsAtAddresses(world, ann)
      if (coin === undefined) throw new Error('there is no coin')
      const payees = [{ to: chain.hand.address, amount: 30_000n }]
      await spendSecretly(world, chain, { coins: [coin], payees })
      expect(await differences(world)).toEqual([])
      await world.settle()
      expect(await differences(world)).toEqual([`${ann} 40000 0`])
    })

    test('change of a forgotten payment is held and not credited again [W25]', async () => {
      const { world, ann, harness, confirm, pay } = await open()
      const { address: bob } = await world.issue('bob', REGTEST)
      for (const address of [ann, bob]) await pay(address, 40_000n)
      await confirm()
      const payees = [
        { to: chain.hand.address, amount: 40_000n },
        { to: harness, amount: 35_000n },
        { to: ann, amount: 3_000n },
      ]
      // Spends outputs of two addresses, so no sender is recorded.
      const coins = await coinsAtAddresses(world, ann, bob)
      await spendSecretly(world, chain, { coins, payees })
      await confirm()
      expect(await world.balance(TBTC)).toBe(80_000n)
      expect(await world.balance(TBTC, 'claim:held')).toBe(38_000n)
      expect(await amountsOf(world)).toEqual([])
    })

    test('change of a forgotten payment that is known again is our change [W25]', async () => {
      const coinHarness = await openCoinHarness(chain)
      const { world } = coinHarness
      const ann = await coinHarness.deposit('ann', 90_000n)
      const payee = stranger('forgotten payee', chain)
      const id = await coinHarness.want(payee, 30_000n)
      await coinHarness.spend()
      const coins = await coinsAtAddresses(world, ann)
      const back = { to: coinHarness.settlement, amount: 55_000n }
      const payees = [{ to: payee, amount: 30_000n }, back]
      await spendSecretly(world, chain, { coins, payees })
      await world.settle()
      await coinHarness.expectWhole()
      expect(await amountsOf(world)).toEqual([55_000n])
      await coinHarness.mineEmpty(REQUIRED)
      expect(await coinHarness.read(id)).toMatchObject({ status: 'Completed', fee: 5_000n })
      const [free, gas] = [await world.balance(TBTC), await world.balance(TBTC, 'claim:gas')]
      expect(free + gas).toBe(55_000n)
      await coinHarness.undo(REQUIRED + 1)
      await coinHarness.expectWhole()
      expect(await amountsOf(world)).toEqual([])
    })
  })
})

async function settlementOf(world: World): Promise<string> {
  const { orgId, database } = world
  const whose = { orgId, chainId: REGTEST, purpose: 'settlement' } as const
  const address = await database.transaction((tx) => readOwnAddress(tx, whose))
  if (address === null) throw new Error('there is no settlement address')
  return address
}

/** The amounts of available outputs, the largest first. */
async function amountsOf({ database, orgId }: World): Promise<bigint[]> {
  const coins = await database.transaction((tx) => freeCoins(tx, { orgId, chainId: REGTEST }))
  return coins.map(({ amount }) => amount)
}

/** Differences of ledger, outputs and node: the address, the expected and the found amount. */
async function differences(world: World): Promise<string[]> {
  expect(await auditLedger(world)).toEqual([])
  const { findings } = await world.audit(REGTEST)
  return findings.map(({ address, expected, found }) => `${address} ${expected} ${found}`)
}

function asOwner({ urls }: World, text: string): Promise<unknown> {
  return withSession(urls.owner, (session) => session.script(text))
}
