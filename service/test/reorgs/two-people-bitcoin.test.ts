import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableUser, changeUser } from '../../src/orgs/change-user.ts'
import { type BitcoinTestChain, REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness } from '../support/coin-harness.ts'
import { credit, giveUp, lose, PATIENCE, wanted } from '../support/lost-coins.ts'
import type { Colleague } from '../support/withdrawing-world.ts'
import { REQUIRED } from '../support/world-life.ts'

/** Enough for a double spend to count as settled, and for a lost coin to be waited for no more. */
const BLOCKS = 2 * REQUIRED + 2 * PATIENCE
const actor = 'cli:test'

let chain: BitcoinTestChain
let harness: CoinHarness
let spendId: string
let withdrawalId: string

beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test('a payment is not abandoned when two people disagree on other payments [W25]', async () => {
  await openHopeless()
  const [ann, bob] = [await harness.colleague(), await harness.colleague()]
  expect(await say(ann)).toBe('Proposed')
  expect(await say(bob, { despitePayment: true })).toBe('Proposed')
  await expect(say(bob, { despitePayment: true })).rejects.toThrow('A second person')
  // Nor does a wider word stand for a narrower one.
  expect(await say(ann)).toBe('Proposed')
  expect((await harness.read(withdrawalId)).status).toBe('Processing')
  expect(await say(ann, { despitePayment: true })).toBe('Proposed')
  expect(await say(bob, { despitePayment: true })).toBe('GivenUp')
  expect((await harness.read(withdrawalId)).status).toBe('Failed')
})

test('a former or false signer’s word abandons nothing [A11 A13]', async () => {
  await openHopeless()
  const { database, keys } = harness.world
  const [ann, bob, carl] = [await harness.colleague(), await harness.colleague(), await eve()]
  const [dora, emil] = [await harness.colleague('admin'), await harness.colleague()]
  expect(await say(ann)).toBe('Proposed')
  await database.transaction((tx) =>
    disableUser(tx, keys.serviceKey, { user: ann.userId, actor }, async () => []),
  )
  expect(await say(bob)).toBe('Proposed')
  const demoted = { user: bob.userId, actor, role: 'operator' } as const
  await database.transaction((tx) => changeUser(tx, keys.serviceKey, demoted, async () => []))
  expect(await say(carl)).toBe('Proposed')
  expect(await say(dora)).toBe('Proposed')
  expect((await harness.read(withdrawalId)).status).toBe('Processing')
  expect(await say(emil)).toBe('GivenUp')
  expect((await harness.read(withdrawalId)).status).toBe('Failed')
})

/** A payment whose only coin was spent otherwise, which nothing proves. */
async function openHopeless(): Promise<void> {
  harness = await openCoinHarness(chain, { bumpAfterBlocks: PATIENCE })
  const lost = await credit(harness, 'ann', 90_000n)
  const { id } = await wanted(harness, 30_000n)
  await harness.spend()
  // As with a coin that came before its origin was kept.
  await harness.tamper('delete from coin_origins')
  await lose(harness, lost, { isTaken: true, blocks: BLOCKS })
  spendId = (await harness.spendOf(id)).id
  withdrawalId = id
  expect((await harness.world.state(REGTEST)).condition).toBe('running')
}

/** A user who is an admin only in the database. */
async function eve(): Promise<Colleague> {
  const made = await harness.colleague('operator')
  await harness.tamper(`update users set role = 'admin' where id = '${made.userId}'`)
  return made
}

function say({ userId }: Colleague, { despitePayment = false } = {}) {
  return giveUp(harness, { spendId, userId, despitePayment })
}
