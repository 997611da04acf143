import { describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { setCondition } from '../../src/catalogue/chain-state.ts'
import { resumeToken, suspendToken } from '../../src/catalogue/token-check.ts'
import { lockReached } from '../../src/deposits/recount-rows.ts'
import { recount } from '../../src/scanner/recount.ts'
import { runScanner } from '../../src/scanner/run.ts'
import { releaseLease } from '../../src/store/lease.ts'
import { parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { SeededRandom } from '../support/clock.ts'
import { type Simulated, simulated } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const MINIMUM = 100n

describe('deposits below the minimum of their token', () => {
  test('below-minimum deposits are booked separately, without a credit event [B06]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 99n)
    await confirm()
    expect(await world.deposits()).toMatchObject([{ amount: 99n, status: 'BelowMinimum' }])
    expect(await world.balance(tokenId)).toBe(0n)
    expect(await world.balance(tokenId, 'claim:below_minimum')).toBe(99n)
    expect(await world.events('deposit.confirmed', 'balance.updated')).toEqual([])
    expect((await world.audit()).findings).toEqual([])
  })

  test('below-minimum deposits are credited together once their sum reaches it [B06]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 40n)
    await confirm()
    await pay('ann', 59n)
    await confirm()
    expect(await world.balance(tokenId, 'claim:below_minimum')).toBe(99n)
    await pay('ann', 1n)
    await confirm()
    const deposits = await world.deposits()
    expect(deposits.map(({ status }) => status)).toEqual(['Confirmed', 'Confirmed', 'Confirmed'])
    expect(await world.balance(tokenId)).toBe(100n)
    expect(await world.balance(tokenId, 'claim:below_minimum')).toBe(0n)
    const told = await world.events('deposit.confirmed', 'balance.updated')
    const credits = told.filter(({ type }) => type === 'deposit.confirmed')
    const updates = told.filter(({ type }) => type === 'balance.updated')
    expect(told).toEqual([...credits, ...updates])
    // In any order of the three events, each begins with the balance after the one before.
    const balances = updates.map(({ payload }) => payload['balance'])
    expect(updates.map(({ payload }) => payload['previousBalance'])).toEqual([
      '0',
      ...balances.slice(0, -1),
    ])
    const deltas = updates.map(({ payload }) => String(payload['delta']))
    expect(deltas.toSorted()).toEqual(['1', '40', '59'])
    expect(balances.at(-1)).toBe('100')
    const height = deposits.at(-1)?.block.height ?? 0
    expect(deposits.map(({ confirmedHeight }) => confirmedHeight)).toEqual(
      Array.from({ length: 3 }, () => height + REQUIRED),
    )
  })

  test('below-minimum deposits of several users are not added together [B06]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 60n)
    await pay('bob', 60n)
    await confirm()
    expect(await world.balance(tokenId)).toBe(0n)
    expect(await world.balance(tokenId, 'claim:below_minimum')).toBe(120n)
  })

  test('below-minimum deposits start a new sum after a credit [B06]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 100n)
    await confirm()
    await pay('ann', 1n)
    await confirm()
    expect(await world.balance(tokenId)).toBe(100n)
    expect(await world.balance(tokenId, 'claim:below_minimum')).toBe(1n)
  })

  test('below-minimum deposits do not depend on the number of blocks per run [B06]', async () => {
    const amounts = [60n, 50n, 30n, 80n, 99n]
    const slow = await openWithMinimum()
    for (const amount of amounts) {
      await slow.pay('ann', amount)
      await slow.confirm()
    }
    const fast = await openWithMinimum()
    for (const amount of amounts) {
      await fast.pay('ann', amount)
      fast.chain.mine()
    }
    await fast.confirm()
    const seen = async ({ world }: Simulated) =>
      (await world.deposits()).map(({ amount, status }) => `${amount} ${status}`)
    expect(await seen(fast)).toEqual(await seen(slow))
    expect(await seen(fast)).toEqual([
      '60 Confirmed',
      '50 Confirmed',
      '30 Confirmed',
      '80 Confirmed',
      '99 BelowMinimum',
    ])
  })

  test('below-minimum deposits are credited when the minimum is lowered [B06]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 40n)
    await confirm()
    await pay('ann', 35n)
    await pay('bob', 49n)
    await confirm()
    await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: 50n }] })
    await termOf(world, async () => expect(await world.balance(tokenId)).toBe(75n))
    expect(await world.balance(tokenId, 'claim:below_minimum')).toBe(49n)
    const statuses = (await world.deposits()).map(({ amount, status }) => `${amount} ${status}`)
    expect(statuses.toSorted()).toEqual(['35 Confirmed', '40 Confirmed', '49 BelowMinimum'])
    expect(await world.events('deposit.confirmed')).toHaveLength(2)
    expect((await world.audit()).findings).toEqual([])
  })

  test('very many below-minimum deposits are counted in parts [B06]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    for (const user of ['ann', 'bob', 'cem']) for (let at = 0; at < 3; at += 1) await pay(user, 10n)
    await pay('dan', 29n)
    await confirm()
    const tokens = [{ id: tokenId, minimumAmount: 30n }]
    const lowered = { chainId: SEPOLIA, tokens, upTo: (await world.state()).tip.height }
    const locked = (depositsMax: number) =>
      world.database.transaction((tx) => lockReached(tx, { ...lowered, depositsMax }))
    const sums = async (most: number) => (await locked(most)).map(({ amount }) => amount)
    expect(await sums(1)).toEqual([10n, 10n, 10n])
    expect(new Set((await locked(4)).map(({ accountId }) => accountId)).size).toBe(2)
    expect(await sums(4)).toHaveLength(6)
    expect(await sums(100)).toHaveLength(9)
  })

  test('deposits of a suspended token wait after a start on a stopped chain [E08]', async () => {
    const { world, tokenId, chain, pay, confirm } = await openWithMinimum()
    await pay('ann', 70n)
    await confirm()
    const still = { chainId: SEPOLIA, condition: 'frozen', cause: 'a test' } as const
    await world.database.transaction((tx) => setCondition(tx, still))
    await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: 50n }] })
    const reachesHead = async () => {
      const { height } = (await world.state()).tip
      chain.mine()
      await termOf(world, async () => expect((await world.state()).tip.height).toBe(height + 1))
    }
    await reachesHead()
    await world.database.transaction((tx) =>
      suspendToken(tx, { tokenId, chainId: SEPOLIA, cause: 'it lied' }),
    )
    await world.resume()
    await reachesHead()
    await reachesHead()
    expect(await world.deposits()).toMatchObject([{ amount: 70n, status: 'BelowMinimum' }])
    await world.database.transaction((tx) => resumeToken(tx, { tokenId }))
    await termOf(world, async () => expect(await world.balance(tokenId)).toBe(70n))
  })

  test('deposits are credited in the commit that counts them [E08]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 70n)
    await confirm()
    await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: 50n }] })
    expect(await recount(await world.holder(), [tokenId])).toEqual([])
    expect(await world.deposits()).toMatchObject([{ amount: 70n, status: 'Confirmed' }])
    expect(await world.balance(tokenId)).toBe(70n)
    expect(await world.events('deposit.confirmed', 'balance.updated')).toHaveLength(2)
    expect((await world.audit()).findings).toEqual([])
  })

  test('deposits of a suspended token are credited once it is resumed [E08]', async () => {
    const { world, chain, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 70n)
    await confirm()
    await world.database.transaction((tx) =>
      suspendToken(tx, { tokenId, chainId: SEPOLIA, cause: 'a node erred' }),
    )
    await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: 50n }] })
    const { height } = (await world.state()).tip
    chain.mine()
    let isResumed = false
    await termOf(world, async () => {
      expect((await world.state()).tip.height).toBe(height + 1)
      if (!isResumed) await world.database.transaction((tx) => resumeToken(tx, { tokenId }))
      isResumed = true
      expect(await world.balance(tokenId)).toBe(70n)
    })
    expect((await world.audit()).findings).toEqual([])
  })

  test('deposits of a token suspended while nodes disagree wait [E08]', async () => {
    const { world, tokenId, pay, confirm } = await openWithMinimum()
    await pay('ann', 70n)
    await confirm()
    await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: 50n }] })
    const holder = await world.holder()
    const dissent = async () => ({ opposed: ['other'], silent: [] })
    const adapter = { ...holder.adapter, dissent }
    await recount({ ...holder, adapter }, [tokenId])
    await world.database.transaction((tx) =>
      suspendToken(tx, { tokenId, chainId: SEPOLIA, cause: 'it lied' }),
    )
    await recount(holder, [tokenId])
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ amount: 70n, status: 'BelowMinimum' }])
    expect(await world.balance(tokenId)).toBe(0n)
  })

  test('an orphaned deposit does not count towards the minimum [R01]', async () => {
    const { world, tokenId, chain, pay, mine, confirm } = await openWithMinimum()
    await pay('ann', 70n)
    await confirm()
    await pay('ann', 60n)
    await mine()
    chain.reorg({ depth: 1, keep: 'none' })
    await confirm()
    expect((await world.deposits()).map(({ status }) => status)).toEqual([
      'BelowMinimum',
      'Orphaned',
    ])
    expect(await world.balances()).toMatchObject({ [`${tokenId} claim:below_minimum`]: 70n })
    await pay('ann', 30n)
    await confirm()
    expect(await world.balance(tokenId)).toBe(100n)
  })

  test('orphaned below-minimum deposits leave no balance [R01]', async () => {
    const { world, chain, pay, mine } = await openWithMinimum()
    chain.mine(5)
    await pay('ann', 70n)
    await mine(1 + REQUIRED)
    chain.reorg({ depth: 1 + REQUIRED, keep: 'none' })
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
    expect(await world.balances()).toEqual({})
    expect((await world.state()).condition).toBe('running')
    expect(await world.events('deposit.reverted')).toMatchObject([
      { payload: { previousStatus: 'BelowMinimum' } },
    ])
  })

  test('deposits orphaned during downtime are not credited by a lower minimum [R05]', async () => {
    const { world, chain, tokenId, pay, mine } = await openWithMinimum()
    chain.mine(5)
    await pay('ann', 70n)
    await mine(1 + REQUIRED)
    expect(await world.deposits()).toMatchObject([{ status: 'BelowMinimum' }])
    chain.reorg({ depth: 1 + REQUIRED, keep: 'none', extra: 1 })
    await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: 50n }] })
    await termOf(world, async () =>
      expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }]),
    )
    expect((await world.state()).condition).toBe('running')
    expect(await world.balances()).toEqual({})
    expect(await world.events('deposit.confirmed', 'chain.frozen')).toEqual([])
  })

  test('an orphan of jointly credited deposits takes back only its amount [R04]', async () => {
    const { world, tokenId, chain, pay, mine, confirm } = await openWithMinimum()
    await pay('ann', 70n)
    await confirm()
    await pay('ann', 60n)
    await mine(1 + REQUIRED)
    expect(await world.balance(tokenId)).toBe(130n)
    chain.reorg({ depth: 1 + REQUIRED, keep: 'none' })
    await world.settle()
    expect((await world.deposits()).map(({ status }) => status)).toEqual(['Confirmed', 'Orphaned'])
    expect(await world.balance(tokenId)).toBe(70n)
    expect((await world.state()).condition).toBe('frozen')
    expect(await world.events('balance.updated')).toMatchObject([
      { payload: { balance: '70', reason: 'deposit' } },
      { payload: { balance: '130', reason: 'deposit' } },
      { payload: { balance: '70', delta: '-60', reason: 'reversal' } },
    ])
  })
})

/** Runs the program until the condition holds. */
async function termOf(world: World, holds: () => Promise<void>): Promise<void> {
  const { lease, ...watcher } = await world.holder()
  await releaseLease(world.database, lease)
  const deps = { clock: systemClock, random: new SeededRandom(1), holder: 'term', pollMs: 20 }
  const stopping = new AbortController()
  const running = runScanner({ ...watcher, ...deps }, stopping.signal)
  await vi.waitFor(holds, { timeout: 10_000, interval: 20 })
  stopping.abort()
  await running
}

/** A simulated chain with a token whose minimum is 100. */
async function openWithMinimum() {
  const minimum = await simulated()
  const { chain, world } = minimum
  const token = chain.deployToken(METADATA)
  const tokenId = parseToken(`${SEPOLIA}/erc20:${token}`)
  await world.restart({ tokens: [{ id: tokenId, ...METADATA, minimumAmount: MINIMUM }] })
  const pay = async (user: string, amount: bigint) => {
    const { address } = await world.issue(user)
    chain.payToken({ to: address, amount, token })
  }
  return { ...minimum, tokenId, pay }
}
