import { expect, test } from 'vitest'
import { seeded } from '@sluice/simulator'
import { CATALOGUE, SEPOLIA } from '../tokens.ts'
import { EvmWorld } from './evm.ts'

const to = { address: `0x${'a1'.repeat(20)}`, tag: null }

function open(): EvmWorld {
  const native = CATALOGUE.nativeToken(SEPOLIA).id
  const world = new EvmWorld({ id: SEPOLIA, native, seed: 'a chain', nodes: 1 })
  world.mine(3)
  return world
}

/** The supply that no payment known to the model explains. */
function unexplained(world: EvmWorld): bigint {
  const { hash } = world.head()
  const { native } = world
  return world.balance(to.address, native, hash) + world.deviation(to.address, native, hash)
}

test('a balance change without a transaction stays in its block after a reorg [E05]', () => {
  const world = open()
  world.trick('E05 without a transaction', to, seeded('trick'))
  world.reorg(seeded('a first reorg'), 2)
  expect(world.balance(to.address, world.native, world.head().hash)).toBeGreaterThan(0n)
  expect(unexplained(world)).toBe(0n)
  for (let nth = 0; nth < 12; nth += 1) {
    world.reorg(seeded(`reorg ${nth}`), 1 + (nth % 2))
    expect(unexplained(world)).toBe(0n)
    world.mine(nth % 2)
  }
})

test('a payment that comes back in another block fares there as its recipient is by then', () => {
  const world = open()
  const random = seeded('moods')
  const address = recipients(random, world).find((one) => one.startsWith('0xc0de')) ?? ''
  const hash = world.chain.transact({ to: address, value: 5n })
  world.mine(1)
  expect(statusOf(world, hash)).toBe('0x1')
  expect(world.mayRefuse({ recipient: address })).toBe(false)
  while (!world.mayRefuse({ recipient: address })) world.mood(random)
  expect(statusOf(world, hash)).toBe('0x1')
  expect(world.reorg(seeded('the same again'), 1)).toBe('1 same')
  expect(statusOf(world, hash)).toBe('0x0')
})

test('an abandoned branch returns only within the depth that a reorg may have', () => {
  for (let nth = 0; nth < 40; nth += 1) {
    const world = open()
    const random = seeded(`branches ${nth}`)
    world.mine(4)
    for (let at = 0; at < 60; at += 1) {
      const before = world.head()
      const told = world.reorg(random, 1 + random.int(world.required))
      const now = new Set([...(world.branch(world.head().hash) ?? [])].map(({ hash }) => hash))
      const gone = [...(world.branch(before.hash) ?? [])].filter(({ hash }) => !now.has(hash))
      expect(gone.length, `${told}, at ${at} of ${nth}`).toBeLessThanOrEqual(world.required)
      world.mine(random.int(3))
    }
  }
})

function recipients(random: ReturnType<typeof seeded>, world: EvmWorld): string[] {
  return Array.from({ length: 40 }, () => world.stranger(random).recipient)
}

function statusOf({ chain }: EvmWorld, hash: string): string | undefined {
  const place = chain.tree.placeOf(hash)
  return place?.block.transactions[place.index]?.receipt.status
}
