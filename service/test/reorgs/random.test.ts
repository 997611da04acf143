import { type EvmChain, type Seeded, seeded, startEvmNode } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { openWorld } from '../support/world.ts'
import { SEPOLIA } from '../support/world-life.ts'
import { expectToldTruly, follow, liveOf, rescanFresh, settleForGood } from './fresh-rescan.ts'

const SEED = process.env['SLUICE_REORG_SEED'] ?? 'sluice'
const WORLDS = [1, 2, 3, 4]
const REORGS = 250
const DEPTH_MAX = 20
const USERS = ['ann', 'bob', 'cid', 'dan', 'eve']

test.concurrent.each(WORLDS)(
  `${REORGS} random reorgs end like a fresh scan (seed ${SEED}/%i) [R07]`,
  async (number) => {
    const seed = `${SEED}/${number}`
    const random = seeded(seed)
    const node = await startEvmNode({ chainId: 11_155_111, seed })
    const { chain } = node
    const token = chain.deployToken(METADATA)
    const id = parseToken(`${SEPOLIA}/erc20:${token}`)
    chain.mine(DEPTH_MAX + 1)
    const options = {
      seed,
      chains: [{ id: SEPOLIA, nodes: [node.url], startHeight: 1 }],
      tokens: [{ id, ...METADATA }],
    }
    const world = await openWorld(options)
    await world.step()
    const addresses: string[] = []
    for (const user of USERS) addresses.push((await world.issue(user)).address)
    for (let reorgs = 0; reorgs < REORGS; reorgs += 1) {
      pay({ chain, random, token, addresses })
      chain.mine(1 + random.int(2))
      await follow(world, random)
      const keep = random.pick(['none', 'same', 'shuffled', 'shuffled'] as const)
      chain.reorg({ depth: 1 + random.int(DEPTH_MAX), keep, extra: random.int(2) })
      await follow(world, random)
    }
    await settleForGood(world)
    const live = await liveOf(world)
    expect(live.deposits.length).toBeGreaterThan(REORGS / 10)
    expect(live).toEqual(await rescanFresh(options, USERS))
    expect((await world.audit()).findings).toEqual([])
    await expectToldTruly(world)
    await world.close()
    await node.stop()
  },
)

/** Some payments of each kind, to users of ours and to strangers. */
function pay(options: {
  chain: EvmChain
  random: Seeded
  token: string
  addresses: readonly string[]
}): void {
  const { chain, random, token } = options
  const someone = () => random.pick([...options.addresses, `0x${'77'.repeat(20)}`])
  const amount = () => BigInt(1 + random.int(1_000))
  for (let payments = random.int(4); payments > 0; payments -= 1) {
    const to = someone()
    const kind = random.int(5)
    if (kind === 0) chain.pay({ to, amount: amount() })
    else if (kind === 1) chain.payInternal({ to, amount: amount(), fails: random.chance(0.2) })
    else if (kind === 2) chain.payToken({ to, amount: amount(), token })
    else if (kind === 3) chain.failed({ to, amount: amount() })
    else
      chain.batch([
        { to, amount: amount() },
        { to: someone(), amount: amount(), token },
      ])
  }
}
