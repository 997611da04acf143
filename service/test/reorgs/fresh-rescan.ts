import type { Seeded } from '@sluice/simulator'
import type { ChainId } from '@sluice/wire'
import { expect } from 'vitest'
import { ETHER } from '../support/opened-world.ts'
import { openWorld, type World } from '../support/world.ts'
import { SEPOLIA, type WorldOptions } from '../support/world-life.ts'

/** Live state of a world: the deposits, by identity, status, amount and block, and all balances. */
export interface Live {
  deposits: string[]
  balances: Record<string, bigint>
}

export async function liveOf(world: World): Promise<Live> {
  const deposits = (await world.deposits()).filter(({ status }) => status !== 'Orphaned')
  return {
    deposits: deposits.map(({ externalUserId, txnHash, position, tokenId, ...one }) =>
      [
        `${externalUserId} ${txnHash} ${position} ${tokenId}`,
        `${one.status} ${one.booked} ${one.amount} ${one.netMovement}`,
        `${one.block.height} ${one.block.hash}`,
      ].join(' '),
    ),
    balances: await world.balances(),
  }
}

/** Reads a chain from its first block into an empty database, for users of the same addresses. */
export async function rescanFresh(
  options: WorldOptions,
  users: readonly string[],
  chainId: ChainId = SEPOLIA,
): Promise<Live> {
  const world = await openWorld(options)
  try {
    await world.step(chainId)
    for (const user of users) await world.issue(user, chainId)
    await world.settle()
    return await liveOf(world)
  } finally {
    await world.close()
  }
}

/** The events of the organization add up to its state. */
export async function expectToldTruly(world: World): Promise<void> {
  const credits = new Map<string, number>()
  const told = await world.events('deposit.confirmed', 'deposit.reverted')
  for (const { type, payload } of told) {
    const id = String(payload['id'])
    const change =
      type === 'deposit.confirmed' ? 1 : payload['previousStatus'] === 'Confirmed' ? -1 : 0
    credits.set(id, (credits.get(id) ?? 0) + change)
  }
  for (const { id, status } of await world.deposits()) {
    expect(credits.get(id) ?? 0).toBe(status === 'Confirmed' ? 1 : 0)
  }
  const last = (await world.events('balance.updated')).findLast(
    ({ payload }) => payload['tokenId'] === ETHER && payload['chainId'] === SEPOLIA,
  )
  expect(String(await world.balance(ETHER))).toBe(last?.payload['balance'])
}

/** Sometimes scans to the end; mostly the next reorg comes during the scan. */
export async function follow(
  world: World,
  random: Seeded,
  chainId: ChainId = SEPOLIA,
): Promise<void> {
  if (random.chance(0.08)) await world.settle()
  else for (let steps = random.int(4); steps > 0; steps -= 1) await world.step(chainId)
  if (random.chance(0.3)) await world.resume(chainId)
  if (random.chance(0.02)) await world.restart()
}

/** Until the chain is read to its end and nothing in it has stopped it. */
export async function settleForGood(world: World, chainId: ChainId = SEPOLIA): Promise<void> {
  do {
    await world.resume(chainId)
    await world.settle()
  } while ((await world.state(chainId)).condition !== 'running')
}
