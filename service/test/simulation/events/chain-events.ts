import type { Seeded } from '@sluice/simulator'
import type { SimChain, Target } from '../chains/sim-chain.ts'
import { scopeOf } from '../tokens.ts'
import type { SimWorld } from '../world.ts'

const DEEP_MAX = 12
/** How often deposits come in a group, and the largest size of it. */
const CROWD = 0.25
const CROWD_MAX = 4

export function pickChain(world: SimWorld, dice: Seeded): SimChain {
  return dice.pick(world.chains)
}

export function mine(world: SimWorld): string {
  const dice = world.dice()
  const chain = pickChain(world, dice)
  const blocks = 1 + (dice.chance(0.2) ? dice.int(4) : 0)
  chain.mine(blocks)
  const outcome = `${chain.id} to ${chain.head().height}`
  if (!chain.reorgs || !dice.chance(world.rates().reorg)) return outcome
  world.struck('reorg')
  const isDeep = world.drawn.deepReorg && dice.chance(0.3)
  const depth = 1 + dice.int(isDeep ? DEEP_MAX : chain.required)
  if (isDeep) world.books.isDeep = true
  return `${outcome}, reorg ${chain.reorg(dice, depth)}`
}

export function reorg(world: SimWorld): string {
  const dice = world.dice()
  const chain = pickChain(world, dice)
  if (!chain.reorgs || world.drawn.reorg === 0) return 'none here'
  world.struck('reorg')
  return `${chain.id} ${chain.reorg(dice, 1 + dice.int(chain.required))}`
}

export function market(world: SimWorld): string {
  const dice = world.dice()
  const chain = pickChain(world, dice)
  return `${chain.id} ${dice.chance(0.4) ? (chain.calm(), 'calm') : chain.market(dice)}`
}

export function mood(world: SimWorld): string {
  const dice = world.dice()
  const chain = pickChain(world, dice)
  return `${chain.id} ${chain.mood(dice)}`
}

export function forget(world: SimWorld): string {
  const dice = world.dice()
  const chain = pickChain(world, dice)
  return `${chain.id} forgets ${chain.forget(dice)}`
}

export function deposit(world: SimWorld): string {
  const dice = world.dice()
  const target = pickTarget(world, dice)
  if (target === null) return 'no recipient'
  const { chain } = target
  // Sometimes a block has many of them.
  const others = dice.chance(CROWD) ? 1 + dice.int(CROWD_MAX) : 0
  const paid = [target.to, ...Array.from({ length: others }, () => neighbour(world, dice, chain))]
  const payments = paid.map((to) => {
    const tokenId = dice.pick([chain.native, ...chain.tokens])
    const digits = tokenId === chain.native ? chain.digits : 9
    const amount = BigInt(1 + dice.int(999_999)) * 10n ** BigInt(digits - 6)
    chain.pay(to, tokenId, amount)
    return `${amount} of ${tokenId.slice(-12)}`
  })
  return `${chain.id} ${payments.join(', ')}`
}

export function trick(world: SimWorld): string {
  const dice = world.dice()
  const target = pickTarget(world, dice)
  if (target === null) return 'no recipient to cheat'
  const { chain, to } = target
  const kind = dice.pick(chain.tricks)
  chain.trick(kind, to, dice)
  return `${chain.id} ${kind}`
}

/** Another account on the same chain. */
function neighbour({ books }: SimWorld, dice: Seeded, chain: SimChain): Target {
  return dice.pick(books.accounts.filter(({ chainId }) => chainId === chain.id))
}

/** An account that was given out. */
function pickTarget(world: SimWorld, dice: Seeded): { chain: SimChain; to: Target } | null {
  const { accounts } = world.books
  if (accounts.length === 0) return null
  const account = dice.pick(accounts)
  return { chain: dice.fork('chain').pick(sharing(world, account.chainId)), to: account }
}

/** Chains that share our addresses with this chain: senders may pay over the wrong network. */
function sharing({ chains }: SimWorld, chainId: string): readonly SimChain[] {
  return chains.filter(({ id }) => scopeOf(id) === scopeOf(chainId))
}

/** A funding for fees or for withdrawals. */
export function fund(world: SimWorld): string {
  const dice = world.dice()
  const own = (world.books.picture?.watched ?? []).filter(({ purpose }) => purpose !== 'deposit')
  if (own.length === 0) return 'no address to fund'
  const { address, purpose, chain: chainId } = dice.pick(own)
  const chain = dice.fork('chain').pick(sharing(world, chainId))
  const tokens = purpose === 'gas' ? [chain.native] : [chain.native, ...chain.tokens.slice(0, 1)]
  const tokenId = dice.pick(tokens)
  const digits = tokenId === chain.native ? chain.digits + 1 : 10
  const amount = BigInt(1 + dice.int(99)) * 10n ** BigInt(digits - 1)
  chain.pay({ address, tag: null }, tokenId, amount)
  return `${chain.id} ${purpose} ${amount}`
}
