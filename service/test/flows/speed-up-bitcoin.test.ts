import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BITCOIN_NODES, type BitcoinTestChain } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'

const STORY = 'created approved processing completed'

describe.each(BITCOIN_NODES)('a speed-up on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('of a signed transaction', () => {
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

    const want = (name: string, amount: bigint) => harness.want(stranger(name, chain), amount)
    const speedUp = (id: string) => harness.operator.ask('POST', `/withdrawals/${id}/speed-up`)
    const look = async (id: string) =>
      (await harness.operator.ask('GET', `/withdrawals/${id}`)).json

    test('replaces it for all its withdrawals, and each is paid once [W18]', async () => {
      await harness.deposit('ann', 90_000n)
      const [one, two] = [await want('one', 30_000n), await want('two', 20_000n)]
      await harness.spend()
      expect(await speedUp(one)).toMatchObject({ status: 202 })
      // The same request: both withdrawals have one transaction.
      const { requestedAt } = Object((await look(one))['speedUp'])
      expect(await speedUp(two)).toMatchObject({ status: 202, json: { speedUp: { requestedAt } } })
      await harness.spend()
      await harness.spend()
      const { transactions } = await harness.spendOf(one)
      expect(transactions).toHaveLength(2)
      const [first, second] = transactions
      expect((second?.maxFee ?? 0n) * 4n).toBeGreaterThanOrEqual((first?.maxFee ?? 0n) * 5n)
      expect(await harness.pool()).toEqual([second?.txnHash])
      for (const id of [one, two])
        expect(await look(id)).toMatchObject({
          txnHash: second?.txnHash,
          transactions: [{ txnHash: first?.txnHash }, { txnHash: second?.txnHash }],
          speedUp: { possible: true, requestedAt: null },
        })
      for (const id of [one, two]) {
        expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
        expect(await harness.story(id)).toBe(STORY)
      }
      expect(await harness.held('one')).toEqual([30_000n])
      expect(await harness.held('two')).toEqual([20_000n])
      expect((await harness.spendOf(one)).fee).toBe(second?.maxFee)
      await harness.expectWhole()
    })

    test('sends a child if no replacement is possible, and then is refused', async () => {
      await harness.deposit('ann', 90_000n)
      // 10 % of it covers the first fee, and no higher one.
      const small = await want('small', 1_500n)
      await harness.spend()
      expect(await speedUp(small)).toMatchObject({ status: 202 })
      await harness.spend()
      const parent = await harness.spendOf(small)
      expect(parent.transactions).toHaveLength(1)
      const pool = await harness.pool()
      expect(pool).toHaveLength(2)
      expect(pool).toContain(parent.txnHash)
      expect(await look(small)).toMatchObject({
        speedUp: { possible: false, reason: 'child', requestedAt: null },
      })
      expect(await speedUp(small)).toMatchObject({
        status: 422,
        json: { error: 'WITHDRAWAL_NOT_REPLACEABLE', details: { reason: 'child' } },
      })
      await harness.spend()
      expect(await harness.pool()).toHaveLength(2)
      expect((await harness.conclude(small)).status).toBe('Completed')
      await harness.mine(4)
      expect(await harness.held('small')).toEqual([1_500n])
      await harness.expectWhole()
    })
  })
})
