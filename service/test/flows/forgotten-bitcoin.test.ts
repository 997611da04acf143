import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resumeSender } from '../../src/spends/halt.ts'
import { BITCOIN_NODES, type BitcoinTestChain, REGTEST } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, stranger } from '../support/coin-house.ts'

const PAYEE = 'paid by the installation that was lost'

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
})
