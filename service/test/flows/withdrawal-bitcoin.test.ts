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
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'

const STORY = 'created approved processing completed'
/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

const UNCONFIRMED = 71_003n

let chain: BitcoinTestChain
let names = 0

describe.each(BITCOIN_NODES)('Bitcoin withdrawals, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('from request to inclusion', () => {
    let harness: CoinHarness
    beforeAll(async () => {
      chain = await start()
      harness = await openCoinHarness(chain, { isKept: true })
    })
    afterAll(async () => {
      await harness?.close()
      await chain?.stop()
    })

    test('a withdrawal is paid from deposits, and its change is no deposit [B11]', async () => {
      await harness.deposit('ann', 60_000n, 50_000n)
      const ann = await named(harness, 70_000n)
      const done = await harness.conclude(ann.id)
      expect(done).toMatchObject({ status: 'Completed' })
      expect(await harness.held(ann.name)).toEqual([70_000n])
      expect(await harness.available()).toBe(40_000n - (done.fee ?? 0n))
      expect(await harness.story(ann.id)).toBe(STORY)
      expect(await harness.world.deposits()).toHaveLength(2)
      expect(await harness.world.events('balance.updated')).toHaveLength(4)
      await harness.expectWhole()
    })

    test('three withdrawals share a transaction and its fee', async () => {
      await harness.deposit('ann', 200_000n)
      const wanted = [
        await named(harness, 30_000n),
        await named(harness, 20_000n),
        await named(harness, 10_000n),
      ]
      const called = await named(harness, 25_000n)
      const forged = await named(harness, 15_000n)
      const thief = stranger('thief', chain)
      // After all are checked, and before any is signed.
      beforeSigning(harness, async () => {
        await harness.operator.ask('DELETE', `/withdrawals/${called.id}`)
        await harness.tamper(
          `update withdrawals set recipient = '${thief}' where id = '${forged.id}'`,
        )
      })
      await harness.spend()
      expect(await harness.pool()).toHaveLength(1)
      const fees: bigint[] = []
      for (const { id, name, amount } of wanted) {
        const { status, fee } = await harness.conclude(id)
        expect([name, status]).toEqual([name, 'Completed'])
        expect(await harness.held(name)).toEqual([amount])
        expect(await harness.story(id)).toBe(STORY)
        fees.push(fee ?? 0n)
      }
      const spend = await harness.spendOf(wanted[0]?.id ?? '')
      expect(fees.reduce((sum, fee) => sum + fee, 0n)).toBe(spend.fee)
      const [part = 0n, second, most = 0n] = fees.sort((a, b) => (a < b ? -1 : 1))
      expect([part, second]).toEqual([(spend.fee ?? 0n) / 3n, (spend.fee ?? 0n) / 3n])
      expect(most - part).toBe((spend.fee ?? 0n) % 3n)
      expect(await harness.held(called.name)).toEqual([])
      expect(await harness.story(called.id)).toBe('created approved cancelled')
      expect(await harness.held('thief')).toEqual([])
      expect((await harness.read(forged.id)).status).toBe('Pending')
      await harness.spend()
      const alerts = await harness.world.alerts()
      expect(alerts.map(({ code, subject }) => [code, subject])).toEqual([
        ['withdrawal.tampered', forged.id],
      ])
      await harness.expectWhole()
    })

    test('unconfirmed outputs pay no withdrawal, and dust is rejected [B13]', async () => {
      await harness.deposit('ann', 40_000n)
      const confirmed = await harness.available()
      const { address } = await harness.world.issue('ann', chain.id)
      await chain.hand.pay({ payees: [{ to: address, amount: UNCONFIRMED }] })
      await harness.mine()
      const to = stranger('somebody', chain)
      const unconfirmed = await harness.ask(to, confirmed + 40_000n)
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
      const never = await harness.ask(to, confirmed + UNCONFIRMED)
      expect([never.status, never.json['error']]).toEqual([422, 'INSUFFICIENT_BALANCE'])
      const dust = await harness.ask(to, 545n)
      expect([dust.status, dust.json['error']]).toEqual([422, 'WITHDRAWAL_BELOW_MINIMUM'])
      expect(dust.json['details']).toMatchObject({ provided: '545', minimum: '546' })
      const small = await named(harness, 30_000n)
      await harness.spend()
      const { id: spendId } = await harness.spendOf(small.id)
      const reserved = (await harness.coins()).filter((coin) => coin.spendId === spendId)
      expect(reserved.map(({ amount }) => amount)).not.toContain(UNCONFIRMED)
      expect(reserved.length).toBeGreaterThan(0)
      expect((await harness.conclude(small.id)).status).toBe('Completed')
      await harness.expectWhole()
    })

    test('a withdrawal is rebroadcast with the same bytes after a reorg [R02 R09]', async () => {
      await harness.deposit('ann', 90_000n)
      const [one, two] = [await named(harness, 30_000n), await named(harness, 20_000n)]
      await harness.spend()
      await harness.mine()
      const before = await harness.spendOf(one.id)
      expect(before.state).toBe('Included')
      await harness.undo(1)
      expect((await harness.spendOf(one.id)).state).toBe('Sent')
      await harness.expectWhole()
      for (const { id, name, amount } of [one, two]) {
        expect(await harness.conclude(id)).toMatchObject({
          status: 'Completed',
          txnHash: before.txnHash,
        })
        expect(await harness.held(name)).toEqual([amount])
        expect(await harness.story(id)).toBe(STORY)
      }
      await harness.expectWhole()
    })

    test('a withdrawal is paid once when the answer of a commit is lost [W24]', async () => {
      await harness.deposit('ann', 90_000n)
      const [one, two] = [await named(harness, 30_000n), await named(harness, 20_000n)]
      const { database } = harness.spender
      let isLost = false
      harness.spender.crash = (point) => {
        isLost ||= point === 'send.told'
      }
      const transaction: Database['transaction'] = async (work) => {
        const done = await database.transaction(work)
        if (!isLost) return done
        isLost = false
        harness.spender.crash = () => undefined
        throw new CommitUnknown('the database', 'the answer was lost')
      }
      harness.spender.database = { ...database, transaction }
      await harness.spend()
      expect(await harness.pool()).toHaveLength(1)
      for (const { id, name, amount } of [one, two]) {
        expect((await harness.conclude(id)).status).toBe('Completed')
        expect(await harness.held(name)).toEqual([amount])
        expect(await harness.story(id)).toBe(STORY)
      }
      await harness.expectWhole()
    })

    test('a cancellation races with a joint payment, and one wins [A10]', async () => {
      await harness.deposit('ann', 90_000n, 80_000n, 70_000n)
      for (let races = 0; races < 3; races += 1) {
        const [one, two] = [await named(harness, 9_000n), await named(harness, 8_000n)]
        const cancel = harness.operator.ask('DELETE', `/withdrawals/${one.id}`)
        const [{ status }] = await Promise.all([cancel, harness.spend()])
        const isCancelled = status === 200
        expect((await harness.conclude(two.id)).status).toBe('Completed')
        expect(await harness.held(two.name)).toEqual([two.amount])
        expect(await harness.held(one.name)).toEqual(isCancelled ? [] : [one.amount])
        const { status: over } = await harness.read(one.id)
        expect(over).toBe(isCancelled ? 'Cancelled' : 'Completed')
      }
      await harness.expectWhole()
    })
  })

  describe.runIf(isThere)('without inclusion', () => {
    let harness: CoinHarness
    beforeAll(async () => {
      chain = await start()
      harness = await openCoinHarness(chain, { isKept: true, bumpAfterBlocks: BUMP_AFTER })
    })
    afterAll(async () => {
      await harness?.close()
      await chain?.stop()
    })

    test.each(['first', 'second'] as const)(
      'the %s of a stuck payment and its replacement may be included [W18]',
      async (which) => {
        await harness.deposit('ann', 90_000n)
        const [one, two] = [await named(harness, 30_000n), await named(harness, 20_000n)]
        await harness.spend()
        await harness.mineEmpty(BUMP_AFTER)
        await harness.spend()
        const { transactions } = await harness.spendOf(one.id)
        expect(transactions).toHaveLength(2)
        const [first, second] = transactions
        expect(second?.maxFee).toBeGreaterThan(first?.maxFee ?? 0n)
        expect(await harness.pool()).toEqual([second?.txnHash])
        // The record names the pending transaction, and later the included one.
        for (const { id } of [one, two])
          expect(await harness.read(id)).toMatchObject({ txnHash: second?.txnHash })
        const taken = which === 'first' ? first : second
        await chain.hand.mineExactly([Buffer.from(taken?.raw ?? []).toString('hex')])
        await harness.world.settle()
        for (const { id, name, amount } of [one, two]) {
          expect(await harness.read(id)).toMatchObject({ txnHash: taken?.txnHash })
          const done = await harness.conclude(id)
          expect(done).toMatchObject({ status: 'Completed', txnHash: taken?.txnHash })
          expect(await harness.held(name)).toEqual([amount])
          expect(await harness.story(id)).toBe(STORY)
        }
        expect((await harness.spendOf(one.id)).fee).toBe(taken?.maxFee)
        await harness.expectWhole()
      },
    )

    test('an output that only the losing replacement spent is available again', async () => {
      // The rest is less than the cost of a higher fee.
      await harness.deposit('ann', 50_300n, 40_000n)
      const one = await named(harness, 50_000n)
      await harness.spend()
      await harness.mineEmpty(BUMP_AFTER)
      await harness.spend()
      const { id, transactions } = await harness.spendOf(one.id)
      const reserved = async () => (await harness.coins()).filter(({ spendId }) => spendId === id)
      expect((await reserved()).length).toBe(2)
      await chain.hand.mineExactly([Buffer.from(transactions[0]?.raw ?? []).toString('hex')])
      await harness.world.settle()
      expect((await reserved()).length).toBe(2)
      expect((await harness.conclude(one.id)).status).toBe('Completed')
      expect(await reserved()).toMatchObject([{ amount: 50_300n, spent: expect.anything() }])
      await harness.expectWhole()
    })

    test('a child pays for its parent once when no replacement is possible', async () => {
      await harness.deposit('ann', 90_000n)
      // 10 % of it covers the first fee, and no higher one.
      const small = await named(harness, 1_500n)
      await harness.spend()
      for (let rounds = 0; rounds < 2; rounds += 1) {
        await harness.mineEmpty(BUMP_AFTER)
        await harness.spend()
      }
      const parent = await harness.spendOf(small.id)
      expect(parent.transactions).toHaveLength(1)
      const pool = await harness.pool()
      expect(pool).toHaveLength(2)
      expect(pool).toContain(parent.txnHash)
      expect((await harness.conclude(small.id)).status).toBe('Completed')
      await harness.mine(4)
      expect(await harness.held(small.name)).toEqual([1_500n])
      expect(await harness.world.balance(parent.tokenId, 'claim:gas')).toBe(0n)
      expect(await harness.world.alerts()).toEqual([])
      await harness.expectWhole()
    })

    test('an output spent outside halts the sender and fails its withdrawal [W19]', async () => {
      await harness.deposit('ann', 90_000n)
      const one = await named(harness, 30_000n)
      await harness.spend()
      const { id: spendId } = await harness.spendOf(one.id)
      const reserved = (await harness.coins()).filter((coin) => coin.spendId === spendId)
      const hex = await harness.forge(reserved, stranger('thief', chain), 5_000n)
      await chain.hand.mineExactly([hex])
      await harness.world.settle()
      expect((await harness.read(one.id)).status).toBe('Processing')
      const alerts = await harness.world.alerts()
      expect(alerts.map(({ code }) => code)).toEqual(['spend.forgotten'])
      await harness.mineEmpty(4)
      expect(await harness.read(one.id)).toMatchObject({
        status: 'Failed',
        failureCode: 'DISPLACED',
      })
      expect(await harness.story(one.id)).toBe('created approved processing failed')
      expect(await harness.held(one.name)).toEqual([])
      await named(harness, 1_000n)
      await harness.spend()
      expect(await harness.pool()).toEqual([])
    })
  })
})

describe('Bitcoin withdrawals on a simulated chain', () => {
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
  })
  afterAll(() => chain?.stop())

  test('a forgotten payment with the same outputs counts as ours [W25]', async () => {
    const harness = await opened()
    await harness.deposit('ann', 90_000n)
    const one = await named(harness, 85_000n)
    await harness.spend()
    const hex = await harness.forge(await harness.coins(), stranger(one.name, chain), 5_000n)
    await chain.hand.mineExactly([hex])
    await harness.mineEmpty(4)
    expect(await harness.held(one.name)).toEqual([85_000n])
    expect(await harness.read(one.id)).toMatchObject({ status: 'Completed', fee: 5_000n })
    await harness.expectWhole()
  })

  test('no withdrawal fails when a forgotten transaction pays some of them [W25]', async () => {
    const harness = await opened()
    await harness.deposit('ann', 90_000n)
    const [one, two] = [await named(harness, 30_000n), await named(harness, 20_000n)]
    await harness.spend()
    const hex = await harness.forge(await harness.coins(), stranger(one.name, chain), 60_000n)
    await chain.hand.mineExactly([hex])
    await harness.mineEmpty(4)
    expect(await harness.held(one.name)).toEqual([30_000n])
    for (const { id } of [one, two]) expect((await harness.read(id)).status).toBe('Processing')
    expect((await harness.world.alerts()).map(({ code }) => code)).toEqual(['spend.forgotten'])
  })

  test('a spender without its lease signs nothing [W23]', async () => {
    const harness = await opened()
    await harness.deposit('ann', 90_000n)
    const one = await named(harness, 30_000n)
    const { database } = harness.world
    await harness.tamper("update leases set expires_at = '-infinity' where name like 'spender:%'")
    const wanted = { name: `spender:${chain.id}`, holder: 'another', ttlMs: 60_000 }
    const lease = await takeLease(database, wanted)
    await harness.spend()
    expect(await harness.pool()).toEqual([])
    expect((await harness.read(one.id)).status).toBe('Pending')
    expect((await harness.coins()).filter(({ spendId }) => spendId !== null)).toEqual([])
    if (lease === null) throw new Error('the lease has no holder')
    harness.spender.lease = lease
    expect((await harness.conclude(one.id)).status).toBe('Completed')
  })

  test('twenty concurrent withdrawals share no output, however few there are [B12]', async () => {
    const harness = await opened({ batchMax: 3 })
    await harness.deposit('ann', 90_000n, 80_000n, 70_000n)
    const wanted: Awaited<ReturnType<typeof named>>[] = []
    for (let at = 0; at < 20; at += 1) wanted.push(await named(harness, 3_000n + BigInt(at)))
    await Promise.all([harness.spend(), harness.spend()])
    for (const { id, name, amount } of wanted) {
      expect((await harness.conclude(id, 40)).status).toBe('Completed')
      expect(await harness.held(name)).toEqual([amount])
    }
    const spends = new Map<string, SpendRecord>()
    for (const { id } of wanted) {
      const spend = await harness.spendOf(id)
      spends.set(spend.id, spend)
    }
    const inputs = await Promise.all([...spends.values()].map((one) => inputsOf(harness, one)))
    const all = inputs.flat()
    expect(new Set(all).size).toBe(all.length)
    await harness.expectWhole()
  })
})

/** Creates a withdrawal to a new recipient. */
async function named(harness: CoinHarness, amount: bigint) {
  names += 1
  const name = `recipient ${names}`
  return { name, amount, id: await harness.want(stranger(name, chain), amount) }
}

/** The inputs of all transactions of a spend, as texts. */
async function inputsOf(harness: CoinHarness, { transactions }: SpendRecord): Promise<string[]> {
  const adapter = harness.world.adapter(chain.id)
  const points = transactions.flatMap(({ raw }) => adapter.decode(raw).spends ?? [])
  return points.map(({ txnHash, vout }) => `${txnHash}:${vout}`)
}

/** Runs once between the check of withdrawals and the transaction that signs. */
function beforeSigning({ spender }: CoinHarness, work: () => Promise<void>): void {
  const { adapter } = spender
  const quote: typeof adapter.quote = async (...asked) => {
    spender.adapter = adapter
    await work()
    return adapter.quote(...asked)
  }
  spender.adapter = { ...adapter, quote }
}

function opened(more: Partial<Spender> = {}): Promise<CoinHarness> {
  return openCoinHarness(chain, more)
}
