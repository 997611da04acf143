import type { SimWorld } from '../world.ts'
import { pickChain } from './chain-events.ts'
import { live } from './live.ts'

const CALLS_WITHIN = 14
const AHEAD_MAX = 6

/** The chain goes on, or takes another branch, while somebody reads it or pays on it. */
export async function across(world: SimWorld): Promise<string> {
  const dice = world.dice()
  const chain = pickChain(world, dice)
  const isReorg = chain.reorgs && world.drawn.reorg > 0 && dice.chance(0.7)
  const within = dice.fork('within')
  const depth = 1 + dice.int(chain.required)
  const spends = dice.chance(0.3)
  // Whoever lags behind reads several blocks at once.
  if (!spends) chain.mine(dice.int(AHEAD_MAX))
  let happened = 'nothing'
  world.meanwhile = {
    calls: 1 + dice.int(CALLS_WITHIN),
    happen: () => {
      happened = isReorg ? `reorg ${chain.reorg(within, depth)}` : 'a block'
      if (isReorg) world.struck('reorg')
      else chain.mine(1)
    },
  }
  // One step of the scanner alone: what it confirmed is judged by the tip that it leaves.
  const outcome = await live(world, world.instance(0), (it) =>
    spends ? it.spend(chain.id) : it.scan(chain.id, 1),
  )
  world.meanwhile = null
  return `${chain.id} ${outcome} across ${happened}`
}
