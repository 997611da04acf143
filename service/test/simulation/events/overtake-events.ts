import { checkWorld } from '../invariants/check.ts'
import type { SimWorld } from '../world.ts'
import { pickChain } from './chain-events.ts'
import { live, wake } from './live.ts'

/** The approximate number of calls to nodes of a busy process. */
const CALLS_WITHIN = 10

/** W23: a process pauses, another takes its leases, and then the first continues. */
export async function overtake(world: SimWorld): Promise<string> {
  const random = world.random()
  const chain = pickChain(world, random)
  const spends = random.chance(0.5)
  if (!spends) chain.mine(1)
  const outcome = await live(
    world,
    world.instance(0),
    (it) => (spends ? it.spend(chain.id) : it.scan(chain.id, 3)),
    { pauseAt: 1 + random.int(CALLS_WITHIN) },
  )
  if (outcome !== 'stopped') return `${chain.id} ${outcome}`
  // It was the lease holder for everything signed until now.
  world.books.wrongs.push(...(await checkWorld(world)))
  const taken = await live(world, world.instance(0), (it) => it.takeOffices(chain.id), {})
  return `${chain.id} ${taken}, then ${await wake(world, world.stopped.pop())}`
}
