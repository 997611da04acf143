import { type Seeded, seeded } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { listWatched } from '../../src/accounts/list-addresses.ts'
import { watchScope } from '../../src/catalogue/scope.ts'
import { scriptOf } from '../../src/chains/bitcoin/address.ts'
import { pointKey } from '../../src/transactions/utxo/coin.ts'
import { REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'
import { REQUIRED } from '../support/world-life.ts'

const SEED = process.env['SLUICE_REORG_SEED'] ?? 'sluice'
const REORGS = 12
const USERS = ['ann', 'bob', 'cid']
const ROUNDS_MAX = 30

/** A requested withdrawal, and its recipient, who gets no other payment. */
interface Asked {
  id: string
  name: string
  amount: bigint
}

test(`coins after ${REORGS} reorgs equal the node’s (seed ${SEED}) [B11 B12 R07]`, async () => {
  const random = seeded(`${SEED}/coins`)
  const chain = await startSimulatedBitcoin()
  const harness = await openCoinHarness(chain)
  const addresses: string[] = []
  for (const user of USERS) addresses.push(await harness.deposit(user, 40_000n, 90_000n))
  const asked: Asked[] = []
  for (let reorgs = 0; reorgs < REORGS; reorgs += 1) {
    for (let payments = random.int(3); payments > 0; payments -= 1) {
      const payees = [{ to: random.pick(addresses), amount: BigInt(600 + random.int(50_000)) }]
      await chain.hand.pay({ payees })
    }
    asked.push(...(await ask(harness, random, reorgs)))
    await harness.spend()
    await harness.mine(1 + random.int(2))
    if (random.int(2) === 0) await harness.spend()
    await chain.hand.undo(1 + random.int(3))
    if (random.int(2) === 0) await chain.hand.mineExactly([])
    await harness.mine(3)
    await goOn(harness)
    await harness.expectWhole()
  }
  await comeToRest(harness, asked)
  await harness.expectWhole()
  expect(await unspent(harness)).toEqual(await unspentOnNode(harness))
  for (const { id, name, amount } of asked) {
    const story = ['created', 'approved', 'processing', 'completed'].join(' ')
    expect({ id, paid: await harness.held(name), story: await harness.story(id) }).toEqual({
      id,
      paid: [amount],
      story,
    })
  }
  expect(asked.length).toBeGreaterThan(REORGS / 3)
  await chain.stop()
})

/** As many withdrawals as the balance allows, each to a new recipient. */
async function ask(harness: CoinHarness, random: Seeded, round: number): Promise<Asked[]> {
  const asked: Asked[] = []
  for (let one = random.int(3); one > 0; one -= 1) {
    const name = `payee ${round} ${one}`
    const amount = BigInt(1_000 + random.int(30_000))
    const { json } = await harness.ask(stranger(name, harness.chain), amount)
    const created: unknown = json['withdrawal']
    if (created === undefined) continue
    asked.push({ id: String(Object(created).id), name, amount })
  }
  return asked
}

/** A credit that left the chain has frozen it: an operator resumes, and all goes on. */
async function goOn({ world }: CoinHarness): Promise<void> {
  if ((await world.state(REGTEST)).condition === 'frozen') await world.resume(REGTEST)
  await world.settle()
}

async function comeToRest(harness: CoinHarness, asked: readonly Asked[]): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    await goOn(harness)
    await harness.spend()
    await harness.mine(1 + REQUIRED)
    const states = await Promise.all(asked.map(({ id }) => harness.read(id)))
    if (states.every(({ status }) => status === 'Completed')) return
  }
  throw new Error('the withdrawals never come to rest')
}

/** Unspent outputs of our rows, and of the node for all our addresses. */
async function unspent(harness: CoinHarness): Promise<string[]> {
  const coins = (await harness.coins()).filter(
    ({ block, spent }) => block !== null && spent === null,
  )
  return coins.map((coin) => `${pointKey(coin)} ${coin.amount}`).toSorted()
}

async function unspentOnNode({ world, chain }: CoinHarness): Promise<string[]> {
  const scope = watchScope(world.entry(REGTEST))
  const own = await world.database.transaction((tx) =>
    listWatched(tx, { scope, after: null, limit: 1_000 }),
  )
  const scripts = own.map(({ address }) => {
    return `raw(${Buffer.from(scriptOf(address, REGTEST)).toString('hex')})`
  })
  const { unspents } = await chain.hand.rpc<{
    unspents: { txid: string; vout: number; amount: number }[]
  }>('scantxoutset', ['start', scripts])
  return unspents
    .map(({ txid, vout, amount }) => `${txid}:${vout} ${Math.round(amount * 1e8)}`)
    .toSorted()
}
