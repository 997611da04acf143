import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusalIn } from '../../../test/support/door.ts'
import { type Desk, openDesk } from '../../../test/support/withdrawal-desk.ts'
import type { IncludedSpend, Spend } from '../../transactions/core/spend.ts'
import type { Tx } from '../../store/database.ts'
import { withdrawalHooks } from './settle.ts'

let desk: Desk
let step: ReturnType<typeof withdrawalHooks>
beforeAll(async () => {
  desk = await openDesk()
  step = withdrawalHooks({ catalogue: desk.door.deps.catalogue })
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.tamper("update withdrawals set status = 'Cancelled' where status like 'Pending%'")
  await desk.tamper("update spends set state = 'Settled'")
  await desk.fund(1_000n)
  await desk.addGas(10n ** 9n)
})

test('A05 one that failed keeps its reference, and is not paid under it again', async () => {
  const reference = 'it failed'
  const id = await desk.created({ reference })
  expect(await desk.tick()).toBe(1)
  await desk.settle(id, false)
  expect(await desk.read(id)).toMatchObject({ status: 'Failed' })
  expect(refusalIn(await desk.create({ reference }))).toMatchObject({
    error: 'DUPLICATE_REFERENCE',
    details: { existingWithdrawalId: id, sameParameters: true },
  })
  expect(await desk.tick()).toBe(0)
  expect(await desk.read(id)).toMatchObject({ status: 'Failed' })
})

describe('settlement by the chain', () => {
  test('I17 included, the amount leaves the reserve; deep enough, it is completed', async () => {
    const { id, spend } = await sent()
    const [reserved, available] = [await desk.reserved(), await desk.available()]
    await run((tx) => step.onIncluded(tx, seen(spend)))
    expect(await desk.reserved()).toBe(reserved - 60n)
    expect(await desk.read(id)).toMatchObject({ status: 'Processing', fee: null })
    await run((tx) => step.onSettled(tx, { ...spend, txnHash: '0xreplacement' }))
    expect(await desk.read(id)).toMatchObject({
      status: 'Completed',
      fee: 21n,
      txnHash: '0xreplacement',
      completedAt: desk.door.harness.clock.now(),
    })
    expect(await desk.available()).toBe(available)
    const told = await toldOf(id)
    expect(told.map(({ type }) => type).slice(-2)).toEqual([
      'withdrawal.processing',
      'withdrawal.completed',
    ])
    expect(told.at(-1)?.payload).toMatchObject({
      status: 'Completed',
      txnHash: '0xreplacement',
      completedAt: expect.stringMatching(/Z$/),
    })
  })

  test('a replaced withdrawal shows the new hash and emits no second event [W18]', async () => {
    const { id, spend } = await sent()
    const told = (await toldOf(id)).length
    await run((tx) => step.onReplaced(tx, { ...spend, txnHash: '0xdearer' }))
    expect(await desk.read(id)).toMatchObject({ status: 'Processing', txnHash: '0xdearer' })
    expect(await toldOf(id)).toHaveLength(told)
    await run((tx) => step.onIncluded(tx, seen(spend)))
    await run((tx) => step.onSettled(tx, spend))
    await run((tx) => step.onReplaced(tx, { ...spend, txnHash: '0xlate' }))
    expect(await desk.read(id)).toMatchObject({ status: 'Completed', txnHash: spend.txnHash })
  })

  test('W22 included and reverted: failed when it is deep, and given back once', async () => {
    const { id, spend } = await sent()
    const available = await desk.available()
    const reverted = { ...spend, succeeded: false }
    await run((tx) => step.onIncluded(tx, seen(reverted)))
    expect(await desk.read(id)).toMatchObject({ status: 'Processing' })
    expect(await desk.available()).toBe(available)
    await run((tx) => step.onSettled(tx, reverted))
    expect(await desk.available()).toBe(available + 60n)
    expect(await desk.read(id)).toMatchObject({
      status: 'Failed',
      failureCode: 'REVERTED',
      fee: 21n,
      txnHash: spend.txnHash,
    })
    expect((await toldOf(id)).map(({ type }) => type).slice(-2)).toEqual([
      'withdrawal.failed',
      'balance.updated',
    ])
  })

  test('W19 displaced by a transaction that is not ours: failed, and given back', async () => {
    const { id, spend } = await sent()
    const available = await desk.available()
    await run((tx) => step.onDisplaced(tx, { ...spend, state: 'Displaced' }))
    expect(await desk.available()).toBe(available + 60n)
    expect(await desk.read(id)).toMatchObject({ status: 'Failed', failureCode: 'DISPLACED' })
  })

  test('R09 a completed one that is reorged out keeps its status, reserved again', async () => {
    const { id, spend } = await sent()
    const reserved = await desk.reserved()
    await run((tx) => step.onIncluded(tx, seen(spend)))
    await run((tx) => step.onSettled(tx, spend))
    await run((tx) => step.onReorged(tx, spend))
    expect(await desk.reserved()).toBe(reserved)
    expect(await desk.read(id)).toMatchObject({ status: 'Completed' })
    const told = (await toldOf(id)).length
    await run((tx) => step.onIncluded(tx, seen(spend)))
    await run((tx) => step.onSettled(tx, { ...spend, txnHash: '0xagain' }))
    expect(await desk.reserved()).toBe(reserved - 60n)
    expect(await desk.read(id)).toMatchObject({ status: 'Completed', txnHash: '0xagain' })
    expect(await toldOf(id)).toHaveLength(told)
    expect(await desk.alerts('withdrawal.contradicted')).not.toContain(id)
  })

  test('R09 a failed one whose block left the chain is reserved again', async () => {
    const { id, spend } = await sent()
    const reverted = { ...spend, succeeded: false }
    await run((tx) => step.onIncluded(tx, seen(reverted)))
    await run((tx) => step.onSettled(tx, reverted))
    const [available, reserved] = [await desk.available(), await desk.reserved()]
    await desk.book({
      debit: 'claim:available',
      credit: `place:settlement:${desk.settlement}`,
      amount: available,
    })
    await run((tx) => step.onReorged(tx, reverted))
    expect([await desk.available(), await desk.reserved()]).toEqual([-60n, reserved + 60n])
    await run((tx) => step.onIncluded(tx, seen(reverted)))
    await run((tx) => step.onSettled(tx, reverted))
    expect([await desk.available(), await desk.reserved()]).toEqual([0n, reserved])
    expect(await desk.alerts('withdrawal.contradicted')).not.toContain(id)
  })

  test('R09 a failed one whose block leaves the chain twice is reserved again once', async () => {
    const { id, spend } = await sent()
    const reverted = { ...spend, succeeded: false }
    await run((tx) => step.onIncluded(tx, seen(reverted)))
    await run((tx) => step.onSettled(tx, reverted))
    const [available, reserved] = [await desk.available(), await desk.reserved()]
    for (let reorgs = 0; reorgs < 2; reorgs += 1) {
      await run((tx) => step.onReorged(tx, reverted))
      expect([await desk.available(), await desk.reserved()]).toEqual([
        available - 60n,
        reserved + 60n,
      ])
      await run((tx) => step.onIncluded(tx, seen(reverted)))
    }
    await run((tx) => step.onSettled(tx, reverted))
    expect([await desk.available(), await desk.reserved()]).toEqual([available, reserved])
    expect(await desk.read(id)).toMatchObject({ status: 'Failed' })
    expect(await desk.alerts('withdrawal.contradicted')).not.toContain(id)
  })

  test('R09 one that failed, was paid after all and is reorged out is reserved once', async () => {
    const { spend } = await sent()
    const reverted = { ...spend, succeeded: false }
    await run((tx) => step.onIncluded(tx, seen(reverted)))
    await run((tx) => step.onSettled(tx, reverted))
    const [available, reserved] = [await desk.available(), await desk.reserved()]
    await run((tx) => step.onReorged(tx, reverted))
    await run((tx) => step.onIncluded(tx, seen(spend)))
    await run((tx) => step.onSettled(tx, spend))
    await run((tx) => step.onReorged(tx, spend))
    expect([await desk.available(), await desk.reserved()]).toEqual([
      available - 60n,
      reserved + 60n,
    ])
  })

  test('a different outcome after a reorg raises an alert [R09]', async () => {
    const { id, spend } = await sent()
    await run((tx) => step.onIncluded(tx, seen(spend)))
    await run((tx) => step.onSettled(tx, spend))
    await run((tx) => step.onReorged(tx, spend))
    const reverted = { ...spend, succeeded: false }
    const reserved = await desk.reserved()
    await run((tx) => step.onIncluded(tx, seen(reverted)))
    await run((tx) => step.onSettled(tx, reverted))
    expect(await desk.alerts('withdrawal.contradicted')).toContain(id)
    expect(await desk.read(id)).toMatchObject({ status: 'Completed' })
    expect(await desk.reserved()).toBe(reserved)
  })

  test('R09 one that failed and can never be included after a reorg is given back', async () => {
    const { id, spend } = await sent()
    const reverted = { ...spend, succeeded: false }
    await run((tx) => step.onIncluded(tx, seen(reverted)))
    await run((tx) => step.onSettled(tx, reverted))
    const before = [await desk.available(), await desk.reserved()]
    await run((tx) => step.onReorged(tx, reverted))
    await run((tx) => step.onDisplaced(tx, { ...spend, state: 'Displaced' }))
    expect([await desk.available(), await desk.reserved()]).toEqual(before)
    expect(await desk.read(id)).toMatchObject({ status: 'Failed' })
    expect(await desk.alerts('withdrawal.contradicted')).not.toContain(id)
  })

  test('A13 a status changed behind the service’s back does not stop the chain', async () => {
    const { id, spend } = await sent()
    await desk.tamper(`update withdrawals set status = 'Cancelled' where id = '${id}'`)
    await run((tx) => step.onIncluded(tx, seen(spend)))
    await run((tx) => step.onSettled(tx, spend))
    expect(await desk.alerts('withdrawal.tampered')).toContain(id)
  })
})

async function sent(): Promise<{ id: string; spend: IncludedSpend }> {
  const id = await desk.created()
  let spend: Spend | null = null
  const { sendSpend } = await import('../../transactions/send.ts')
  const { processWithdrawals } = await import('../pay/process.ts')
  const deps = desk.deps()
  await processWithdrawals(deps, async (mandate) => {
    const outcome = await sendSpend(deps, mandate)
    if (outcome.outcome === 'sent') spend = outcome.spend
    return outcome
  })
  if (spend === null) throw new Error('no spend was sent')
  const block = { height: 1_001, hash: '0xb1' }
  return { id, spend: { ...Object(spend), succeeded: true, fee: 21n, block } }
}

function seen(spend: IncludedSpend) {
  return { ...spend, transfers: [], block: { ...spend.block, time: 0 } }
}

function run(work: (tx: Tx) => Promise<void>): Promise<void> {
  return desk.door.harness.database.transaction(work)
}

async function toldOf(id: string) {
  const told = await desk.told()
  return told.filter(({ payload }) => [payload['id'], payload['referenceId']].includes(id))
}
