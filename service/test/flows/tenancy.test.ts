import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openAccount } from '../../src/accounts/open.ts'
import { holdDeposit } from '../../src/deposits/hold.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { SEPOLIA } from '../support/world-life.ts'

describe('two organizations', () => {
  test('organizations paid in one transaction see only their own deposits [I18]', async () => {
    const { world, chain, confirm } = await simulated()
    const second = await world.found('Second')
    const mine = await world.issue('ann')
    const theirs = await world.issue('ann', SEPOLIA, second)
    expect(theirs.address).not.toBe(mine.address)
    chain.batch([
      { to: mine.address, amount: 5n },
      { to: theirs.address, amount: 7n },
    ])
    await confirm()
    expect(await world.deposits()).toMatchObject([{ orgId: world.orgId, amount: 5n }])
    expect(await world.deposits(second)).toMatchObject([{ orgId: second, amount: 7n }])
    expect(await world.balance(ETHER)).toBe(5n)
    expect(await world.balance(ETHER, 'claim:available', second)).toBe(7n)
    for (const [orgId, amount] of [
      [world.orgId, '5'],
      [second, '7'],
    ] as const) {
      const told = await world.eventsOf(orgId)
      expect(told.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
        '1 account.created',
        '2 deposit.detected',
        '3 deposit.confirmed',
        '4 balance.updated',
      ])
      expect(told[1]?.payload['amount']).toBe(amount)
    }
  })

  test('a deposit of another organization cannot be held or released [I18]', async () => {
    const { world, chain, mine } = await simulated()
    const second = await world.found('Second')
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    await mine()
    const [deposit] = await world.deposits()
    const hold = {
      catalogue: world.catalogue,
      depositId: deposit?.id ?? '',
      actor: 'test',
      reason: 'not mine',
    }
    // The role of the API may not change deposits; it does not see other organizations'.
    await expect(world.database.forOrg(second, (tx) => holdDeposit(tx, hold))).rejects.toThrow()
    const seen = await world.database.forOrg(second, (tx) =>
      tx.one(sql<{ rows: number }>`
        select (select count(*) from incoming_transfers)
             + (select count(*) from balances)
             + (select count(*) from postings)
             + (select count(*) from accounts)
             + (select count(*) from events)
             + (select count(*) from watched_addresses) as rows`),
    )
    expect(seen.rows).toBe(0)
    expect(await world.deposits()).toMatchObject([{ status: 'Detected' }])
  })

  test('a freeze is reported to all organizations with accounts on the chain [R04]', async () => {
    const { world, chain, mine, confirm } = await simulated()
    const second = await world.found('Second')
    const { address } = await world.issue('ann')
    await world.issue('bob', SEPOLIA, second)
    await mine(3)
    chain.pay({ to: address, amount: 5n })
    await confirm()
    chain.reorg({ depth: 5, keep: 'none' })
    await world.settle()
    const told = await world.eventsOf(second)
    expect(told.map(({ type }) => type)).toEqual(['account.created', 'chain.frozen'])
    expect(await world.balance(ETHER)).toBe(0n)
  })
})

describe('derivation indexes of addresses', () => {
  test('a crash right before the commit neither skips nor reuses an index [K06]', async () => {
    const { world } = await simulated()
    for (const user of ['ann', 'bob', 'cid']) {
      await expect(issueAndDie(world, user)).rejects.toThrow()
      expect(await places(world)).toHaveLength(['ann', 'bob', 'cid'].indexOf(user))
      await world.restart()
      await world.issue(user)
    }
    expect(await places(world)).toEqual(['0/0 ann', '0/1 bob', '0/2 cid'])
  })

  test('concurrent requests get distinct indexes without gaps despite crashes [K06]', async () => {
    const { world } = await simulated()
    const users = Array.from({ length: 24 }, (_, at) => `user ${at}`)
    const outcomes = await Promise.allSettled(
      users.map((user, at) => (at % 3 === 0 ? issueAndDie(world, user) : world.issue(user))),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBe(8)
    const taken = (await places(world)).map((place) => place.split(' ')[0])
    expect(taken).toEqual(Array.from({ length: 16 }, (_, at) => `0/${at}`))
    const accounts = await Promise.all(users.map((user) => world.issue(user)))
    expect(new Set(accounts.map(({ address }) => address)).size).toBe(24)
  })
})

/** The process ends after all writes and before the commit. */
function issueAndDie(world: World, user: string): Promise<never> {
  const entry = world.entry(SEPOLIA)
  const request = { keys: world.keys, entry, orgId: world.orgId, externalUserId: user }
  return world.database.forOrg(world.orgId, async (tx) => {
    await openAccount(tx, request)
    await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`)
    throw new Error('the process outlived its connection')
  })
}

/** Wallet, index and owner of each account. */
async function places(world: World): Promise<string[]> {
  const rows = await world.database.transaction((tx) =>
    tx.many(sql<{ place: string }>`
      select wallet_number || '/' || path_index || ' ' || external_user_id as place
        from accounts
       order by path_index`),
  )
  return rows.map(({ place }) => place)
}
