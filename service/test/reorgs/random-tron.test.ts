import { type Seeded, seeded, startTronNode, type TronChain, tronWallet } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { CONTRACT, SHASTA, SOLID_LAG } from '../support/tron-harness.ts'
import { openWorld, type World } from '../support/world.ts'
import { follow, liveOf, rescanFresh, settleForGood } from './fresh-rescan.ts'

const SEED = process.env['SLUICE_REORG_SEED'] ?? 'sluice'
const REORGS = 25
const USERS = ['ann', 'bob', 'cid']
const STRANGER = tronWallet('a stranger').address

test(`${REORGS} reorgs of unsolid blocks end as rescanned (seed ${SEED}) [T06 R07]`, async () => {
  const seed = `${SEED}/tron`
  const random = seeded(seed)
  const node = await startTronNode({ solidLag: SOLID_LAG })
  const { chain } = node
  chain.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 6, address: CONTRACT })
  chain.mine(SOLID_LAG + 2)
  const options = { seed, chains: [{ id: SHASTA, nodes: [node.url], startHeight: 1 }] }
  const world = await openWorld(options)
  await world.step(SHASTA)
  const addresses: string[] = []
  for (const user of USERS) addresses.push((await world.issue(user, SHASTA)).address)
  for (let reorgs = 0; reorgs < REORGS; reorgs += 1) {
    pay(chain, random, addresses)
    chain.mine(1 + random.int(3))
    await follow(world, random, SHASTA)
    // Never as deep as what is solid: that stays.
    const depth = 1 + random.int(SOLID_LAG - 1)
    chain.reorg({ depth, keep: moved(chain, random, depth) })
    await follow(world, random, SHASTA)
  }
  chain.mine(SOLID_LAG)
  await settleForGood(world, SHASTA)
  const live = await liveOf(world)
  expect(live.deposits.length).toBeGreaterThan(REORGS / 6)
  expect(live).toEqual(await rescanFresh(options, USERS, SHASTA))
  expect((await world.audit(SHASTA)).findings).toEqual([])
  await expectNothingTakenBack(world)
  await world.close()
  await node.stop()
})

/** Some payments of each kind, to users of ours and to a stranger. */
function pay(chain: TronChain, random: Seeded, addresses: readonly string[]): void {
  for (let payments = random.int(4); payments > 0; payments -= 1) {
    const to = random.pick([...addresses, STRANGER])
    const amount = BigInt(1 + random.int(1_000))
    const kind = random.int(4)
    if (kind === 0) chain.pay({ to, amount })
    else if (kind === 1) chain.payInternal({ to, amount })
    else if (kind === 2) chain.failed({ to, amount })
    else chain.payToken({ to, amount, token: CONTRACT })
  }
}

/** Of what the highest blocks hold some is lost, the rest is in one of the blocks to come. */
function moved(chain: TronChain, random: Seeded, depth: number): Map<string, number> {
  const keep = new Map<string, number>()
  const { height: head } = chain.head()
  for (let height = head - depth + 1; height <= head; height += 1) {
    for (const { transaction } of chain.at(height)?.executed ?? []) {
      if (random.chance(0.2)) continue
      keep.set(transaction.id, height + random.int(head - height + 1))
    }
  }
  return keep
}

/** Credited deposits were solid: no reorg above them reversed one. */
async function expectNothingTakenBack(world: World): Promise<void> {
  const reverted = await world.events('deposit.reverted')
  expect(reverted.filter(({ payload }) => payload['previousStatus'] === 'Confirmed')).toEqual([])
  const credits = (await world.events('deposit.confirmed')).map(({ payload }) => payload['id'])
  expect(new Set(credits).size).toBe(credits.length)
  expect((await world.state(SHASTA)).condition).toBe('running')
}
