import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { holdDeposit, releaseDeposit } from '../../src/deposits/hold.ts'
import { recordOwnTransaction } from '../../src/transactions/core/own.ts'
import type { Purpose } from '../../src/transactions/core/spend.ts'
import { parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

describe('an operator', () => {
  test('a held deposit is credited only after its release', async () => {
    const { world, chain, mine, confirm } = await simulated()
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    await mine()
    await hold(world)
    await confirm()
    expect(await world.deposits()).toMatchObject([
      { status: 'Held', booked: 'held', heldCause: 'looks stolen' },
    ])
    expect(await world.balances()).toMatchObject({ [`${ETHER} claim:held`]: 5n })
    await release(world)
    await world.settle()
    expect(await world.deposits()).toMatchObject([
      { status: 'Confirmed', cleared: true, heldCause: '' },
    ])
    expect(await world.balance(ETHER)).toBe(5n)
    const told = await world.events()
    expect(told.map(({ type }) => type).slice(1)).toEqual([
      'deposit.detected',
      'deposit.held',
      'deposit.confirmed',
      'balance.updated',
    ])
    expect(await auditLog(world)).toEqual(['deposit.hold looks stolen', 'deposit.release is fine'])
  })

  test('a held deposit reports its confirmations', async () => {
    const { world, chain, mine } = await simulated()
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    await mine()
    await mine()
    await hold(world)
    const held = (await world.events()).find(({ type }) => type === 'deposit.held')
    expect(held?.payload).toMatchObject({ status: 'Held', confirmations: 1 })
  })

  test('a credited deposit cannot be held, nor one released that is not held', async () => {
    const { world, chain, mine, confirm } = await simulated()
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    await mine()
    await expect(release(world)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await confirm()
    await expect(hold(world)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const unknown = { ...target(world), depositId: world.orgId }
    await expect(
      world.database.transaction((tx) => holdDeposit(tx, unknown)),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await auditLog(world)).toEqual([])
    expect(await world.balance(ETHER)).toBe(5n)
  })

  test('a released deposit of a suspended token is credited [E08]', async () => {
    const { world, chain, confirm } = await simulated()
    const token = chain.deployToken(METADATA)
    const tokenId = parseToken(`${SEPOLIA}/erc20:${token}`)
    await world.restart({ tokens: [{ id: tokenId, ...METADATA }] })
    const { address } = await world.issue('ann')
    chain.payToken({ to: address, amount: 100n, arrives: 99n, token })
    await confirm()
    expect(await world.deposits()).toMatchObject([{ status: 'Held' }])
    await release(world)
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }])
    expect(await world.balance(tokenId)).toBe(100n)
    expect((await world.audit()).findings).toMatchObject([{ expected: 100n, found: 99n }])
  })

  test('releasing a held deposit resolves its alert [E08]', async () => {
    const { world } = await heldByJudgement()
    expect(await alertCodes(world)).toEqual(['deposit.held', 'token.suspended'])
    await release(world)
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }])
    expect(await alertCodes(world)).toEqual(['token.suspended'])
  })

  test('a reorg of a held deposit resolves its alert [R01]', async () => {
    const { world, chain } = await heldByJudgement()
    chain.reorg({ depth: REQUIRED + 1, keep: 'none', extra: 1 })
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
    expect(await alertCodes(world)).toEqual(['token.suspended'])
  })

  test('a held deposit that a reorg moves stays held until it is released [R02]', async () => {
    const { world, chain, confirm, mine } = await simulated()
    const { address } = await world.issue('ann')
    chain.mine(5)
    chain.pay({ to: address, amount: 5n })
    await mine()
    const [before] = await world.deposits()
    await hold(world)
    for (const depth of [1, 3]) {
      chain.reorg({ depth, keep: 'same', extra: 1 })
      await world.settle()
      const [now] = await world.deposits()
      expect(now).toMatchObject({ id: before?.id, status: 'Held', heldCause: 'looks stolen' })
      expect(now?.block.hash).not.toBe(before?.block.hash)
      expect(await world.balances()).toMatchObject({ [`${ETHER} claim:held`]: 5n })
    }
    await release(world)
    chain.reorg({ depth: 4, keep: 'same', extra: 1 })
    await confirm()
    expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }])
    expect(await auditLog(world)).toEqual([
      'deposit.hold looks stolen',
      'deposit.hold looks stolen',
      'deposit.hold looks stolen',
      'deposit.release is fine',
    ])
  })

  test('an orphaned held deposit has no postings [R01]', async () => {
    const { world, chain, mine } = await simulated()
    const { address } = await world.issue('ann')
    chain.mine(3)
    chain.pay({ to: address, amount: 5n })
    await mine()
    await hold(world)
    chain.reorg({ depth: 1, keep: 'none', extra: 1 })
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ status: 'Orphaned', booked: 'none' }])
    expect(await world.balances()).toEqual({})
    expect(await world.events('deposit.reverted')).toMatchObject([
      { payload: { previousStatus: 'Held' } },
    ])
  })
})

describe('our own transfers', () => {
  test.each(['sweep', 'top-up', 'filler', 'consolidation'] as const)(
    'a %s is not a deposit [I16]',
    async (purpose) => {
      const { world, chain, confirm } = await simulated()
      const { address } = await world.issue('ann')
      await own(world, chain.pay({ to: address, amount: 5n }), purpose)
      await confirm()
      expect(await world.deposits()).toEqual([])
      expect(await world.events('deposit.detected')).toEqual([])
    },
  )

  test('a withdrawal to a deposit address is a deposit there [I16]', async () => {
    const { world, chain, confirm } = await simulated()
    const { address } = await world.issue('ann')
    await own(world, chain.pay({ to: address, amount: 5n }), 'withdrawal')
    await confirm()
    expect(await world.deposits()).toMatchObject([{ amount: 5n, status: 'Confirmed' }])
  })

  test('a token swept in the block of a deposit of it is not suspended [E08]', async () => {
    const { world, chain, confirm } = await simulated()
    const token = chain.deployToken(METADATA)
    const tokenId = parseToken(`${SEPOLIA}/erc20:${token}`)
    await world.restart({ tokens: [{ id: tokenId, ...METADATA }] })
    const { address } = await world.issue('ann')
    chain.payToken({ to: address, amount: 100n, token })
    const swept = chain.payToken({ from: address, to: `0x${'99'.repeat(20)}`, amount: 40n, token })
    await own(world, swept, 'sweep')
    await confirm()
    expect(await world.deposits()).toMatchObject([
      { amount: 100n, netMovement: 60n, status: 'Confirmed' },
    ])
  })
})

/** A world whose only deposit is held because its token takes a fee on transfers. */
async function heldByJudgement() {
  const { world, chain, confirm } = await simulated()
  const token = chain.deployToken(METADATA)
  const tokenId = parseToken(`${SEPOLIA}/erc20:${token}`)
  await world.restart({ tokens: [{ id: tokenId, ...METADATA }] })
  const { address } = await world.issue('ann')
  chain.payToken({ to: address, amount: 100n, arrives: 99n, token })
  await confirm()
  expect(await world.deposits()).toMatchObject([{ status: 'Held' }])
  return { world, chain }
}

/** The codes of the open alerts. */
async function alertCodes(world: World): Promise<string[]> {
  return (await world.alerts()).map(({ code }) => code).toSorted()
}

function target(world: World) {
  return { catalogue: world.catalogue, depositId: '', actor: 'bob', reason: 'looks stolen' }
}

/** Holds the only deposit. */
async function hold(world: World): Promise<void> {
  const [deposit] = await world.deposits()
  const one = { ...target(world), depositId: deposit?.id ?? '' }
  await world.database.transaction((tx) => holdDeposit(tx, one))
}

async function release(world: World): Promise<void> {
  const [deposit] = await world.deposits()
  const one = { ...target(world), depositId: deposit?.id ?? '', reason: 'is fine' }
  await world.database.transaction((tx) => releaseDeposit(tx, one))
}

/** The actions on deposits, with their reasons. */
async function auditLog(world: World): Promise<string[]> {
  const rows = await world.database.transaction((tx) =>
    tx.many(sql<{ action: string; reason: string }>`
      select action, details ->> 'reason' as reason
        from audit_log
       where action like 'deposit.%'
       order by id`),
  )
  return rows.map(({ action, reason }) => `${action} ${reason}`)
}

async function own(world: World, txnHash: string, purpose: Purpose): Promise<void> {
  const record = { chainId: SEPOLIA, txnHash, orgId: world.orgId, purpose }
  await world.database.transaction((tx) => recordOwnTransaction(tx, record))
}
