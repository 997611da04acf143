import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { listForeign } from '../../src/transactions/core/read.ts'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { type BitcoinTestChain, REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, setPrice, stranger } from '../support/coin-harness.ts'

/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3
const AMOUNT = 100_000n
const FEE = 5_000n

let chain: BitcoinTestChain
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test.each(['own first', 'forgotten first'])(
  'a payment completes although another spends the added input: %s [W25]',
  async (order) => {
    const name = `paid twice, ${order}`
    const harness = await openCoinHarness(chain, { bumpAfterBlocks: BUMP_AFTER })
    // The first has no change; a replacement with a higher fee needs the other output.
    await harness.deposit('ann', AMOUNT + 200n, AMOUNT + FEE)
    const id = await harness.want(stranger(name, chain), AMOUNT)
    await harness.spend()
    setPrice(harness, 20_000n)
    await harness.mineEmpty(BUMP_AFTER)
    await harness.spend()
    const { transactions } = await harness.spendOf(id)
    expect(transactions).toHaveLength(2)
    const [first] = transactions
    const added = (await harness.coins()).filter(({ amount }) => amount === AMOUNT + FEE)
    const forgotten = await harness.forge(added, stranger(name, chain), FEE)
    const own = Buffer.from(first?.raw ?? []).toString('hex')
    for (const hex of order === 'own first' ? [own, forgotten] : [forgotten, own]) {
      await chain.hand.mineExactly([hex])
      await harness.world.settle()
    }
    await harness.mineEmpty(6)
    expect(await harness.held(name)).toEqual([AMOUNT, AMOUNT])
    expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash: first?.txnHash })
    expect((await harness.world.alerts()).map(({ code }) => code)).toEqual(['spend.forgotten'])
    expect(await strangers(harness)).toHaveLength(1)
    expect(await auditLedger(harness.world)).toEqual([])
    const { findings } = await harness.world.audit(REGTEST)
    expect(findings.map(({ expected, found }) => expected - found)).toEqual([AMOUNT + FEE])
  },
)

test('a rescan of a forgotten payment that counts as ours emits no event [W25 E14]', async () => {
  const harness = await openCoinHarness(chain)
  await harness.deposit('ann', 90_000n)
  const id = await harness.want(stranger('read again', chain), 85_000n)
  await harness.spend()
  const hex = await harness.forge(await harness.coins(), stranger('read again', chain), FEE)
  await chain.hand.mineExactly([hex])
  await harness.world.settle()
  const { height } = (await harness.world.state(REGTEST)).tip
  const sender = { chainId: REGTEST, address: harness.settlement, chainNonce: 0 }
  await harness.world.database.transaction((tx) =>
    resumeSender(tx, { ...sender, actor: 'cli:test', reason: 'a look' }),
  )
  await harness.world.rescan(height, height, REGTEST)
  await harness.world.settle()
  expect(await harness.world.alerts()).toEqual([])
  expect(await strangers(harness)).toEqual([])
  await harness.mineEmpty(6)
  expect((await harness.read(id)).status).toBe('Completed')
  await harness.expectWhole()
})

function strangers({ world, settlement: sender }: CoinHarness): ReturnType<typeof listForeign> {
  return world.database.transaction((tx) => listForeign(tx, { chainId: REGTEST, sender }))
}
