import { expect, test } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import type { Address } from '../../src/chains/port.ts'
import { withSession } from '../../src/store/connection.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import { SEPOLIA } from '../support/world-life.ts'

const ADDRESSES = 130
const DAY_MS = 24 * 60 * 60 * 1000

test('E05 a difference stands until it is gone, and is told once', async () => {
  const { world, chain, mine } = await simulated()
  const { address } = await world.issue('ann')
  chain.setBalance({ address, by: 40n })
  await mine()
  for (let cycles = 0; cycles < 3; cycles += 1) await world.auditCycle()
  expect(await world.alerts()).toMatchObject([{ code: 'ledger.difference', times: 1 }])
  chain.setBalance({ address, by: 2n })
  await mine()
  await world.auditCycle()
  expect(await world.alerts()).toMatchObject([
    { times: 2, message: expect.stringContaining('surplus of 42 base units') },
  ])
  chain.setBalance({ address, by: -42n })
  await mine()
  await world.auditCycle()
  expect(await world.alerts()).toEqual([])
  chain.setBalance({ address, by: 1n })
  await mine()
  await world.auditCycle()
  expect(await world.alerts()).toMatchObject([{ times: 1 }])
})

test('I2 what is not confirmed yet, held or below the minimum counts as ours already', async () => {
  const { world, chain, mine } = await simulated()
  const token = chain.deployToken(METADATA)
  const id = `${SEPOLIA}/erc20:${token}`
  await world.restart({ tokens: [{ id, ...METADATA, minimumAmount: 100n }] })
  const { address } = await world.issue('ann')
  chain.payToken({ to: address, amount: 5n, token })
  await mine(5)
  chain.pay({ to: address, amount: 5n })
  await mine()
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['BelowMinimum', 'Detected'])
  expect((await world.audit()).findings).toEqual([])
})

test('E09 an unlisted token is nobody’s concern, a listed one is asked for', async () => {
  const { world, chain, mine } = await simulated()
  const token = chain.deployToken(METADATA)
  const { address } = await world.issue('ann')
  chain.setBalance({ address, by: 7n, token })
  await mine()
  expect((await world.audit()).findings).toEqual([])
  const id = `${SEPOLIA}/erc20:${token}`
  await world.restart({ tokens: [{ id, ...METADATA }] })
  const report = await world.audit()
  expect(report).toMatchObject({ addresses: 1, findings: [{ expected: 0n, found: 7n }] })
})

test('I2 the loop comes to every address in time', async () => {
  const { world, chain, mine } = await simulated()
  const users = Array.from({ length: ADDRESSES }, (_, at) => `user ${at}`)
  const accounts = await Promise.all(users.map((user) => world.issue(user)))
  await world.clock.advance(2 * DAY_MS)
  for (const { address } of accounts) chain.setBalance({ address, by: 1n })
  await mine()
  const found = new Set<string>()
  let after: Address | null = null
  do {
    const cycle = await world.auditCycle(SEPOLIA, after)
    after = cycle.after
    expect(cycle.compared.length).toBeLessThan(ADDRESSES)
    for (const one of cycle.compared) {
      if (one.tokenId === ETHER && one.found === 1n) found.add(one.address)
    }
  } while (after !== null)
  expect(found.size).toBe(ADDRESSES)
})

test('I1 a balance that somebody wrote is named by what its postings say', async () => {
  const { world, chain, confirm } = await simulated()
  const { address } = await world.issue('ann')
  chain.pay({ to: address, amount: 5n })
  await confirm()
  expect(await auditLedger(world)).toEqual([])
  await withSession(world.urls.owner, (session) =>
    session.script("update balances set amount = 500 where account = 'claim:available'"),
  )
  expect(await auditLedger(world)).toMatchObject([
    { orgId: world.orgId, account: 'claim:available', stored: 500n, posted: 5n },
  ])
})

test('I2 a chain that was never reached has nothing to compare', async () => {
  const { world } = await simulated()
  const report = await world.audit()
  expect(report).toMatchObject({ chainId: SEPOLIA, addresses: 0, comparisons: 0, findings: [] })
})
