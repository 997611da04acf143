import { type Seeded, seeded } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'
import { goOn } from '../support/lost-coins.ts'
import { REQUIRED } from '../support/world-life.ts'

const SEED = process.env['SLUICE_REORG_SEED'] ?? 'sluice'
const REORGS = 8
const DEPTH_MAX = 7
const ROUNDS_MAX = 60
const USERS = ['ann', 'bob', 'cid']

interface Paid {
  id: string
  name: string
  amount: bigint
}

test(`all payments end after ${REORGS} deep reorgs (seed ${SEED}) [I6 I19 R04 R07]`, async () => {
  const chain = await startSimulatedBitcoin()
  const harness = await openCoinHarness(chain, { bumpAfterBlocks: 2 })
  const play = new Play(harness, seeded(`${SEED}/lost`))
  for (let reorgs = 0; reorgs < REORGS; reorgs += 1) {
    await play.pay()
    await play.blocks()
    await play.reorg()
    await harness.expectWhole()
    await play.expectOnce()
  }
  await play.comeToRest()
  await harness.expectWhole()
  await play.expectOver()
  await chain.stop()
})

/** Random actions, drawn from a seed. */
class Play {
  readonly #harness: CoinHarness
  readonly #random: Seeded
  readonly #paid: Paid[] = []
  #deposits: string[] = []

  constructor(harness: CoinHarness, random: Seeded) {
    this.#harness = harness
    this.#random = random
  }

  /** Deposits and withdrawals, and mostly a round of the spender. */
  async pay(): Promise<void> {
    const { world, chain } = this.#harness
    for (let many = 1 + this.#random.int(3); many > 0; many -= 1) {
      const { address: to } = await world.issue(this.#random.pick(USERS), REGTEST)
      const amount = BigInt(5_000 + this.#random.int(90_000))
      this.#deposits.push(await chain.hand.pay({ payees: [{ to, amount }] }))
    }
    await this.#harness.mine(1 + REQUIRED)
    for (let many = this.#random.int(4); many > 0; many -= 1) await this.#want()
    if (this.#random.chance(0.8)) await this.#harness.spend()
  }

  /** Blocks with what waits or without it, and rounds of the spender between them. */
  async blocks(): Promise<void> {
    for (let many = this.#random.int(3 + REQUIRED); many > 0; many -= 1) {
      if (this.#random.chance(0.6)) await this.#harness.mine()
      else await this.#harness.mineEmpty()
      if (this.#random.chance(0.4)) await this.#harness.spend()
    }
  }

  /** Removes blocks, perhaps deposits permanently, and mines more. */
  async reorg(): Promise<void> {
    const { chain, world } = this.#harness
    const depth = 1 + this.#random.int(DEPTH_MAX)
    await chain.hand.undo(depth)
    const pool = new Set(await chain.hand.rpc<string[]>('getrawmempool'))
    const lost = this.#deposits.filter((txid) => pool.has(txid) && this.#random.chance(0.4))
    const rivals = lost.map((instead) => {
      const payees = [{ to: chain.hand.address, amount: 1_000n }]
      return chain.hand.sign({ payees, instead, fee: 90_000n }).hex
    })
    this.#deposits = this.#deposits.filter((txid) => !lost.includes(txid))
    await chain.hand.mineExactly(rivals)
    for (let left = depth; left > 0; left -= 1) {
      await chain.hand.mineExactly([])
      if (this.#random.chance(0.3)) await world.settle()
    }
    await goOn(this.#harness)
  }

  /** With one more coin, so that nothing waits for money. */
  async comeToRest(): Promise<void> {
    await this.#harness.deposit('dan', 900_000n)
    for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
      await goOn(this.#harness)
      await this.#harness.spend()
      await this.#harness.mine(2)
      if (await this.#isOver()) return
    }
    throw new Error('some payment never ends')
  }

  /** No recipient is paid twice on the chain. */
  async expectOnce(): Promise<void> {
    for (const { name, amount } of this.#paid) {
      expect([[], [amount]]).toContainEqual(await this.#harness.held(name))
    }
  }

  /** Each was paid, or has failed; a reorg of a paid one emitted an event. */
  async expectOver(): Promise<void> {
    const open = await this.#harness.world.alerts()
    const told = new Set(open.map(({ code, subject }) => `${code} ${subject}`))
    let completed = 0
    for (const { id, name, amount } of this.#paid) {
      const { status } = await this.#harness.read(id)
      const held = await this.#harness.held(name)
      if (held.length > 0) completed += 1
      const isContradicted = told.has(`withdrawal.contradicted ${id}`)
      const expected = status === 'Completed' && !isContradicted ? [amount] : []
      expect({ id, status, held }).toEqual({ id, status, held: expected })
    }
    expect(completed).toBeGreaterThan(0)
    expect(open.filter(({ code }) => code === 'spend.stuck')).toEqual([])
  }

  async #want(): Promise<void> {
    const amount = BigInt(1_000 + this.#random.int(60_000))
    const name = `${SEED} lost ${this.#paid.length}`
    const { json } = await this.#harness.ask(stranger(name, this.#harness.chain), amount)
    const created: unknown = json['withdrawal']
    if (created !== undefined) this.#paid.push({ id: String(Object(created).id), name, amount })
  }

  async #isOver(): Promise<boolean> {
    const { database } = this.#harness.world
    const states = await Promise.all(this.#paid.map(({ id }) => this.#harness.read(id)))
    const waiting = await database.transaction((tx) =>
      tx.many(sql`select id from spends where state in ('Sent', 'Included')`),
    )
    const isOpen = states.some(({ status }) => ['Pending', 'Processing'].includes(status))
    return waiting.length === 0 && !isOpen
  }
}
