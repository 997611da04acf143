import { startReceiver } from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Outage, Refusal } from '../../src/base/fault.ts'
import { listDeposits } from '../../src/deposits/list.ts'
import { listAccounts } from '../../src/accounts/list.ts'
import { holdDeposit, releaseDeposit } from '../../src/deposits/hold.ts'
import { withSession } from '../../src/store/connection.ts'
import type { Deliverer } from '../../src/webhooks/deliver.ts'
import { openDatabaseDoor } from './database-door.ts'
import { breakCommits, breakWrites, DATABASE_FAULTS, mendWrites } from './database-faults.ts'
import { confirm, type Faulty, followWhilePossible, openFaulty } from './fault-world.ts'
import { openOutboxWorld, type OutboxWorld } from './outbox-world.ts'

const ROUNDS = 8
const EVENTS = 60

describe('the scanner on a failing database', () => {
  test.each(DATABASE_FAULTS)(
    'the scanner loses and repeats nothing despite %s [O05]',
    async (_what, fault) => {
      const faulty = await openFaulty()
      const { owner } = faulty.world.urls
      await faulty.payer.meetAll()
      await breakWrites(owner, { fault, oneIn: 12, seed: 'O05' })
      await liveThrough(faulty)
      await mendWrites(owner)
      await expectTruth(faulty)
    },
  )

  test('the scanner loses and repeats nothing when commits fail [O05]', async () => {
    const faulty = await openFaulty()
    const { owner } = faulty.world.urls
    await faulty.payer.meetAll()
    await breakCommits(owner, { code: '40001', oneIn: 2, seed: 'O05', table: 'chain_states' })
    await liveThrough(faulty)
    await mendWrites(owner)
    await expectTruth(faulty)
  })

  test('the scanner reads its result again after a lost answer to a commit [W24]', async () => {
    const faulty = await openFaulty()
    const { world, payer } = faulty
    await payer.meetAll()
    const door = await openDatabaseDoor(world.urls)
    await world.restart()
    // Takes the lease, which the world asks for once.
    await followWhilePossible(world)
    await liveThrough(faulty, () => {
      if (payer.random.chance(1 / 2)) door.loseNextCommit()
    })
    expect(door.lost).toBeGreaterThan(3)
    await expectTruth(faulty)
  })
})

describe('an outage of the database', () => {
  test('a database that is full after an outage loses nothing [O05]', async () => {
    const faulty = await openFaulty()
    const { world, chain, payer } = faulty
    const door = await openDatabaseDoor(world.urls)
    await world.restart()
    await payer.payAnything()
    await confirm(faulty)
    door.crowd(true)
    chain.mine(3)
    const outage = await followWhilePossible(world)
    expect(outage).toBeInstanceOf(Outage)
    expect(outage?.message).toContain('too many clients')
    door.crowd(false)
    await world.settle()
    expect(chain.head()).toMatchObject((await world.state()).tip)
    await payer.payAnything()
    await expectTruth(faulty)
  })

  test('a database that is read-only after an outage loses nothing [O05]', async () => {
    const faulty = await openFaulty()
    const { world, chain, payer } = faulty
    const door = await openDatabaseDoor(world.urls)
    await world.restart()
    await payer.payAnything()
    await confirm(faulty)
    const before = await world.state()
    await setReadOnly(world.urls.owner, true)
    door.cut()
    chain.mine(3)
    expect((await followWhilePossible(world))?.message).toContain('read-only')
    expect(await world.state()).toEqual(before)
    await setReadOnly(world.urls.owner, false)
    door.cut()
    await payer.payAnything()
    await expectTruth(faulty)
  })
})

describe('concurrent steps of all kinds', () => {
  test('concurrent steps wait or retry, and all complete [O05]', async () => {
    const faulty = await openFaulty()
    const { world, chain, payer } = faulty
    for (let round = 0; round < 6; round += 1) {
      for (let payments = 0; payments < 6; payments += 1) await payer.payAnything()
      chain.mine(1)
      await Promise.all([
        world.settle(),
        ...Array.from({ length: 8 }, (_, at) => world.issue(`user ${round} ${at}`)),
        ...Array.from({ length: 4 }, () => holdAndRelease(world)),
      ])
    }
    await confirm(faulty)
    await confirm(faulty)
    const deposits = await world.deposits()
    expect(deposits).toHaveLength(payer.paid.length)
    expect(new Set(deposits.map(({ status }) => status))).toEqual(new Set(['Confirmed']))
    expect((await world.audit()).findings).toEqual([])
    expect(await world.events('account.created')).toHaveLength((await accounts(world)).length)
    const numbers = (await world.events()).map(({ sequence }) => sequence)
    expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  })
})

describe('the deliverer on a failing database', () => {
  test.each(DATABASE_FAULTS)(
    'every event is delivered under its one id despite %s [O05]',
    async (_what, fault) => {
      const receiver = await startReceiver()
      onTestFinished(() => receiver.stop())
      const world = await openOutboxWorld('O05')
      const orgId = await world.found(receiver)
      await world.tell(orgId, EVENTS)
      const tables = ['deliveries', 'delivery_attempts']
      const { owner } = world.harness.urls
      await breakWrites(owner, { fault, oneIn: 3, seed: 'O05', tables })
      const deliverer = world.deliverer([receiver], { limits: { batchMax: 5 } })
      await deliverAll(world, deliverer, orgId)
      await mendWrites(owner)
      await deliverer.close()
      const ids = await world.eventIds(orgId)
      const got = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '')
      expect([...new Set(got)].sort()).toEqual(ids)
      const attempts = await world.attempts(orgId)
      expect(attempts.map(({ number, status }) => [number, status])).toEqual(
        ids.map(() => [1, 200]),
      )
    },
  )
})

/** Payments of all kinds and occasional reorgs, scanned as far as the faults allow. */
async function liveThrough(faulty: Faulty, before: () => void = () => undefined): Promise<void> {
  const { chain, payer, world } = faulty
  for (let round = 0; round < ROUNDS; round += 1) {
    await payer.payAnything()
    chain.mine(2)
    before()
    await followWhilePossible(world)
    if (round % 4 === 3) chain.reorg({ depth: 2, keep: 'shuffled' })
    before()
    await followWhilePossible(world)
  }
}

/**
 * Every payment is credited, emitted exactly once for each time it was seen, and the ledger is
 * consistent.
 */
async function expectTruth(faulty: Faulty): Promise<void> {
  const { world, payer } = faulty
  await confirm(faulty)
  const deposits = await world.deposits()
  expect(deposits.map(({ txnHash, amount }) => `${txnHash} ${amount}`).sort()).toEqual(
    payer.paid.map(({ txnHash, amount }) => `${txnHash} ${amount}`).sort(),
  )
  expect(new Set(deposits.map(({ status }) => status))).toEqual(new Set(['Confirmed']))
  for (const { id } of deposits) {
    const told = (await world.events()).filter(({ payload }) => payload['id'] === id)
    const types = told.map(({ type }) => type.replace('deposit.', ''))
    expect(types.join(' ')).toMatch(/^detected( reverted detected)* confirmed$/)
  }
  expect(await world.events('balance.updated')).toHaveLength(deposits.length)
  expect((await world.audit()).findings).toEqual([])
  const numbers = (await world.events()).map(({ sequence }) => sequence)
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
}

const SETTING = 'default_transaction_read_only'

async function setReadOnly(ownerUrl: string, isReadOnly: boolean): Promise<void> {
  const { pathname } = new URL(ownerUrl)
  const database = decodeURIComponent(pathname.slice(1))
  await withSession(ownerUrl, async (session) => {
    await session.script('set default_transaction_read_only = off')
    await session.script(`alter database ${database} set ${SETTING} = ${isReadOnly}`)
  })
}

/** Holds and releases any deposit; the rejection of one that changed meanwhile is expected. */
async function holdAndRelease({ database, catalogue, orgId }: Faulty['world']): Promise<void> {
  const page = { orgId, filter: { status: 'Detected' as const }, after: null, limit: 1 }
  const [deposit] = await database.forOrg(orgId, (tx) => listDeposits(tx, page))
  if (deposit === undefined) return
  const decision = { catalogue, depositId: deposit.id, actor: 'test', reason: 'a look' }
  try {
    await database.transaction((tx) => holdDeposit(tx, decision))
    await database.transaction((tx) => releaseDeposit(tx, decision))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

async function accounts({ database, keys, orgId }: Faulty['world']): Promise<unknown[]> {
  const page = { orgId, filter: {}, after: null, limit: 1_000 }
  const listed = await database.forOrg(orgId, (tx) => listAccounts(tx, keys.serviceKey, page))
  return listed.accounts
}

/** Ticks until everything is delivered; an outage in a tick is followed by another tick. */
async function deliverAll(world: OutboxWorld, deliverer: Deliverer, orgId: string): Promise<void> {
  const { clock } = world.harness
  for (let rounds = 0; rounds < 200; rounds += 1) {
    const ticking = { isOver: false }
    const ticked = deliverer
      .tick()
      .catch((error: unknown) => expect(error).toBeInstanceOf(Outage))
      .finally(() => (ticking.isOver = true))
    while (!ticking.isOver) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (clock.sleeping > 1) await clock.advance(500)
    }
    await ticked
    if ((await world.states(orgId))['delivered'] === EVENTS) return
    await clock.advance(45_000)
  }
  throw new Error('not everything was delivered')
}
