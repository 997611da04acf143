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

/** Every table that is written to while money goes out, besides those of the scanner's steps. */
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
/** A payment of coins is one of many withdrawals, and writes less. */
const [ONE_IN, ONE_COIN_IN] = [12, 9]
/** All that may befall a transaction, once. */
const COURSE = { bumps: 1, forgets: 1, reorgs: 1 }

describe('money that goes out while the database fails now and then', () => {
  let crashing: CrashingSpender
  beforeAll(async () => {
    crashing = await openCrashingSpender('spending and the database')
  })
  afterAll(() => crashing?.close())

  test.each(DATABASE_FAULTS)('O05 for %s is paid once, and swept once', async (what, fault) => {
    const { world } = crashing
    await withFaults(world, { fault, oneIn: ONE_IN, seed: what, tables: TABLES }, async () => {
      await withdrawTwo(crashing, COURSE)
      await sweepTwo(crashing, COURSE)
    })
    await expectBooked(crashing)
  })

  test('O05 nothing is lost or doubled in the end', () => expectWhole(crashing))
})

describe('coins that go out while the database fails now and then', () => {
  let house: coins.MortalCoins
  beforeAll(async () => {
    house = await coins.openMortalCoins('coins and the database')
  })
  afterAll(() => house?.mortal.close())

  test.each(DATABASE_FAULTS)('O05 for %s pay each of two once', async (what, fault) => {
    const { world } = house.mortal
    const given = { fault, oneIn: ONE_COIN_IN, seed: what, tables: COIN_TABLES }
    await withFaults(world, given, () => coins.withdrawTogether(house, COURSE))
  })

  test('O05 in the end no two share a coin, and all is booked', async () => {
    await coins.expectWhole(house)
    expect(house.mortal.failures).toEqual([])
  })
})

/** Does something while writes to these tables fail now and then; and some did. */
async function withFaults(
  { urls: { owner } }: World,
  given: { fault: DatabaseFault; oneIn: number; seed: string; tables: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  await breakWrites(owner, given)
  const [done] = await Promise.allSettled([work()])
  const hits = await mendWrites(owner)
  expect(done).toMatchObject({ status: 'fulfilled' })
  expect(hits).toBeGreaterThan(0)
}
