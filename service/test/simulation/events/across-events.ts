import type { SimWorld } from '../world.ts'
import { pickChain } from './chain-events.ts'
import { live } from './live.ts'

const CALLS_WITHIN = 14
/** By then the next block to read is chosen, and not yet read. */
const CALLS_FEW = 6
const AHEAD_MAX = 6

/** The chain grows or reorgs while a process reads it or pays on it. */
export async function across(world: SimWorld): Promise<string> {
  const random = world.random()
  const chain = pickChain(world, random)
  const isReorg = chain.reorgs && world.drawn.reorg > 0 && random.chance(0.7)
  const within = random.fork('within')
  const spends = random.chance(0.3)
  const isNear = random.chance(0.5)
  // A process that lags behind reads several blocks at once.
  if (!spends) chain.mine(isNear ? 1 : random.int(AHEAD_MAX))
  // If near enough, also replaces the block on which the next ones build.
  const depth = isNear ? chain.required : 1 + random.int(chain.required)
  let happened = 'nothing'
  world.meanwhile = {
    calls: 1 + random.int(isNear ? CALLS_FEW : CALLS_WITHIN),
    happen: () => {
      happened = isReorg ? `reorg ${chain.reorg(within, depth)}` : 'a block'
      if (isReorg) world.struck('reorg')
      else chain.mine(1)
    },
  }
  // One step of the scanner alone: confirmations are judged by its tip.
  const outcome = await live(world, world.instance(0), (it) =>
    spends ? it.spend(chain.id) : it.scan(chain.id, 1),
  )
  world.meanwhile = null
  return `${chain.id} ${outcome} across ${happened}`
}
