import { type Seeded, seeded } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { BITCOIN_NODES, REGTEST } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'
import { REQUIRED } from '../support/world-life.ts'

const SEED = process.env['SLUICE_REORG_SEED'] ?? 'sluice'
const REORGS = 15
const USERS = ['ann', 'bob', 'cid']

test.each(BITCOIN_NODES.filter(({ isThere }) => isThere))(
  `${REORGS} reorgs during payments end like a fresh scan, on $name (seed ${SEED}) [R07 R09]`,
  async ({ start }) => {
    const random = seeded(`${SEED}/bitcoin`)
    const chain = await start()
    const harness = await openCoinHarness(chain, { bumpAfterBlocks: 2 })
    const first = await chain.hand.rpc<number>('getblockcount')
    for (const user of USERS) await harness.deposit(user, 400_000n, 300_000n, 50_000n)
    const play = new Play(harness, random)
    for (let reorgs = 0; reorgs < REORGS; reorgs += 1) {
      await play.somePayments()
      await play.blocks(1 + random.int(2))
      await play.reorg(1 + random.int(REQUIRED - 1))
    }
    await play.settle()
    expect(play.paid.length).toBeGreaterThan(REORGS / 2)
    for (const { id, name, amount } of play.paid) {
      expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
      expect(await harness.held(name)).toEqual([amount])
      expect(await harness.story(id)).toBe('created approved processing completed')
    }
    const orphaned = (await harness.world.deposits()).filter(({ status }) => status === 'Orphaned')
    expect(orphaned.length).toBeGreaterThan(0)
    await harness.expectWhole()
    expect(await harness.world.alerts()).toEqual([])
    expect(await liveOf(harness)).toEqual(await readAnew(harness, first))
    await chain.stop()
  },
)

interface Paid {
  id: string
  name: string
  amount: bigint
}

/** Random actions, drawn from a seed. */
class Play {
  readonly paid: Paid[] = []
  readonly #harness: CoinHarness
  readonly #random: Seeded
  /** Deposits that a reorg may still remove permanently. */
  #young: string[] = []

  constructor(harness: CoinHarness, random: Seeded) {
    this.#harness = harness
    this.#random = random
  }

  /** Deposits and withdrawals, and mostly a round of the spender. */
  async somePayments(): Promise<void> {
    const { chain, world } = this.#harness
    for (let many = this.#random.int(3); many > 0; many -= 1) {
      const { address: to } = await world.issue(this.#random.pick(USERS), REGTEST)
      const amount = BigInt(1_000 + this.#random.int(90_000))
      this.#young.push(await chain.hand.pay({ payees: [{ to, amount }] }))
    }
    for (let many = this.#random.int(3); many > 0; many -= 1) await this.#want()
    if (this.#random.chance(0.8)) await this.#harness.spend()
  }

  /** Blocks with the whole pool, an empty one, or the older half. */
  async blocks(count: number): Promise<void> {
    const { chain, world } = this.#harness
    for (let block = 0; block < count; block += 1) {
      const pool = await chain.hand.rpc<Pool>('getrawmempool', [true])
      const ids = Object.keys(pool).sort((a, b) => ancestors(pool, a) - ancestors(pool, b))
      const share = this.#random.pick([0, 0.5, 1, 1])
      await chain.hand.mineExactly(ids.slice(0, Math.ceil(ids.length * share)))
      if (this.#random.chance(0.5)) await world.step(REGTEST)
      else await world.settle()
      if (this.#random.chance(0.3)) await this.#harness.spend()
    }
  }

  /** Removes blocks, perhaps a young deposit permanently, and mines more. */
  async reorg(depth: number): Promise<void> {
    const { chain, world } = this.#harness
    await chain.hand.undo(depth)
    const pool = new Set(await chain.hand.rpc<string[]>('getrawmempool'))
    const lost = this.#young.filter((txid) => pool.has(txid) && this.#random.chance(0.3))
    const hexes = lost.map((instead) => {
      const payees = [{ to: chain.hand.address, amount: 1_000n }]
      return chain.hand.sign({ payees, instead, fee: 50_000n }).hex
    })
    this.#young = this.#young.filter((txid) => pool.has(txid) && !lost.includes(txid))
    if (this.#random.chance(0.2)) await world.settle()
    await chain.hand.mineExactly(hexes)
    await this.blocks(depth)
  }

  /** Runs until all payments are settled. */
  async settle(): Promise<void> {
    for (const { id } of this.paid) await this.#harness.conclude(id, 40)
    await this.#harness.mine(REQUIRED + 1)
  }

  async #want(): Promise<void> {
    const amount = BigInt(1_000 + this.#random.int(60_000))
    if ((await this.#harness.available()) < amount + 10_000n) return
    const name = `${SEED} ${this.paid.length}`
    const id = await this.#harness.want(stranger(name, this.#harness.chain), amount)
    this.paid.push({ id, name, amount })
  }
}

type Pool = Readonly<Record<string, { ancestorcount: number }>>

function ancestors(pool: Pool, txid: string): number {
  return pool[txid]?.ancestorcount ?? 0
}

/** The deposits that stand, and the coins that are there. */
async function liveOf(harness: CoinHarness) {
  const deposits = (await harness.world.deposits()).filter(({ status }) => status !== 'Orphaned')
  const coins = (await harness.coins()).filter(({ spent, block }) => !spent && block !== null)
  return {
    deposits: deposits
      .map(({ txnHash, position, amount, status, block: { hash } }) => {
        return `${txnHash} ${position} ${amount} ${status} ${hash}`
      })
      .sort(),
    coins: coins
      .map(({ txnHash, vout, amount, place }) => `${txnHash}:${vout} ${amount} ${place}`)
      .sort(),
  }
}

/** The same chain, read into an empty database that has the same addresses. */
async function readAnew({ chain }: CoinHarness, first: number) {
  const fresh = await openCoinHarness(chain)
  for (const user of USERS) await fresh.world.issue(user, REGTEST)
  const height = await chain.hand.rpc<number>('getblockcount')
  await fresh.world.rescan(first, height, REGTEST)
  await fresh.world.settle()
  return liveOf(fresh)
}
