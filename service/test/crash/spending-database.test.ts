import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  breakWrites,
  DATABASE_FAULTS,
  type DatabaseFault,
  mendWrites,
} from '../faults/database-faults.ts'
import type { World } from '../support/world.ts'
import * as coins from './coin-life.ts'
import { type CrashingSpender, openCrashingSpender } from './crashing-spender.ts'
import { expectBooked, expectWhole, sweepTwo, withdrawTwo } from './money-life.ts'

/** Every table that payments write to, in addition to those of scanner steps. */
const TABLES = [
  'withdrawals',
  'withdrawal_approvals',
  'spends',
  'spend_transactions',
  'senders',
  'sweeps',
  'top_ups',
]
const COIN_TABLES = [...TABLES, 'coins', 'transaction_coins']
/** A Bitcoin payment covers many withdrawals, and writes less. */
const [ONE_IN, ONE_COIN_IN] = [12, 9]
/** Each fault of a transaction, once. */
const COURSE = { bumps: 1, forgets: 1, reorgs: 1 }

describe('a spender while the database sometimes fails', () => {
  let crashing: CrashingSpender
  beforeAll(async () => {
    crashing = await openCrashingSpender('spending and the database')
  })
  afterAll(() => crashing?.close())

  test.each(DATABASE_FAULTS)('pays once and sweeps once with %s [O05]', async (what, fault) => {
    const { world } = crashing
    await withFaults(world, { fault, oneIn: ONE_IN, seed: what, tables: TABLES }, async () => {
      await withdrawTwo(crashing, COURSE)
      await sweepTwo(crashing, COURSE)
    })
    await expectBooked(crashing)
  })

  test('every payment is made once [O05]', () => expectWhole(crashing))
})

describe('a Bitcoin spender while the database sometimes fails', () => {
  let harness: coins.MortalCoins
  beforeAll(async () => {
    harness = await coins.openMortalCoins('coins and the database')
  })
  afterAll(() => harness?.mortal.close())

  test.each(DATABASE_FAULTS)('pays each of two once with %s [O05]', async (what, fault) => {
    const { world } = harness.mortal
    const options = { fault, oneIn: ONE_COIN_IN, seed: what, tables: COIN_TABLES }
    await withFaults(world, options, () => coins.withdrawTogether(harness, COURSE))
  })

  test('no two payments share an unspent output, and all are in the ledger [O05]', async () => {
    await coins.expectWhole(harness)
    expect(harness.mortal.failures).toEqual([])
  })
})

/** Does something while writes to these tables fail now and then; and some did. */
async function withFaults(
  { urls: { owner } }: World,
  options: { fault: DatabaseFault; oneIn: number; seed: string; tables: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  await breakWrites(owner, options)
  const [done] = await Promise.allSettled([work()])
  const hits = await mendWrites(owner)
  expect(done).toMatchObject({ status: 'fulfilled' })
  expect(hits).toBeGreaterThan(0)
}
