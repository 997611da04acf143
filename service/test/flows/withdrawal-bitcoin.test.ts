import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Spender } from '../../src/app/spend-round.ts'
import type { Database } from '../../src/store/database.ts'
import { takeLease } from '../../src/store/lease.ts'
import { CommitUnknown } from '../../src/store/outage.ts'
import type { SpendRecord } from '../../src/transactions/core/read.ts'
import {
  BITCOIN_NODES,
  type BitcoinTestChain,
  startSimulatedBitcoin,
} from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, stranger } from '../support/coin-house.ts'

const STORY = 'created approved processing completed'
/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

const UNCONFIRMED = 71_003n

let chain: BitcoinTestChain
let names = 0

describe.each(BITCOIN_NODES)('Bitcoin withdrawals, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('from request to inclusion', () => {
    let house: CoinHouse
    beforeAll(async () => {
      chain = await start()
      house = await openCoinHouse(chain, { isKept: true })
    })
    afterAll(async () => {
      await house?.close()
      await chain?.stop()
    })

    test('a withdrawal is paid from deposits, and its change is no deposit [B11]', async () => {
      await house.deposit('ann', 60_000n, 50_000n)
      const ann = await named(house, 70_000n)
      const done = await house.conclude(ann.id)
      expect(done).toMatchObject({ status: 'Completed' })
      expect(await house.held(ann.name)).toEqual([70_000n])
      expect(await house.available()).toBe(40_000n - (done.fee ?? 0n))
      expect(await house.story(ann.id)).toBe(STORY)
      expect(await house.world.deposits()).toHaveLength(2)
      expect(await house.world.events('balance.updated')).toHaveLength(4)
      await house.expectWhole()
    })

    test('three withdrawals share a transaction and its fee', async () => {
      await house.deposit('ann', 200_000n)
      const wanted = [
        await named(house, 30_000n),
        await named(house, 20_000n),
        await named(house, 10_000n),
      ]
      const called = await named(house, 25_000n)
      const forged = await named(house, 15_000n)
      const thief = stranger('thief', chain)
      // After all are checked, and before any is signed.
      beforeSigning(house, async () => {
        await house.operator.ask('DELETE', `/withdrawals/${called.id}`)
        await house.tamper(
          `update withdrawals set recipient = '${thief}' where id = '${forged.id}'`,
        )
      })
      await house.spend()
      expect(await house.pool()).toHaveLength(1)
      const fees: bigint[] = []
      for (const { id, name, amount } of wanted) {
        const { status, fee } = await house.conclude(id)
        expect([name, status]).toEqual([name, 'Completed'])
        expect(await house.held(name)).toEqual([amount])
        expect(await house.story(id)).toBe(STORY)
        fees.push(fee ?? 0n)
      }
      const spend = await house.spendOf(wanted[0]?.id ?? '')
      expect(fees.reduce((sum, fee) => sum + fee, 0n)).toBe(spend.fee)
      const [part = 0n, second, most = 0n] = fees.sort((a, b) => (a < b ? -1 : 1))
      expect([part, second]).toEqual([(spend.fee ?? 0n) / 3n, (spend.fee ?? 0n) / 3n])
      expect(most - part).toBe((spend.fee ?? 0n) % 3n)
      expect(await house.held(called.name)).toEqual([])
      expect(await house.story(called.id)).toBe('created approved cancelled')
      expect(await house.held('thief')).toEqual([])
      expect((await house.read(forged.id)).status).toBe('Pending')
      await house.spend()
      const alerts = await house.world.alerts()
      expect(alerts.map(({ code, subject }) => [code, subject])).toEqual([
        ['withdrawal.tampered', forged.id],
      ])
      await house.expectWhole()
    })

    test('unconfirmed outputs pay no withdrawal, and dust is rejected [B13]', async () => {
      await house.deposit('ann', 40_000n)
      const confirmed = await house.available()
      const { address } = await house.world.issue('ann', chain.id)
      await chain.hand.pay({ payees: [{ to: address, amount: UNCONFIRMED }] })
      await house.mine()
      const to = stranger('somebody', chain)
      const unconfirmed = await house.ask(to, confirmed + 40_000n)
      expect([unconfirmed.status, unconfirmed.json['error']]).toEqual([
        422,
        'INSUFFICIENT_CONFIRMED_BALANCE',
      ])
      expect(unconfirmed.json['details']).toMatchObject({
        chainId: chain.id,
        totalBalance: String(confirmed + UNCONFIRMED),
        confirmedBalance: String(confirmed),
        unconfirmedBalance: String(UNCONFIRMED),
      })
      const never = await house.ask(to, confirmed + UNCONFIRMED)
      expect([never.status, never.json['error']]).toEqual([422, 'INSUFFICIENT_BALANCE'])
      const dust = await house.ask(to, 545n)
      expect([dust.status, dust.json['error']]).toEqual([422, 'WITHDRAWAL_BELOW_MINIMUM'])
      expect(dust.json['details']).toMatchObject({ provided: '545', minimum: '546' })
      const small = await named(house, 30_000n)
      await house.spend()
      const { id: spendId } = await house.spendOf(small.id)
      const reserved = (await house.coins()).filter((coin) => coin.spendId === spendId)
      expect(reserved.map(({ amount }) => amount)).not.toContain(UNCONFIRMED)
      expect(reserved.length).toBeGreaterThan(0)
      expect((await house.conclude(small.id)).status).toBe('Completed')
      await house.expectWhole()
    })

    test('a withdrawal is rebroadcast with the same bytes after a reorg [R02 R09]', async () => {
      await house.deposit('ann', 90_000n)
      const [one, two] = [await named(house, 30_000n), await named(house, 20_000n)]
      await house.spend()
      await house.mine()
      const before = await house.spendOf(one.id)
      expect(before.state).toBe('Included')
      await house.undo(1)
      expect((await house.spendOf(one.id)).state).toBe('Sent')
      await house.expectWhole()
      for (const { id, name, amount } of [one, two]) {
        expect(await house.conclude(id)).toMatchObject({
          status: 'Completed',
          txnHash: before.txnHash,
        })
        expect(await house.held(name)).toEqual([amount])
        expect(await house.story(id)).toBe(STORY)
      }
      await house.expectWhole()
    })

    test('a withdrawal is paid once when the answer of a commit is lost [W24]', async () => {
      await house.deposit('ann', 90_000n)
      const [one, two] = [await named(house, 30_000n), await named(house, 20_000n)]
      const { database } = house.spender
      let isLost = false
      house.spender.crash = (point) => {
        isLost ||= point === 'send.told'
      }
      const transaction: Database['transaction'] = async (work) => {
        const done = await database.transaction(work)
        if (!isLost) return done
        isLost = false
        house.spender.crash = () => undefined
        throw new CommitUnknown('the database', 'the answer was lost')
      }
      house.spender.database = { ...database, transaction }
      await house.spend()
      expect(await house.pool()).toHaveLength(1)
      for (const { id, name, amount } of [one, two]) {
        expect((await house.conclude(id)).status).toBe('Completed')
        expect(await house.held(name)).toEqual([amount])
        expect(await house.story(id)).toBe(STORY)
      }
      await house.expectWhole()
    })

    test('a cancellation races with a joint payment, and one wins [A10]', async () => {
      await house.deposit('ann', 90_000n, 80_000n, 70_000n)
      for (let races = 0; races < 3; races += 1) {
        const [one, two] = [await named(house, 9_000n), await named(house, 8_000n)]
        const cancel = house.operator.ask('DELETE', `/withdrawals/${one.id}`)
        const [{ status }] = await Promise.all([cancel, house.spend()])
        const isCancelled = status === 200
        expect((await house.conclude(two.id)).status).toBe('Completed')
        expect(await house.held(two.name)).toEqual([two.amount])
        expect(await house.held(one.name)).toEqual(isCancelled ? [] : [one.amount])
        const { status: over } = await house.read(one.id)
        expect(over).toBe(isCancelled ? 'Cancelled' : 'Completed')
      }
      await house.expectWhole()
    })
  })

  describe.runIf(isThere)('without inclusion', () => {
    let house: CoinHouse
    beforeAll(async () => {
      chain = await start()
      house = await openCoinHouse(chain, { isKept: true, bumpAfterBlocks: BUMP_AFTER })
    })
    afterAll(async () => {
      await house?.close()
      await chain?.stop()
    })

    test.each(['first', 'second'] as const)(
      'the %s of a stuck payment and its replacement may be included [W18]',
      async (which) => {
        await house.deposit('ann', 90_000n)
        const [one, two] = [await named(house, 30_000n), await named(house, 20_000n)]
        await house.spend()
        await house.mineEmpty(BUMP_AFTER)
        await house.spend()
        const { transactions } = await house.spendOf(one.id)
        expect(transactions).toHaveLength(2)
        const [first, second] = transactions
        expect(second?.maxFee).toBeGreaterThan(first?.maxFee ?? 0n)
        expect(await house.pool()).toEqual([second?.txnHash])
        // The record names the pending transaction, and later the included one.
        for (const { id } of [one, two])
          expect(await house.read(id)).toMatchObject({ txnHash: second?.txnHash })
        const taken = which === 'first' ? first : second
        await chain.hand.mineExactly([Buffer.from(taken?.raw ?? []).toString('hex')])
        await house.world.settle()
        for (const { id, name, amount } of [one, two]) {
          expect(await house.read(id)).toMatchObject({ txnHash: taken?.txnHash })
          const done = await house.conclude(id)
          expect(done).toMatchObject({ status: 'Completed', txnHash: taken?.txnHash })
          expect(await house.held(name)).toEqual([amount])
          expect(await house.story(id)).toBe(STORY)
        }
        expect((await house.spendOf(one.id)).fee).toBe(taken?.maxFee)
        await house.expectWhole()
      },
    )

    test('an output that only the losing replacement spent is available again', async () => {
      // The rest is less than the cost of a higher fee.
      await house.deposit('ann', 50_300n, 40_000n)
      const one = await named(house, 50_000n)
      await house.spend()
      await house.mineEmpty(BUMP_AFTER)
      await house.spend()
      const { id, transactions } = await house.spendOf(one.id)
      const reserved = async () => (await house.coins()).filter(({ spendId }) => spendId === id)
      expect((await reserved()).length).toBe(2)
      await chain.hand.mineExactly([Buffer.from(transactions[0]?.raw ?? []).toString('hex')])
      await house.world.settle()
      expect((await reserved()).length).toBe(2)
      expect((await house.conclude(one.id)).status).toBe('Completed')
      expect(await reserved()).toMatchObject([{ amount: 50_300n, spent: expect.anything() }])
      await house.expectWhole()
    })

    test('a child pays for its parent once when no replacement is possible', async () => {
      await house.deposit('ann', 90_000n)
      // 10 % of it covers the first fee, and no higher one.
      const small = await named(house, 1_500n)
      await house.spend()
      for (let rounds = 0; rounds < 2; rounds += 1) {
        await house.mineEmpty(BUMP_AFTER)
        await house.spend()
      }
      const parent = await house.spendOf(small.id)
      expect(parent.transactions).toHaveLength(1)
      const pool = await house.pool()
      expect(pool).toHaveLength(2)
      expect(pool).toContain(parent.txnHash)
      expect((await house.conclude(small.id)).status).toBe('Completed')
      await house.mine(4)
      expect(await house.held(small.name)).toEqual([1_500n])
      expect(await house.world.balance(parent.tokenId, 'claim:gas')).toBe(0n)
      expect(await house.world.alerts()).toEqual([])
      await house.expectWhole()
    })

    test('an output spent outside halts the sender and fails its withdrawal [W19]', async () => {
      await house.deposit('ann', 90_000n)
      const one = await named(house, 30_000n)
      await house.spend()
      const { id: spendId } = await house.spendOf(one.id)
      const reserved = (await house.coins()).filter((coin) => coin.spendId === spendId)
      const hex = await house.forge(reserved, stranger('thief', chain), 5_000n)
      await chain.hand.mineExactly([hex])
      await house.world.settle()
      expect((await house.read(one.id)).status).toBe('Processing')
      const alerts = await house.world.alerts()
      expect(alerts.map(({ code }) => code)).toEqual(['spend.forgotten'])
      await house.mineEmpty(4)
      expect(await house.read(one.id)).toMatchObject({
        status: 'Failed',
        failureCode: 'DISPLACED',
      })
      expect(await house.story(one.id)).toBe('created approved processing failed')
      expect(await house.held(one.name)).toEqual([])
      await named(house, 1_000n)
      await house.spend()
      expect(await house.pool()).toEqual([])
    })
  })
})

describe('Bitcoin withdrawals on a simulated chain', () => {
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
  })
  afterAll(() => chain?.stop())

  test('a forgotten payment with the same outputs counts as ours [W25]', async () => {
    const house = await opened()
    await house.deposit('ann', 90_000n)
    const one = await named(house, 85_000n)
    await house.spend()
    const hex = await house.forge(await house.coins(), stranger(one.name, chain), 5_000n)
    await chain.hand.mineExactly([hex])
    await house.mineEmpty(4)
    expect(await house.held(one.name)).toEqual([85_000n])
    expect(await house.read(one.id)).toMatchObject({ status: 'Completed', fee: 5_000n })
    await house.expectWhole()
  })

  test('no withdrawal fails when a forgotten transaction pays some of them [W25]', async () => {
    const house = await opened()
    await house.deposit('ann', 90_000n)
    const [one, two] = [await named(house, 30_000n), await named(house, 20_000n)]
    await house.spend()
    const hex = await house.forge(await house.coins(), stranger(one.name, chain), 60_000n)
    await chain.hand.mineExactly([hex])
    await house.mineEmpty(4)
    expect(await house.held(one.name)).toEqual([30_000n])
    for (const { id } of [one, two]) expect((await house.read(id)).status).toBe('Processing')
    expect((await house.world.alerts()).map(({ code }) => code)).toEqual(['spend.forgotten'])
  })

  test('a spender without its lease signs nothing [W23]', async () => {
    const house = await opened()
    await house.deposit('ann', 90_000n)
    const one = await named(house, 30_000n)
    const { database } = house.world
    await house.tamper("update leases set expires_at = '-infinity' where name like 'spender:%'")
    const wanted = { name: `spender:${chain.id}`, holder: 'another', ttlMs: 60_000 }
    const lease = await takeLease(database, wanted)
    await house.spend()
    expect(await house.pool()).toEqual([])
    expect((await house.read(one.id)).status).toBe('Pending')
    expect((await house.coins()).filter(({ spendId }) => spendId !== null)).toEqual([])
    if (lease === null) throw new Error('the lease has no holder')
    house.spender.lease = lease
    expect((await house.conclude(one.id)).status).toBe('Completed')
  })

  test('twenty concurrent withdrawals share no output, however few there are [B12]', async () => {
    const house = await opened({ batchMax: 3 })
    await house.deposit('ann', 90_000n, 80_000n, 70_000n)
    const wanted: Awaited<ReturnType<typeof named>>[] = []
    for (let at = 0; at < 20; at += 1) wanted.push(await named(house, 3_000n + BigInt(at)))
    await Promise.all([house.spend(), house.spend()])
    for (const { id, name, amount } of wanted) {
      expect((await house.conclude(id, 40)).status).toBe('Completed')
      expect(await house.held(name)).toEqual([amount])
    }
    const spends = new Map<string, SpendRecord>()
    for (const { id } of wanted) {
      const spend = await house.spendOf(id)
      spends.set(spend.id, spend)
    }
    const inputs = await Promise.all([...spends.values()].map((one) => inputsOf(house, one)))
    const all = inputs.flat()
    expect(new Set(all).size).toBe(all.length)
    await house.expectWhole()
  })
})

/** Creates a withdrawal to a new recipient. */
async function named(house: CoinHouse, amount: bigint) {
  names += 1
  const name = `recipient ${names}`
  return { name, amount, id: await house.want(stranger(name, chain), amount) }
}

/** The inputs of all transactions of a spend, as texts. */
async function inputsOf(house: CoinHouse, { transactions }: SpendRecord): Promise<string[]> {
  const adapter = house.world.adapter(chain.id)
  const points = transactions.flatMap(({ raw }) => adapter.decode(raw).spends ?? [])
  return points.map(({ txnHash, vout }) => `${txnHash}:${vout}`)
}

/** Runs once between the check of withdrawals and the transaction that signs. */
function beforeSigning({ spender }: CoinHouse, work: () => Promise<void>): void {
  const { adapter } = spender
  const quote: typeof adapter.quote = async (...asked) => {
    spender.adapter = adapter
    await work()
    return adapter.quote(...asked)
  }
  spender.adapter = { ...adapter, quote }
}

function opened(more: Partial<Spender> = {}): Promise<CoinHouse> {
  return openCoinHouse(chain, more)
}
