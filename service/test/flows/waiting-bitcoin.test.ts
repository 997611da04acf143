import { startFaultProxy } from '@sluice/simulator'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type BitcoinTestChain, REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'
import { quoteSpend } from '../../src/chains/bitcoin/quote.ts'

const HOUR_MS = 3_600_000
const AMOUNT = 100_000n
/** For 1,000 virtual bytes; spending an output below this amount costs more than it holds. */
const DEAR = 50_000n
const DUST = Array.from({ length: 50 }, () => 3_000n)

let chain: BitcoinTestChain
let harness: CoinHarness
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test('a withdrawal that only uneconomic outputs could pay fails once [B06]', async () => {
  const { id, before } = await waiting()
  await harness.world.clock.advance(HOUR_MS)
  for (let rounds = 0; rounds < 3; rounds += 1) await harness.spend()
  expect(await harness.read(id)).toMatchObject({
    status: 'Failed',
    failureCode: 'INSUFFICIENT_BALANCE',
    txnHash: null,
  })
  expect(await harness.available()).toBe(before)
  expect(await harness.story(id)).toBe('created approved failed')
  expect(await harness.world.alerts()).toEqual([])
  await harness.expectWhole()
})

test('a waiting withdrawal is reported, and paid with the next deposit [B06]', async () => {
  const { id } = await waiting()
  const { world } = harness
  const { address } = await world.issue('bob', REGTEST)
  await chain.hand.pay({ payees: [{ to: address, amount: 2n * AMOUNT }] })
  await harness.mine()
  await world.clock.advance(HOUR_MS)
  await harness.spend()
  expect(await world.alerts()).toMatchObject([{ code: 'withdrawal.waiting', subject: id }])
  expect((await harness.conclude(id)).status).toBe('Completed')
  expect(await world.alerts()).toEqual([])
  await harness.expectWhole()
})

test('a withdrawal that reached no node is sent without new blocks [W13]', async () => {
  const proxy = await startFaultProxy({ target: chain.url, seed: 'away' })
  onTestFinished(() => proxy.stop())
  harness = await openCoinHarness({ ...chain, url: proxy.url })
  await harness.deposit('ann', 2n * AMOUNT)
  const id = await harness.want(stranger('unsent', chain), AMOUNT)
  proxy.rules.add({ match: { method: 'sendrawtransaction' }, action: { do: 'dropBefore' } })
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  expect(await harness.pool()).toEqual([])
  proxy.rules.clear()
  await harness.spend()
  expect(await harness.pool()).toEqual([(await harness.spendOf(id)).txnHash])
  expect((await harness.conclude(id)).status).toBe('Completed')
})

/** A waiting withdrawal, created while outputs of that size were worth spending. */
async function waiting(): Promise<{ id: string; before: bigint }> {
  harness = await openCoinHarness(chain)
  await harness.deposit('ann', ...DUST)
  const before = await harness.available()
  const id = await harness.want(stranger('one who is patient', chain), AMOUNT)
  const { adapter } = harness.spender
  const quote: typeof adapter.quote = async (intent, caps) =>
    quoteSpend({ estimate: DEAR, floor: 1_000n }, intent, caps)
  harness.spender.adapter = { ...adapter, quote }
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  return { id, before }
}
