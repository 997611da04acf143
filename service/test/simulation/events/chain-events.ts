import type { Seeded } from '@sluice/simulator'
import type { SimChain, Target } from '../chains/sim-chain.ts'
import { scopeOf } from '../tokens.ts'
import type { SimWorld } from '../world.ts'

const DEEP_MAX = 12
/** How often deposits come in a group, and the largest size of it. */
const CROWD = 0.25
const CROWD_MAX = 4

export function pickChain(world: SimWorld, random: Seeded): SimChain {
  return random.pick(world.chains)
}

export function mine(world: SimWorld): string {
  const random = world.random()
  const chain = pickChain(world, random)
  const blocks = 1 + (random.chance(0.2) ? random.int(4) : 0)
  chain.mine(blocks)
  const outcome = `${chain.id} to ${chain.head().height}`
  if (!chain.reorgs || !random.chance(world.rates().reorg)) return outcome
  world.struck('reorg')
  const isDeep = world.drawn.deepReorg && random.chance(0.3)
  const depth = 1 + random.int(isDeep ? DEEP_MAX : chain.required)
  if (isDeep) world.books.isDeep = true
  return `${outcome}, reorg ${chain.reorg(random, depth)}`
}

export function reorg(world: SimWorld): string {
  const random = world.random()
  const chain = pickChain(world, random)
  if (!chain.reorgs || world.drawn.reorg === 0) return 'none here'
  world.struck('reorg')
  return `${chain.id} ${chain.reorg(random, 1 + random.int(chain.required))}`
}

export function market(world: SimWorld): string {
  const random = world.random()
  const chain = pickChain(world, random)
  return `${chain.id} ${random.chance(0.4) ? (chain.calm(), 'calm') : chain.market(random)}`
}

export function mood(world: SimWorld): string {
  const random = world.random()
  const chain = pickChain(world, random)
  return `${chain.id} ${chain.mood(random)}`
}

export function forget(world: SimWorld): string {
  const random = world.random()
  const chain = pickChain(world, random)
  return `${chain.id} forgets ${chain.forget(random)}`
}

export function deposit(world: SimWorld): string {
  const random = world.random()
  const target = pickTarget(world, random)
  if (target === null) return 'no recipient'
  const { chain } = target
  // Sometimes a block has many of them.
  const others = random.chance(CROWD) ? 1 + random.int(CROWD_MAX) : 0
  const paid = [target.to, ...Array.from({ length: others }, () => neighbour(world, random, chain))]
  const payments = paid.map((to) => {
    const tokenId = random.pick([chain.native, ...chain.tokens])
    const digits = tokenId === chain.native ? chain.digits : 9
    const amount = BigInt(1 + random.int(999_999)) * 10n ** BigInt(digits - 6)
    chain.pay(to, tokenId, amount)
    return `${amount} of ${tokenId.slice(-12)}`
  })
  return `${chain.id} ${payments.join(', ')}`
}

export function trick(world: SimWorld): string {
  const random = world.random()
  const target = pickTarget(world, random)
  if (target === null) return 'no recipient to cheat'
  const { chain, to } = target
  const kind = random.pick(chain.tricks)
  chain.trick(kind, to, random)
  return `${chain.id} ${kind}`
}

/** Another account on the same chain. */
function neighbour({ books }: SimWorld, random: Seeded, chain: SimChain): Target {
  return random.pick(books.accounts.filter(({ chainId }) => chainId === chain.id))
}

/** An account that was given out. */
function pickTarget(world: SimWorld, random: Seeded): { chain: SimChain; to: Target } | null {
  const { accounts } = world.books
  if (accounts.length === 0) return null
  const account = random.pick(accounts)
  return { chain: random.fork('chain').pick(sharing(world, account.chainId)), to: account }
}

/** Chains that share our addresses with this chain: senders may pay over the wrong network. */
function sharing({ chains }: SimWorld, chainId: string): readonly SimChain[] {
  return chains.filter(({ id }) => scopeOf(id) === scopeOf(chainId))
}

/** A funding for fees or for withdrawals. */
export function fund(world: SimWorld): string {
  const random = world.random()
  const own = (world.books.picture?.watched ?? []).filter(({ purpose }) => purpose !== 'deposit')
  if (own.length === 0) return 'no address to fund'
  const { address, purpose, chain: chainId } = random.pick(own)
  const chain = random.fork('chain').pick(sharing(world, chainId))
  const tokens = purpose === 'gas' ? [chain.native] : [chain.native, ...chain.tokens.slice(0, 1)]
  const tokenId = random.pick(tokens)
  const digits = tokenId === chain.native ? chain.digits + 1 : 10
  const amount = BigInt(1 + random.int(99)) * 10n ** BigInt(digits - 1)
  chain.pay({ address, tag: null }, tokenId, amount)
  return `${chain.id} ${purpose} ${amount}`
}
