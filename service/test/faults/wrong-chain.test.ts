import { type EvmNode, startEvmNode } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { confirm, followWhilePossible, openFaulty, proxied } from './fault-world.ts'
import { SEPOLIA } from '../support/world-life.ts'

test('N06 a load balancer that turns to another network undoes nothing', async () => {
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

test('N06 nor does the same network begun anew, whose chain id is the same', async () => {
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

test('N06 of two nodes the one that turned to another network has no say', async () => {
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

/** A node of another network, whose chain is longer. */
async function strangerAfter({ chain }: EvmNode, chainId = 1): Promise<EvmNode> {
  const stranger = await startEvmNode({ chainId, seed: 'stranger' })
  onTestFinished(() => stranger.stop())
  stranger.chain.mine(chain.head().height + 300)
  return stranger
}
