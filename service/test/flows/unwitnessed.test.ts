import { startTronNode } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { suspendToken } from '../../src/catalogue/token-check.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import { holdDeposit, releaseDeposit } from '../../src/deposits/hold.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { parseToken } from '../adapters/brands.ts'
import { openedWorld, simulated } from '../support/opened-world.ts'
import { SHASTA, SOLID_LAG } from '../support/tron-harness.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const METADATA = { name: 'Harness Dollar', symbol: 'HUSD', decimals: 6 }

test('credits a deposit of an operator’s token on TRON without a hold [E07]', async () => {
  const { world, token, pay } = await openedWithToken()
  await pay('ann', 70n)
  await pay('ann', 5n)
  expect(await statuses(world)).toEqual(['Confirmed', 'Confirmed'])
  expect(await world.balance(token)).toBe(75n)
  const told = await world.events('deposit.held', 'deposit.confirmed', 'balance.updated')
  const credited = ['deposit.confirmed', 'balance.updated']
  expect(told.map(({ type }) => type)).toEqual([...credited, ...credited])
  expect(await world.alerts()).toEqual([])
  await world.auditCycle(SHASTA)
  expect(await world.alerts()).toEqual([])
})

test('credits a deposit on TRON without a hold when the scanner was far behind [E07]', async () => {
  const { world, chain, token, address } = await openedWithToken()
  const to = await address('ann')
  for (const amount of [70n, 5n]) {
    chain.payToken({ to, amount, token: contractIn(token) })
    chain.mine(100)
  }
  await world.settle()
  expect(await statuses(world)).toEqual(['Confirmed', 'Confirmed'])
  expect(await world.events('deposit.held')).toEqual([])
})

test('holds what the solid balance does not cover until it does on TRON [E07]', async () => {
  const { world, chain, token, pay, address, mine } = await openedWithToken()
  const holder = await address('ann')
  await pay('ann', 70n, 1)
  chain.burnTokens({ token: contractIn(token), holder, amount: 1n })
  await mine(1 + SOLID_LAG)
  expect(await statuses(world)).toEqual(['Held'])
  await world.auditCycle(SHASTA)
  await world.settle()
  expect(await statuses(world)).toEqual(['Held'])
  chain.burnTokens({ token: contractIn(token), holder, amount: -1n })
  await mine(1 + SOLID_LAG)
  await world.auditCycle(SHASTA)
  await world.settle()
  expect(await statuses(world)).toEqual(['Confirmed'])
})

test('a token on TRON that moves less than its log says is not credited [E07 E08]', async () => {
  const { world, token, pay, lie } = await openedWithToken()
  lie(true)
  await pay('ann', 70n)
  lie(false)
  // Amounts that do arrive do not make up for missing ones.
  await pay('ann', 30n)
  await pay('bob', 9n)
  await world.auditCycle(SHASTA)
  await world.settle()
  expect(await statuses(world)).toEqual(['Held', 'Held', 'Confirmed'])
  expect(await world.balance(token)).toBe(9n)
  expect(await world.balance(token, 'claim:held')).toBe(100n)
  expect((await world.alerts()).map(({ code }) => code).sort()).toEqual([
    'deposit.held',
    'deposit.held',
    'ledger.difference',
  ])
})

test('a hold by an operator is not released by the audit [E07]', async () => {
  const { world, pay, mine } = await openedWithToken()
  await pay('ann', 70n, 1)
  const [deposit] = await world.deposits()
  const { catalogue } = world
  const word = { catalogue, depositId: String(deposit?.id), actor: 'cli:test', reason: 'stolen' }
  await world.database.transaction((tx) => holdDeposit(tx, word))
  await mine(SOLID_LAG)
  await world.auditCycle(SHASTA)
  await world.settle()
  expect(await statuses(world)).toEqual(['Held'])
})

test('a deposit that the audit released is orphaned with its block [R01]', async () => {
  const { world, chain, mine } = await openedWithoutState()
  await world.auditCycle()
  expect(await statuses(world)).toEqual(['Detected'])
  chain.rollback(1 + REQUIRED)
  await mine(3 + REQUIRED)
  expect(await statuses(world)).toEqual(['Orphaned'])
  await world.auditCycle()
  await mine()
  expect(await world.balances()).toEqual({})
})

test('a deposit that the audit released is held if its token is suspended [E08]', async () => {
  const { world, mine, token } = await openedWithoutState()
  await world.auditCycle()
  expect(await statuses(world)).toEqual(['Detected'])
  await world.database.transaction((tx) =>
    suspendToken(tx, { tokenId: token, chainId: SEPOLIA, cause: 'it lied' }),
  )
  await mine()
  await world.auditCycle()
  await mine()
  expect(await statuses(world)).toEqual(['Held'])
  expect(await world.balance(token)).toBe(0n)
  expect(await world.alerts()).toMatchObject([{ code: 'deposit.held' }])
  // The decision of an operator overrides the audit.
  const [deposit] = await world.deposits()
  const { catalogue } = world
  const word = { catalogue, depositId: String(deposit?.id), actor: 'cli:test', reason: 'seen' }
  await world.database.transaction((tx) => releaseDeposit(tx, word))
  await mine()
  expect(await statuses(world)).toEqual(['Confirmed'])
  expect(await world.balance(token)).toBe(70n)
})

async function openedWithToken() {
  const node = await startTronNode({ solidLag: SOLID_LAG })
  onTestFinished(() => node.stop())
  const { chain } = node
  const contract = chain.deployToken(METADATA)
  const token = `${SHASTA}/trc20:${contract}`
  chain.mine(30)
  const world = await openedWorld([{ id: SHASTA, nodes: [node.url] }], [{ id: token, ...METADATA }])
  const mine = async (blocks: number) => {
    chain.mine(blocks)
    await world.settle()
  }
  const address = async (user: string) => (await world.issue(user, SHASTA)).address
  const pay = async (user: string, amount: bigint, blocks = 1 + SOLID_LAG) => {
    chain.payToken({ to: await address(user), amount, token: contract })
    await mine(blocks)
  }
  const lie = (isLying: boolean) =>
    chain.setToken(contract, { manner: isLying ? 'lying' : 'honest' })
  return { world, chain, token, address, mine, pay, lie }
}

function contractIn(token: string): string {
  return token.slice(token.indexOf(':T') + 1)
}

/** A deposit of an operator's token on a simulated chain, held because no state proves it. */
async function openedWithoutState() {
  const { world, chain, mine } = await simulated()
  const contract = chain.deployToken(METADATA)
  const token = parseToken(`${SEPOLIA}/erc20:${contract}`)
  await world.restart({ tokens: [{ id: token, ...METADATA }] })
  const { address } = await world.issue('ann')
  chain.payToken({ to: address, amount: 70n, token: contract })
  chain.mine(1 + REQUIRED)
  await withoutState(world)
  expect(await statuses(world)).toEqual(['Held'])
  return { world, chain, mine, token }
}

/** The scanner reads up to the head from a node without states. */
async function withoutState(world: World): Promise<void> {
  const holder = await world.holder()
  const adapter: ChainAdapter = { ...holder.adapter, balanceOf: async () => null }
  const ahead = new BlocksAhead(adapter, 8)
  for (let progress = 'moved'; progress === 'moved'; ) {
    progress = await followChain({ ...holder, adapter }, ahead)
  }
}

async function statuses(world: World): Promise<string[]> {
  return (await world.deposits()).map(({ status }) => status)
}
