import { expect, test } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { listForeign } from '../../src/transactions/core/read.ts'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { tronSender } from '../adapters/tron-world.ts'
import {
  COIN,
  created,
  expectWhole,
  foreign,
  opened,
  SHASTA,
  signedFor,
  SOLID_LAG,
  type TronHarness,
  TRX,
} from '../support/tron-harness.ts'

const AMOUNT = 20n * TRX
const TO = tronSender(511).address

type Order = 'own first' | 'twin first'
type Where = 'one block' | 'one run' | 'two runs'
type Name = 'own' | 'twin'

/** A pending withdrawal and an unknown transaction with the same payment. */
interface Twins {
  harness: TronHarness
  id: string
  own: string
  twin: string
}

const ORDERS: Order[] = ['own first', 'twin first']
const WHERES: Where[] = ['one block', 'one run', 'two runs']
const CASES = ORDERS.flatMap((order) => WHERES.map((where) => ({ order, where })))
/** Included payments count the same, however their blocks were read. */
const BLOCKS = CASES.filter(({ where }) => where !== 'one run')

test.each(CASES)(
  'the second of two payments of a withdrawal is unknown: $order, in $where [W25]',
  async ({ order, where }) => {
    const twins = await twinsOf()
    const { harness, id } = twins
    // The backup may lack it: the second could have been its payment.
    const equal = await created(harness, { recipient: TO, amount: String(AMOUNT) })
    const [first, second] = await connect(twins, { order, where })
    expect(await strangers(harness)).toEqual([second])
    await harness.mine(1 + SOLID_LAG)
    expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash: first })
    expect((await harness.world.state(SHASTA)).tip.height).toBe(harness.chain.head().height)
    const alert = (await harness.world.alerts()).find(({ code }) => code === 'spend.forgotten')
    expect(alert?.message).toContain(second)
    const tells = order === 'twin first' ? `beside ${first}` : 'which is not in our records'
    expect(alert?.message).toContain(tells)
    expect(await harness.conclude(equal, 3)).toMatchObject({ status: 'Pending' })
    expect(harness.chain.balance(TO)).toBe(2n * AMOUNT)
    expect(await signedFor(harness)).toBe(1)
    await expectDeficit(harness, second)
  },
)

test.each(BLOCKS)(
  'the payment left by a reorg pays the withdrawal: $order, in $where [W25 R09]',
  async ({ order, where }) => {
    for (const kept of ['own', 'twin'] as const) {
      const twins = await twinsOf()
      const { harness, id } = twins
      await connect(twins, { order, where })
      const head = harness.chain.head().height
      harness.chain.reorg({ depth: 4, keep: new Map([[twins[kept], head]]) })
      await harness.mine(2)
      expect(await harness.read(id)).toMatchObject({ status: 'Processing', txnHash: twins[kept] })
      expect(await strangers(harness)).toEqual([])
      await expectWhole(harness)
      await harness.mine(SOLID_LAG)
      expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash: twins[kept] })
      expect(harness.chain.balance(TO)).toBe(AMOUNT)
      expect(await listed(harness)).not.toContain(twins[kept])
      await expectWhole(harness)
    }
  },
)

test('two payments are counted again when a reorg swaps their order [W25 R09]', async () => {
  const twins = await twinsOf()
  const { harness, id, own, twin } = twins
  await connect(twins, { order: 'twin first', where: 'two runs' })
  const head = harness.chain.head().height
  const keep = new Map([
    [own, head - 1],
    [twin, head],
  ])
  harness.chain.reorg({ depth: 4, keep })
  await harness.mine(1)
  expect(await strangers(harness)).toEqual([twin])
  await harness.mine(1 + SOLID_LAG)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed', txnHash: own })
  await expectDeficit(harness, twin)
})

test.each(BLOCKS)(
  'a rescan of two payments emits no event: $order, in $where [W25 E14]',
  async ({ order, where }) => {
    const twins = await twinsOf()
    const { harness, id } = twins
    const from = harness.chain.head().height
    const [first, second] = await connect(twins, { order, where })
    await resume(harness)
    // It waits for such a payment, and neither of the two is it.
    const equal = await created(harness, { recipient: TO, amount: String(AMOUNT) })
    harness.chain.lets = () => false
    await harness.spend()
    const { txnHash } = await harness.read(equal)
    expect(txnHash).not.toBeNull()
    await harness.mine(1)
    await harness.world.rescan(from, harness.chain.head().height, SHASTA)
    await harness.world.settle()
    expect(await harness.read(equal)).toMatchObject({ status: 'Processing', txnHash })
    expect(await harness.read(id)).toMatchObject({ txnHash: first })
    expect(await strangers(harness)).toEqual([second])
    expect(await listed(harness)).toEqual([second])
    expect((await harness.world.alerts()).map(({ code }) => code)).not.toContain('spend.forgotten')
    harness.chain.lets = () => true
    expect(await harness.conclude(equal)).toMatchObject({ status: 'Completed', txnHash })
    await expectDeficit(harness, second)
  },
)

async function twinsOf(): Promise<Twins> {
  const harness = await opened()
  const id = await created(harness, { recipient: TO, amount: String(AMOUNT) })
  harness.chain.lets = () => false
  await harness.spend()
  const own = String((await harness.read(id)).txnHash)
  const twin = await foreign(harness, { to: TO, amount: AMOUNT })
  return { harness, id, own, twin }
}

/** Brings both into blocks that the scanner reads; returns them in that order. */
async function connect(
  twins: Twins,
  { order, where }: { order: Order; where: Where },
): Promise<[string, string]> {
  const { harness } = twins
  const { chain } = harness
  const names: [Name, Name] = order === 'own first' ? ['own', 'twin'] : ['twin', 'own']
  const [first, second] = [twins[names[0]], twins[names[1]]]
  for (const hash of [first, second]) {
    const waiting = chain.pool.get(hash)
    if (waiting === undefined) throw new Error('it waits in no pool')
    // Blocks include pending transactions in the order of the pool.
    chain.pool.delete(hash)
    chain.pool.set(hash, waiting)
  }
  const blocks = where === 'one block' ? [[first, second]] : [[first], [second]]
  for (const block of blocks) {
    chain.lets = (hash) => block.includes(hash)
    chain.mine(1)
    if (where === 'two runs') await harness.world.settle()
  }
  chain.lets = () => false
  await harness.world.settle()
  return [first, second]
}

/** Included transactions of the settlement address that are unknown or do not count. */
async function strangers(harness: TronHarness): Promise<string[]> {
  return (await foreignOf(harness)).flatMap(({ txnHash, height }) =>
    height === null ? [] : txnHash,
  )
}

async function listed(harness: TronHarness): Promise<string[]> {
  return (await foreignOf(harness)).map(({ txnHash }) => txnHash)
}

function foreignOf({ world, settlement: sender }: TronHarness): ReturnType<typeof listForeign> {
  return world.database.transaction((tx) => listForeign(tx, { chainId: SHASTA, sender }))
}

async function resume({ world, settlement: address }: TronHarness): Promise<void> {
  const sender = { chainId: SHASTA, address, chainNonce: 0, actor: 'cli:test', reason: 'a look' }
  await world.database.transaction((tx) => resumeSender(tx, sender))
}

/** The ledger is consistent, and above the chain by the one uncounted payment. */
async function expectDeficit(harness: TronHarness, hash: string): Promise<void> {
  const { world, chain, settlement: address } = harness
  const executed = chain.blockOf(hash)?.executed ?? []
  const second = executed.find(({ transaction }) => transaction.id === hash)
  const fee = BigInt(Number(second?.info['fee'] ?? 0))
  expect(await auditLedger(world)).toEqual([])
  const { findings } = await world.audit(SHASTA)
  expect(findings).toMatchObject([{ tokenId: COIN, address }])
  expect(findings.map(({ expected, found }) => expected - found)).toEqual([AMOUNT + fee])
}
