import { startFaultProxy } from '@sluice/simulator'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type BitcoinTestChain, REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, stranger } from '../support/coin-house.ts'
import { quoteSpend } from '../../src/chains/bitcoin/quote.ts'

const HOUR_MS = 3_600_000
const AMOUNT = 100_000n
/** For 1,000 virtual bytes; spending an output below this amount costs more than it holds. */
const DEAR = 50_000n
const DUST = Array.from({ length: 50 }, () => 3_000n)

let chain: BitcoinTestChain
let house: CoinHouse
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test('a withdrawal that only uneconomic outputs could pay fails once [B06]', async () => {
  const { id, before } = await waiting()
  await house.world.clock.advance(HOUR_MS)
  for (let rounds = 0; rounds < 3; rounds += 1) await house.spend()
  expect(await house.read(id)).toMatchObject({
    status: 'Failed',
    failureCode: 'INSUFFICIENT_BALANCE',
    txnHash: null,
  })
  expect(await house.available()).toBe(before)
  expect(await house.story(id)).toBe('created approved failed')
  expect(await house.world.alerts()).toEqual([])
  await house.expectWhole()
})

test('a waiting withdrawal is reported, and paid with the next deposit [B06]', async () => {
  const { id } = await waiting()
  const { world } = house
  const { address } = await world.issue('bob', REGTEST)
  await chain.hand.pay({ payees: [{ to: address, amount: 2n * AMOUNT }] })
  await house.mine()
  await world.clock.advance(HOUR_MS)
  await house.spend()
  expect(await world.alerts()).toMatchObject([{ code: 'withdrawal.waiting', subject: id }])
  expect((await house.conclude(id)).status).toBe('Completed')
  expect(await world.alerts()).toEqual([])
  await house.expectWhole()
})

test('a withdrawal that reached no node is sent without new blocks [W13]', async () => {
  const proxy = await startFaultProxy({ target: chain.url, seed: 'away' })
  onTestFinished(() => proxy.stop())
  house = await openCoinHouse({ ...chain, url: proxy.url })
  await house.deposit('ann', 2n * AMOUNT)
  const id = await house.want(stranger('unsent', chain), AMOUNT)
  proxy.rules.add({ match: { method: 'sendrawtransaction' }, action: { do: 'dropBefore' } })
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
  expect(await house.pool()).toEqual([])
  proxy.rules.clear()
  await house.spend()
  expect(await house.pool()).toEqual([(await house.spendOf(id)).txnHash])
  expect((await house.conclude(id)).status).toBe('Completed')
})

/** A waiting withdrawal, created while outputs of that size were worth spending. */
async function waiting(): Promise<{ id: string; before: bigint }> {
  house = await openCoinHouse(chain)
  await house.deposit('ann', ...DUST)
  const before = await house.available()
  const id = await house.want(stranger('one who is patient', chain), AMOUNT)
  const { adapter } = house.spender
  const quote: typeof adapter.quote = async (intent, caps) =>
    quoteSpend({ estimate: DEAR, floor: 1_000n }, intent, caps)
  house.spender.adapter = { ...adapter, quote }
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  return { id, before }
}
