import { encodeCall } from '@sluice/simulator'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { followChain } from '../../src/scanner/follow.ts'
import type { Holder } from '../../src/scanner/watcher.ts'
import type { Database } from '../../src/store/database.ts'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { worldOn } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const USERS = 30
const PAYMENTS = 50
const BATCH = 'batchTransfer(address[],uint256[])'

let anvil: AnvilChain
let token: string
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  token = await anvil.create()
})
afterAll(() => anvil.stop())

describe('one transaction with 50 transfers to 30 users', () => {
  test('50 transfers of one transaction are 50 deposits, also if equal [E14]', async () => {
    const world = await openPaid()
    await confirm(world)
    await expectAll(world)
    const equal = (await world.deposits()).filter(
      ({ externalUserId, amount }) => externalUserId === 'user 0' && amount === 7n,
    )
    expect(equal).toHaveLength(3)
  })

  test.each([1, 25, 50])(
    '50 transfers are 50 deposits after a crash at transfer %i [E14]',
    async (nth) => {
      const world = await openPaid()
      const holder = await world.holder()
      const dying = { ...holder, catalogue: crashingAt(holder, nth) }
      await expect(stepAlone(dying)).rejects.toThrow('killed')
      await expectNone(world)
      await world.restart()
      await confirm(world)
      await expectAll(world)
    },
  )

  test('50 transfers are 50 deposits when the connection breaks at the commit [E14]', async () => {
    const world = await openPaid()
    const holder = await world.holder()
    const dying = { ...holder, database: losingConnection(holder.database) }
    await expect(stepAlone(dying)).rejects.toThrow()
    await expectNone(world)
    await world.restart()
    await confirm(world)
    await expectAll(world)
  })

  test('50 transfers are credited once after a crash while crediting [E14]', async () => {
    const world = await openPaid()
    await world.settle()
    await anvil.mine(REQUIRED)
    const holder = await world.holder()
    // The first 50 queries are for the confirmed deposits, the others for their balances.
    for (const nth of [1, 50, 75]) {
      const dying = { ...holder, catalogue: crashingAt(holder, nth) }
      await expect(stepAlone(dying)).rejects.toThrow('killed')
      expect(await world.balance(tokenId(SEPOLIA, token))).toBe(0n)
    }
    await world.restart()
    await world.settle()
    await expectAll(world)
  })
})

/** A world whose users were just paid, in a block that is not scanned yet. */
async function openPaid(): Promise<World> {
  const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, token)] })
  const addresses: string[] = []
  for (let user = 0; user < USERS; user += 1) {
    addresses.push((await world.issue(`user ${user}`)).address)
  }
  const payments = Array.from({ length: PAYMENTS }, (_, at) => ({
    // The first three pay one user the same amount; the others take turns.
    to: addresses[at < 3 ? 0 : at % USERS] ?? '',
    amount: at < 3 ? 7n : BigInt(100 + at),
  }))
  const lists = [payments.map(({ to }) => to), payments.map(({ amount }) => amount)]
  const data = encodeCall(BATCH, lists)
  const { logs } = await anvil.send({ to: token, data, gas: 5_000_000 })
  expect(logs).toHaveLength(PAYMENTS)
  return world
}

function stepAlone(holder: Holder) {
  return followChain(holder, new BlocksAhead(holder.adapter, 8))
}

/** The process crashes at the n-th event of a step. */
function crashingAt({ catalogue }: Holder, nth: number): Holder['catalogue'] {
  let asked = 0
  return {
    ...catalogue,
    summary(id) {
      asked += 1
      if (asked === nth) throw new Error('killed')
      return catalogue.summary(id)
    },
  }
}

function losingConnection(database: Database): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`)
        return result
      }),
  }
}

/** Mines the required confirmations, and returns the new events. */
async function confirm(world: World): Promise<void> {
  await anvil.mine(REQUIRED)
  await world.settle()
}

async function expectNone(world: World): Promise<void> {
  expect(await world.deposits()).toEqual([])
  expect(await world.balances()).toEqual({})
  expect(await world.events('deposit.detected')).toEqual([])
}

async function expectAll(world: World): Promise<void> {
  const deposits = await world.deposits()
  expect(deposits).toHaveLength(PAYMENTS)
  expect(new Set(deposits.map(({ id }) => id)).size).toBe(PAYMENTS)
  expect(new Set(deposits.map(({ position }) => position)).size).toBe(PAYMENTS)
  expect(new Set(deposits.map(({ externalUserId }) => externalUserId)).size).toBe(USERS)
  expect(new Set(deposits.map(({ status }) => status))).toEqual(new Set(['Confirmed']))
  const total = 21n + deposits.filter(({ amount }) => amount > 7n).reduce(sumUp, 0n)
  expect(await world.balance(tokenId(SEPOLIA, token))).toBe(total)
  const told = await world.events('deposit.detected', 'deposit.confirmed', 'balance.updated')
  expect(told).toHaveLength(3 * PAYMENTS)
  expect((await world.audit()).findings).toEqual([])
}

function sumUp(sum: bigint, { amount }: { amount: bigint }): bigint {
  return sum + amount
}
