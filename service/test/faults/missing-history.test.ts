import { type FaultAction, type FaultProxy, startTronNode } from '@sluice/simulator'
import type { ChainId } from '@sluice/wire'
import { expect, onTestFinished, test } from 'vitest'
import { REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { COIN, SHASTA, SOLID_LAG } from '../support/tron-harness.ts'
import { openWorld, type World } from '../support/world.ts'
import { followWhilePossible, proxied } from './fault-world.ts'

/** Blocks mined during our downtime, and those of them that the node has kept. */
const [AWAY, KEPT] = [200, 50]
const AMOUNT = 9_000_000n
const TRON_BLOCK = /^\/wallet\/(getblockbylimitnext|getblock)$/
const TRON_BROKEN = ['{}', '{"block":[]}']
/** Errors of Bitcoin Core for a block without data, whatever it reports about pruning. */
const BITCOIN_GONE: readonly [string, number, string, string][] = [
  ['the block was pruned', -1, 'Block not available (pruned data)', 'pruned data'],
  ['the block is not found', -5, 'Block not found', 'history missing'],
]

test.each(TRON_BROKEN)('a TRON node with %s for old blocks skips none [N13]', async (body) => {
  const node = await startTronNode({ solidLag: SOLID_LAG })
  onTestFinished(() => node.stop())
  const { chain } = node
  chain.mine(30)
  const { world, proxy } = await openBehind(SHASTA, node.url)
  const { address } = await world.issue('ann', SHASTA)
  chain.pay({ to: address, amount: AMOUNT })
  chain.mine(AWAY)
  const { tip } = await world.state(SHASTA)
  const lowest = chain.head().height - KEPT
  proxy.rules.add({
    match: { method: TRON_BLOCK, params: ([asked]) => isBelow(asked, lowest, tip.height) },
    action: { do: 'http', status: 200, body },
  })
  await expectMissing(world, SHASTA, 'history missing')
  const second = await proxied(node.url)
  await world.restart({ chains: [{ id: SHASTA, nodes: [proxy.url, second.url] }] })
  await world.settle(SHASTA)
  expect(await world.balance(COIN)).toBe(AMOUNT)
})

test.each(BITCOIN_GONE)(
  'a Bitcoin node that reports complete history skips no block: %s [N13]',
  async (_what, code, message, says) => {
    const chain = await startSimulatedBitcoin()
    onTestFinished(() => chain.stop())
    const { world, proxy } = await openBehind(REGTEST, chain.url)
    const { address } = await world.issue('ann', REGTEST)
    await chain.hand.pay({ payees: [{ to: address, amount: AMOUNT }] })
    await chain.hand.mine(AWAY)
    const { tip } = await world.state(REGTEST)
    const kept = new Set<unknown>()
    const head = tip.height + AWAY
    for (let height = head - KEPT; height <= head; height += 1) {
      kept.add(await chain.hand.rpc('getblockhash', [height]))
    }
    const params = ([hash]: readonly unknown[]) => !kept.has(hash)
    const gone: FaultAction = { do: 'error', code, message }
    proxy.rules.add({ match: { method: 'getblock', params }, action: gone })
    proxy.rules.add({ match: { method: /^\/rest\/block\// }, action: { do: 'http', status: 404 } })
    await expectMissing(world, REGTEST, says)
    const second = await proxied(chain.url)
    await world.restart({ chains: [{ id: REGTEST, nodes: [proxy.url, second.url] }] })
    await world.settle(REGTEST)
    expect(await world.balance(`${REGTEST}/slip44:0`)).toBe(AMOUNT)
  },
)

/** A world behind a proxy that is up to date before a downtime. */
async function openBehind(id: ChainId, url: string): Promise<{ world: World; proxy: FaultProxy }> {
  const proxy = await proxied(url)
  const seed = expect.getState().currentTestName ?? ''
  const world = await openWorld({ seed, chains: [{ id, nodes: [proxy.url] }] })
  onTestFinished(() => world.close())
  await world.settle(id)
  return { world, proxy }
}

/** Expects the cause on every step, and an unchanged tip. */
async function expectMissing(world: World, id: ChainId, says: string): Promise<void> {
  const { tip } = await world.state(id)
  for (let times = 0; times < 2; times += 1) {
    expect((await followWhilePossible(world, id))?.message).toContain(says)
    expect((await world.state(id)).tip).toEqual(tip)
    await world.restart()
  }
  expect(await world.deposits()).toEqual([])
}

/** True if an old block above our tip is requested. */
function isBelow(asked: unknown, lowest: number, tip: number): boolean {
  const { startNum, id_or_num: which } = Object(asked) as Record<string, unknown>
  const height = Number(startNum ?? which ?? Number.NaN)
  return height > tip && height < lowest
}
