import { type Seeded, seeded } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { BITCOIN_NODES, REGTEST } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, stranger } from '../support/coin-house.ts'
import { REQUIRED } from '../support/world-life.ts'

const SEED = process.env['SLUICE_REORG_SEED'] ?? 'sluice'
const REORGS = 15
const USERS = ['ann', 'bob', 'cid']

test.each(BITCOIN_NODES.filter(({ isThere }) => isThere))(
  `${REORGS} reorgs during payments end like a fresh scan, on $name (seed ${SEED}) [R07 R09]`,
  async ({ start }) => {
    const random = seeded(`${SEED}/bitcoin`)
    const chain = await start()
    const house = await openCoinHouse(chain, { bumpAfterBlocks: 2 })
    const first = await chain.hand.rpc<number>('getblockcount')
    for (const user of USERS) await house.deposit(user, 400_000n, 300_000n, 50_000n)
    const play = new Play(house, random)
    for (let reorgs = 0; reorgs < REORGS; reorgs += 1) {
      await play.somePayments()
      await play.blocks(1 + random.int(2))
      await play.reorg(1 + random.int(REQUIRED - 1))
    }
    await play.settle()
    expect(play.paid.length).toBeGreaterThan(REORGS / 2)
    for (const { id, name, amount } of play.paid) {
      expect(await house.read(id)).toMatchObject({ status: 'Completed' })
      expect(await house.held(name)).toEqual([amount])
      expect(await house.story(id)).toBe('created approved processing completed')
    }
    const orphaned = (await house.world.deposits()).filter(({ status }) => status === 'Orphaned')
    expect(orphaned.length).toBeGreaterThan(0)
    await house.expectWhole()
    expect(await house.world.alerts()).toEqual([])
    expect(await liveOf(house)).toEqual(await readAnew(house, first))
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
  readonly #house: CoinHouse
  readonly #random: Seeded
  /** Deposits that a reorg may still remove permanently. */
  #young: string[] = []

  constructor(house: CoinHouse, random: Seeded) {
    this.#house = house
    this.#random = random
  }

  /** Deposits and withdrawals, and mostly a round of the spender. */
  async somePayments(): Promise<void> {
    const { chain, world } = this.#house
    for (let many = this.#random.int(3); many > 0; many -= 1) {
      const { address: to } = await world.issue(this.#random.pick(USERS), REGTEST)
      const amount = BigInt(1_000 + this.#random.int(90_000))
      this.#young.push(await chain.hand.pay({ payees: [{ to, amount }] }))
    }
    for (let many = this.#random.int(3); many > 0; many -= 1) await this.#want()
    if (this.#random.chance(0.8)) await this.#house.spend()
  }

  /** Blocks with the whole pool, an empty one, or the older half. */
  async blocks(count: number): Promise<void> {
    const { chain, world } = this.#house
    for (let block = 0; block < count; block += 1) {
      const pool = await chain.hand.rpc<Pool>('getrawmempool', [true])
      const ids = Object.keys(pool).sort((a, b) => ancestors(pool, a) - ancestors(pool, b))
      const share = this.#random.pick([0, 0.5, 1, 1])
      await chain.hand.mineExactly(ids.slice(0, Math.ceil(ids.length * share)))
      if (this.#random.chance(0.5)) await world.step(REGTEST)
      else await world.settle()
      if (this.#random.chance(0.3)) await this.#house.spend()
    }
  }

  /** Removes blocks, perhaps a young deposit permanently, and mines more. */
  async reorg(depth: number): Promise<void> {
    const { chain, world } = this.#house
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
    for (const { id } of this.paid) await this.#house.conclude(id, 40)
    await this.#house.mine(REQUIRED + 1)
  }

  async #want(): Promise<void> {
    const amount = BigInt(1_000 + this.#random.int(60_000))
    if ((await this.#house.available()) < amount + 10_000n) return
    const name = `${SEED} ${this.paid.length}`
    const id = await this.#house.want(stranger(name, this.#house.chain), amount)
    this.paid.push({ id, name, amount })
  }
}

type Pool = Readonly<Record<string, { ancestorcount: number }>>

function ancestors(pool: Pool, txid: string): number {
  return pool[txid]?.ancestorcount ?? 0
}

/** The deposits that stand, and the coins that are there. */
async function liveOf(house: CoinHouse) {
  const deposits = (await house.world.deposits()).filter(({ status }) => status !== 'Orphaned')
  const coins = (await house.coins()).filter(({ spent, block }) => !spent && block !== null)
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
async function readAnew({ chain }: CoinHouse, first: number) {
  const fresh = await openCoinHouse(chain)
  for (const user of USERS) await fresh.world.issue(user, REGTEST)
  const height = await chain.hand.rpc<number>('getblockcount')
  await fresh.world.rescan(first, height, REGTEST)
  await fresh.world.settle()
  return liveOf(fresh)
}
