import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { listForeign } from '../../src/transactions/core/read.ts'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { type BitcoinTestChain, REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, setPrice, stranger } from '../support/coin-house.ts'

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
    const house = await openCoinHouse(chain, { bumpAfterBlocks: BUMP_AFTER })
    // The first has no change; a replacement with a higher fee needs the other output.
    await house.deposit('ann', AMOUNT + 200n, AMOUNT + FEE)
    const id = await house.want(stranger(name, chain), AMOUNT)
    await house.spend()
    setPrice(house, 20_000n)
    await house.mineEmpty(BUMP_AFTER)
    await house.spend()
    const { transactions } = await house.spendOf(id)
    expect(transactions).toHaveLength(2)
    const [first] = transactions
    const added = (await house.coins()).filter(({ amount }) => amount === AMOUNT + FEE)
    const forgotten = await house.forge(added, stranger(name, chain), FEE)
    const own = Buffer.from(first?.raw ?? []).toString('hex')
    for (const hex of order === 'own first' ? [own, forgotten] : [forgotten, own]) {
      await chain.hand.mineExactly([hex])
      await house.world.settle()
    }
    await house.mineEmpty(6)
    expect(await house.held(name)).toEqual([AMOUNT, AMOUNT])
    expect(await house.read(id)).toMatchObject({ status: 'Completed', txnHash: first?.txnHash })
    expect((await house.world.alerts()).map(({ code }) => code)).toEqual(['spend.forgotten'])
    expect(await strangers(house)).toHaveLength(1)
    expect(await auditLedger(house.world)).toEqual([])
    const { findings } = await house.world.audit(REGTEST)
    expect(findings.map(({ expected, found }) => expected - found)).toEqual([AMOUNT + FEE])
  },
)

test('a rescan of a forgotten payment that counts as ours emits no event [W25 E14]', async () => {
  const house = await openCoinHouse(chain)
  await house.deposit('ann', 90_000n)
  const id = await house.want(stranger('read again', chain), 85_000n)
  await house.spend()
  const hex = await house.forge(await house.coins(), stranger('read again', chain), FEE)
  await chain.hand.mineExactly([hex])
  await house.world.settle()
  const { height } = (await house.world.state(REGTEST)).tip
  const sender = { chainId: REGTEST, address: house.settlement, chainNonce: 0 }
  await house.world.database.transaction((tx) =>
    resumeSender(tx, { ...sender, actor: 'cli:test', reason: 'a look' }),
  )
  await house.world.rescan(height, height, REGTEST)
  await house.world.settle()
  expect(await house.world.alerts()).toEqual([])
  expect(await strangers(house)).toEqual([])
  await house.mineEmpty(6)
  expect((await house.read(id)).status).toBe('Completed')
  await house.expectWhole()
})

function strangers({ world, settlement: sender }: CoinHouse): ReturnType<typeof listForeign> {
  return world.database.transaction((tx) => listForeign(tx, { chainId: REGTEST, sender }))
}
