import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAIN, type Desk, openDesk } from '../../test/support/withdrawal-desk.ts'
import { moveWithdrawal, nameTransaction, noteOutcome } from '../withdrawals/rows.ts'
import { MOVES } from '../withdrawals/withdrawal.ts'
import { openMetrics } from './metrics.ts'

const MINUTE = 60_000

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
  await desk.fund(10_000n)
  await desk.addGas(10n ** 9n)
})
afterAll(() => desk.close())

test('metrics show the number of open withdrawals and the age of the oldest', async () => {
  const { clock, database } = desk.door.harness
  expect(await exposed()).toEqual([])
  await desk.threshold(2)
  const first = await desk.created()
  await clock.advance(60 * MINUTE)
  await desk.created()
  await clock.advance(10 * MINUTE)
  expect(await exposed()).toEqual([
    `sluice_withdrawal_oldest_seconds{chain="${CHAIN}",status="PendingApproval"} 4200`,
    `sluice_withdrawals_open{chain="${CHAIN}",status="PendingApproval"} 2`,
  ])
  const signer = await desk.signer()
  // Approved after more than an hour: the wait for its payment begins only now.
  expect(await signer.approve(first)).toMatchObject({ status: 200 })
  await clock.advance(5 * MINUTE)
  expect(await exposed('Pending')).toEqual([
    `sluice_withdrawal_oldest_seconds{chain="${CHAIN}",status="Pending"} 300`,
    `sluice_withdrawals_open{chain="${CHAIN}",status="Pending"} 1`,
  ])
  const paid = { orgId: desk.orgId, id: first }
  await database.transaction((tx) => moveWithdrawal(tx, { ...paid, move: MOVES.process }))
  await clock.advance(5 * MINUTE)
  const dearer = { orgId: desk.orgId, ids: [first], txnHash: '0xdearer' }
  await database.transaction((tx) => nameTransaction(tx, dearer))
  expect(await exposed('Processing')).toEqual([
    `sluice_withdrawal_oldest_seconds{chain="${CHAIN}",status="Processing"} 600`,
    `sluice_withdrawals_open{chain="${CHAIN}",status="Processing"} 1`,
  ])
  expect(await exposed('Pending')).toEqual([])
  await database.transaction(async (tx) => {
    await moveWithdrawal(tx, { ...paid, move: MOVES.complete })
    await noteOutcome(tx, { ...paid, completedAt: clock.now() })
  })
  expect(await exposed('Processing')).toEqual([])
})

/** The metrics lines of withdrawals, of one status if it is passed. */
async function exposed(status?: string): Promise<string[]> {
  const { database, clock } = desk.door.harness
  const catalogue = { isConfigured: () => true }
  const text = await openMetrics({ database, clock, catalogue, version: '0' }).expose()
  return text
    .split('\n')
    .filter((line) => line.startsWith('sluice_withdrawal'))
    .filter((line) => status === undefined || line.includes(`status="${status}"`))
    .toSorted()
}
