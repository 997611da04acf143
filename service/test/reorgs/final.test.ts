import { startTronNode, startXrplNode } from '@sluice/simulator'
import type { ChainId } from '@sluice/wire'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noteBaseAccount } from '../../src/accounts/base-account.ts'
import { openOwnAddress } from '../../src/accounts/own-address.ts'
import { parseChain } from '../adapters/brands.ts'
import { simulatedNode } from '../support/opened-world.ts'
import { SHASTA } from '../support/tron-harness.ts'
import { openWorld, type World } from '../support/world.ts'
import { XRPL } from '../support/xrpl-spender.ts'

const POLYGON = parseChain('eip155:137')
const SOLID_LAG = 4
const AMOUNT = 7_000_000n

/** A chain that names what is final itself, and a world with a user of it. */
interface Final {
  id: ChainId
  world: World
  pay: () => void
  mine: (blocks: number) => void
  /** Gives the node other blocks, like a reinstalled one. */
  contradict: (depth: number) => void
}

const FAMILIES = [
  ['Polygon', polygon],
  ['TRON', tron],
  ['XRPL', ledgers],
] as const

describe.each(FAMILIES)('a final block of %s', (_name, open) => {
  test('a final block that changes halts the chain, and reverses no credit [R10]', async () => {
    const { id, world, pay, mine, contradict } = await credited(await open())
    const before = await world.state(id)
    const balances = await world.balances()
    expect(before.final).not.toBeNull()
    contradict(2 + before.tip.height - (before.final?.height ?? 0))
    mine(1)
    await world.settle(id)
    const halted = await world.state(id)
    // Blocks above the final one are undone, and no others.
    expect(halted).toMatchObject({ condition: 'halted', tip: before.final, final: before.final })
    expect(halted.cause).toContain('was final')
    expect(await world.alerts()).toMatchObject([{ code: 'chain.halted', subject: id, times: 1 }])
    expect(await world.events('chain.frozen')).toMatchObject([
      { payload: { chainId: id, state: 'halted' } },
    ])
    await expectKept(world, balances)
    // The chain is not scanned, credited or undone until an operator decides, even after a restart.
    pay()
    mine(2 * SOLID_LAG)
    await world.restart()
    await world.settle(id)
    expect(await world.state(id)).toEqual(halted)
    await expectKept(world, balances)
  })

  test('a final block that leaves reverses nothing before an operator decides [R10]', async () => {
    const { id, world, mine, contradict } = await credited(await open())
    const { tip } = await world.state(id)
    contradict(2 * SOLID_LAG)
    mine(2 * SOLID_LAG)
    await world.settle(id)
    expect(await world.state(id)).toMatchObject({ condition: 'halted' })
    expect(await world.events('deposit.reverted')).toEqual([])
    await world.resume(id)
    await world.settle(id)
    // The credited deposit left the chain: it is taken back, and that is another thing to look at.
    expect(await world.deposits()).toMatchObject([{ amount: AMOUNT, status: 'Orphaned' }])
    const frozen = await world.state(id)
    expect(frozen.condition).toBe('frozen')
    expect(frozen.tip.height).toBeGreaterThan(tip.height)
    expect(await world.events('deposit.reverted')).toHaveLength(1)
  })
})

/** The deposit and the ledger are unchanged. */
async function expectKept(world: World, balances: Record<string, bigint>): Promise<void> {
  expect(await world.events('deposit.reverted')).toEqual([])
  expect(await world.deposits()).toMatchObject([{ amount: AMOUNT, status: 'Confirmed' }])
  expect(await world.balances()).toEqual(balances)
}

/** A deposit is final and credited, and the tip is a block that is above it. */
async function credited(final: Final): Promise<Final> {
  const { id, world, pay, mine } = final
  pay()
  mine(2 + SOLID_LAG)
  await world.settle(id)
  expect(await world.deposits()).toMatchObject([{ amount: AMOUNT, status: 'Confirmed' }])
  return final
}

async function polygon(): Promise<Final> {
  const { url, chain } = await simulatedNode({ chainId: 137 })
  chain.setFinalizedDistance(SOLID_LAG)
  const world = await worldOf(POLYGON, url)
  const { address: to } = await world.issue('ann', POLYGON)
  return {
    id: POLYGON,
    world,
    pay: () => void chain.pay({ to, amount: AMOUNT }),
    mine: (blocks) => chain.mine(blocks),
    contradict: (depth) => chain.reorg({ depth, keep: 'none' }),
  }
}

async function tron(): Promise<Final> {
  const node = await startTronNode({ solidLag: SOLID_LAG })
  onTestFinished(() => node.stop())
  const { chain } = node
  chain.mine(30)
  const world = await worldOf(SHASTA, node.url)
  const { address: to } = await world.issue('ann', SHASTA)
  return {
    id: SHASTA,
    world,
    pay: () => void chain.pay({ to, amount: AMOUNT }),
    mine: (blocks) => chain.mine(blocks),
    contradict: (depth) => chain.reorg({ depth }),
  }
}

/** Every validated ledger is final. */
async function ledgers(): Promise<Final> {
  const node = await startXrplNode()
  onTestFinished(() => node.stop())
  const { chain } = node
  // An operator may have it read again from 256 ledgers below, where the simulated one begins at 2.
  chain.close(300)
  const world = await worldOf(XRPL, node.url)
  const { keys, orgId } = world
  const entry = world.entry(XRPL)
  const to = await world.database.transaction(async (tx) => {
    const { address } = await openOwnAddress(tx, { keys, entry, orgId, purpose: 'settlement' })
    const readyHeight = chain.closed().height
    await noteBaseAccount(tx, { orgId, chainId: XRPL, address, readyHeight, missing: '' })
    return address
  })
  const tag = (await world.issue('ann', XRPL)).destinationTag ?? 0
  return {
    id: XRPL,
    world,
    pay: () => void chain.pay({ to, amount: AMOUNT, tag }),
    mine: (blocks) => void chain.close(blocks),
    contradict: (depth) => chain.rewrite(depth),
  }
}

async function worldOf(id: ChainId, url: string): Promise<World> {
  const seed = expect.getState().currentTestName ?? ''
  const world = await openWorld({ seed, chains: [{ id, nodes: [url] }] })
  onTestFinished(() => world.close())
  await world.settle(id)
  return world
}
