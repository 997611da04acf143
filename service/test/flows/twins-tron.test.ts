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
  type TronHouse,
  TRX,
} from '../support/tron-house.ts'

const AMOUNT = 20n * TRX
const TO = tronSender(511).address

type Order = 'own first' | 'twin first'
type Where = 'one block' | 'one run' | 'two runs'
type Name = 'own' | 'twin'

/** A pending withdrawal and an unknown transaction with the same payment. */
interface Twins {
  house: TronHouse
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
    const { house, id } = twins
    // The backup may lack it: the second could have been its payment.
    const equal = await created(house, { recipient: TO, amount: String(AMOUNT) })
    const [first, second] = await connect(twins, { order, where })
    expect(await strangers(house)).toEqual([second])
    await house.mine(1 + SOLID_LAG)
    expect(await house.read(id)).toMatchObject({ status: 'Completed', txnHash: first })
    expect((await house.world.state(SHASTA)).tip.height).toBe(house.chain.head().height)
    const alert = (await house.world.alerts()).find(({ code }) => code === 'spend.forgotten')
    expect(alert?.message).toContain(second)
    const tells = order === 'twin first' ? `beside ${first}` : 'which is not in our records'
    expect(alert?.message).toContain(tells)
    expect(await house.conclude(equal, 3)).toMatchObject({ status: 'Pending' })
    expect(house.chain.balance(TO)).toBe(2n * AMOUNT)
    expect(await signedFor(house)).toBe(1)
    await expectDeficit(house, second)
  },
)

test.each(BLOCKS)(
  'the payment left by a reorg pays the withdrawal: $order, in $where [W25 R09]',
  async ({ order, where }) => {
    for (const kept of ['own', 'twin'] as const) {
      const twins = await twinsOf()
      const { house, id } = twins
      await connect(twins, { order, where })
      const head = house.chain.head().height
      house.chain.reorg({ depth: 4, keep: new Map([[twins[kept], head]]) })
      await house.mine(2)
      expect(await house.read(id)).toMatchObject({ status: 'Processing', txnHash: twins[kept] })
      expect(await strangers(house)).toEqual([])
      await expectWhole(house)
      await house.mine(SOLID_LAG)
      expect(await house.read(id)).toMatchObject({ status: 'Completed', txnHash: twins[kept] })
      expect(house.chain.balance(TO)).toBe(AMOUNT)
      expect(await listed(house)).not.toContain(twins[kept])
      await expectWhole(house)
    }
  },
)

test('two payments are counted again when a reorg swaps their order [W25 R09]', async () => {
  const twins = await twinsOf()
  const { house, id, own, twin } = twins
  await connect(twins, { order: 'twin first', where: 'two runs' })
  const head = house.chain.head().height
  const keep = new Map([
    [own, head - 1],
    [twin, head],
  ])
  house.chain.reorg({ depth: 4, keep })
  await house.mine(1)
  expect(await strangers(house)).toEqual([twin])
  await house.mine(1 + SOLID_LAG)
  expect(await house.read(id)).toMatchObject({ status: 'Completed', txnHash: own })
  await expectDeficit(house, twin)
})

test.each(BLOCKS)(
  'a rescan of two payments emits no event: $order, in $where [W25 E14]',
  async ({ order, where }) => {
    const twins = await twinsOf()
    const { house, id } = twins
    const from = house.chain.head().height
    const [first, second] = await connect(twins, { order, where })
    await resume(house)
    // It waits for such a payment, and neither of the two is it.
    const equal = await created(house, { recipient: TO, amount: String(AMOUNT) })
    house.chain.lets = () => false
    await house.spend()
    const { txnHash } = await house.read(equal)
    expect(txnHash).not.toBeNull()
    await house.mine(1)
    await house.world.rescan(from, house.chain.head().height, SHASTA)
    await house.world.settle()
    expect(await house.read(equal)).toMatchObject({ status: 'Processing', txnHash })
    expect(await house.read(id)).toMatchObject({ txnHash: first })
    expect(await strangers(house)).toEqual([second])
    expect(await listed(house)).toEqual([second])
    expect((await house.world.alerts()).map(({ code }) => code)).not.toContain('spend.forgotten')
    house.chain.lets = () => true
    expect(await house.conclude(equal)).toMatchObject({ status: 'Completed', txnHash })
    await expectDeficit(house, second)
  },
)

async function twinsOf(): Promise<Twins> {
  const house = await opened()
  const id = await created(house, { recipient: TO, amount: String(AMOUNT) })
  house.chain.lets = () => false
  await house.spend()
  const own = String((await house.read(id)).txnHash)
  const twin = await foreign(house, { to: TO, amount: AMOUNT })
  return { house, id, own, twin }
}

/** Brings both into blocks that the scanner reads; returns them in that order. */
async function connect(
  twins: Twins,
  { order, where }: { order: Order; where: Where },
): Promise<[string, string]> {
  const { house } = twins
  const { chain } = house
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
    if (where === 'two runs') await house.world.settle()
  }
  chain.lets = () => false
  await house.world.settle()
  return [first, second]
}

/** Included transactions of the settlement address that are unknown or do not count. */
async function strangers(house: TronHouse): Promise<string[]> {
  return (await foreignOf(house)).flatMap(({ txnHash, height }) => (height === null ? [] : txnHash))
}

async function listed(house: TronHouse): Promise<string[]> {
  return (await foreignOf(house)).map(({ txnHash }) => txnHash)
}

function foreignOf({ world, settlement: sender }: TronHouse): ReturnType<typeof listForeign> {
  return world.database.transaction((tx) => listForeign(tx, { chainId: SHASTA, sender }))
}

async function resume({ world, settlement: address }: TronHouse): Promise<void> {
  const sender = { chainId: SHASTA, address, chainNonce: 0, actor: 'cli:test', reason: 'a look' }
  await world.database.transaction((tx) => resumeSender(tx, sender))
}

/** The ledger is consistent, and above the chain by the one uncounted payment. */
async function expectDeficit(house: TronHouse, hash: string): Promise<void> {
  const { world, chain, settlement: address } = house
  const executed = chain.blockOf(hash)?.executed ?? []
  const second = executed.find(({ transaction }) => transaction.id === hash)
  const fee = BigInt(Number(second?.info['fee'] ?? 0))
  expect(await auditLedger(world)).toEqual([])
  const { findings } = await world.audit(SHASTA)
  expect(findings).toMatchObject([{ tokenId: COIN, address }])
  expect(findings.map(({ expected, found }) => expected - found)).toEqual([AMOUNT + fee])
}
