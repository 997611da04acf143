import type { SimWorld } from '../world.ts'
import { pickChain } from './chain-events.ts'
import { live } from './live.ts'

const OTHER = 0.12

export function scan(world: SimWorld): Promise<string> {
  const random = world.random()
  const { id } = pickChain(world, random)
  const steps = 1 + random.int(5)
  return live(world, world.instance(random.chance(OTHER) ? 1 : 0), (it) => it.scan(id, steps))
}

export function spend(world: SimWorld): Promise<string> {
  const random = world.random()
  const { id } = pickChain(world, random)
  return live(world, world.instance(random.chance(OTHER) ? 1 : 0), (it) => it.spend(id))
}

/** Half of the time the next event pays the pending withdrawals of that chain. */
export async function spendSoon(world: SimWorld, chainId: string): Promise<string> {
  if (!world.random().fork('soon').chance(0.5)) return 'later'
  const { id } = world.chain(chainId)
  return live(world, world.instance(0), (it) => it.spend(id))
}

export function deliver(world: SimWorld): Promise<string> {
  const random = world.random()
  return live(world, world.instance(random.int(2)), (it) => it.deliver())
}

export function watch(world: SimWorld): Promise<string> {
  const random = world.random()
  const { id } = pickChain(world, random)
  const instance = random.chance(OTHER) ? world.door : world.instance(0)
  return live(world, instance, (it) => it.watch(id))
}

export function seal(world: SimWorld): Promise<string> {
  const instance = world.instance(world.random().chance(OTHER) ? 1 : 0)
  return live(world, instance, async (it) => {
    const { sealed, head } = await it.seal()
    world.books.auditHeads.push(head)
    return `${sealed} up to ${head.sequence}`
  })
}

/** A machine crashes and restarts with empty memory. */
export async function crash(world: SimWorld): Promise<string> {
  const at = world.random().int(2)
  world.struck('kill')
  return world.restart(world.instance(at)).name
}
