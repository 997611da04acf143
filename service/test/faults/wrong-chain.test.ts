import { type EvmNode, startEvmNode } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { loopsOf } from '../../src/app/app.ts'
import { ClockWatch } from '../../src/app/clock-watch.ts'
import type { ChainWorld } from '../../src/app/chain-world.ts'
import { readChains } from '../../src/app/config-chains.ts'
import type { LoopRole } from '../../src/app/config-settings.ts'
import { openChainsOf } from '../../src/app/open-chains.ts'
import { openSignIn } from '../../src/app/sign-in.ts'
import { openFeeBook } from '../../src/gas/fee-book.ts'
import { openKeyUses } from '../../src/orgs/key-use.ts'
import { confirm, followWhilePossible, openFaulty, proxied } from './fault-world.ts'
import type { World } from '../support/world.ts'
import { SEPOLIA } from '../support/world-life.ts'
import { chainWorldOf, runProgram, running } from './running-world.ts'

test('a load balancer that switches to another network undoes no block [N06]', async () => {
  const faulty = await openFaulty()
  const { payer, proxy, world, node } = faulty
  await payer.payAnything()
  await confirm(faulty)
  const { tip } = await world.state()
  proxy.retarget((await strangerAfter(node)).url)
  expect((await followWhilePossible(world))?.message).toContain('another chain')
  expect((await world.state()).tip).toEqual(tip)
  expect(await world.events('deposit.reverted', 'chain.frozen')).toEqual([])
  proxy.retarget(node.url)
  // As the program does every minute.
  await world.adapter().identify()
  await payer.payAnything()
  await confirm(faulty)
  await payer.expectAllCredited()
})

test('a restarted network with the same chain id undoes no block [N06]', async () => {
  const faulty = await openFaulty()
  const { payer, proxy, world, node } = faulty
  await payer.payAnything()
  await confirm(faulty)
  const { tip } = await world.state()
  proxy.retarget((await strangerAfter(node, 11_155_111)).url)
  await world.restart()
  expect((await followWhilePossible(world))?.message).toContain('another chain')
  expect((await world.state()).tip).toEqual(tip)
  expect(await world.events('deposit.reverted', 'chain.frozen')).toEqual([])
})

test('a node that switched to another network is ignored [N06]', async () => {
  const faulty = await openFaulty()
  const { payer, proxy, world, node } = faulty
  const second = await proxied(node.url)
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  await payer.payAnything()
  await confirm(faulty)
  proxy.retarget((await strangerAfter(node)).url)
  await payer.payAnything()
  await confirm(faulty)
  await payer.expectAllCredited()
})

test('a spender ignores a node that switched networks, without an alert [N06]', async () => {
  const { proxy, world, node } = await openFaulty()
  const second = await proxied(node.url)
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  await world.settle()
  const own = spendingWorld(world, [proxy.url, second.url])
  const adapter = own.chains.get(SEPOLIA)
  const loops = loopsOfRoles(world, own, ['spender']).filter(({ name }) =>
    name.startsWith('nodes '),
  )
  const spending = await running(world, loops, 1)
  expect((await adapter?.tip())?.head.height).toBe(node.chain.head().height)
  proxy.retarget((await strangerAfter(node)).url)
  await spending.pass(61_000)
  expect((await adapter?.tip())?.head.height).toBe(node.chain.head().height)
  expect(await world.alerts()).toEqual([])
  // The process that scans has the same nodes, and raises the alert.
  await runProgram(world, [SEPOLIA])
  const told = (await world.alerts()).filter(({ code }) => code === 'chain.wrong_network')
  expect(told).toMatchObject([{ subject: SEPOLIA, message: expect.stringContaining('eip155:1 ') }])
})

test.each<[LoopRole[], boolean]>([
  [['api'], true],
  [['spender'], true],
  [['audit'], true],
  [['webhooks'], false],
])('a process of the roles %s checks the network of its nodes: %s [N06]', async (roles, asks) => {
  const { proxy, world } = await openFaulty()
  const names = loopsOfRoles(world, spendingWorld(world, [proxy.url]), roles).map(
    ({ name }) => name,
  )
  expect(names.includes(`nodes ${SEPOLIA}`)).toBe(asks)
})

test('a process of any role compares its clock with the database [O04]', async () => {
  const { proxy, world } = await openFaulty()
  const loops = loopsOfRoles(world, spendingWorld(world, [proxy.url]), ['webhooks'])
  expect(loops.map(({ name }) => name)).toContain('clock')
})

test('a process with a scanner leaves the check of its nodes to the scanner [N06]', async () => {
  const { proxy, world } = await openFaulty()
  const loops = loopsOfRoles(world, spendingWorld(world, [proxy.url]), ['scanner', 'spender'])
  const names = loops.map(({ name }) => name)
  expect(names).toContain(`watch ${SEPOLIA}`)
  expect(names).not.toContain(`nodes ${SEPOLIA}`)
})

/** Another process on the database of a world, with its own connections to these nodes. */
function spendingWorld(world: World, urls: readonly string[]): ChainWorld {
  const own = chainWorldOf(world)
  const config = { ...own.config, chains: readChains({ [SEPOLIA]: { nodes: urls } }, []) }
  const chains = openChainsOf({ ...own, config }, null)
  onTestFinished(() => chains.close())
  return { ...own, config, chains }
}

function loopsOfRoles({ keys }: World, own: ChainWorld, roles: readonly LoopRole[]) {
  const { chains, clock } = own
  return loopsOf(own, {
    roles,
    keys,
    keyUses: openKeyUses(clock),
    signIn: openSignIn(own, keys.serviceKey),
    fees: openFeeBook(chains, clock),
    clockWatch: new ClockWatch(own, roles),
  })
}

/** A node of another network with a longer chain. */
async function strangerAfter({ chain }: EvmNode, chainId = 1): Promise<EvmNode> {
  const stranger = await startEvmNode({ chainId, seed: 'stranger' })
  onTestFinished(() => stranger.stop())
  stranger.chain.mine(chain.head().height + 300)
  return stranger
}
