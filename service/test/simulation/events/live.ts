import { Outage } from '../../../src/base/fault.ts'
import { type Gate, Killed, type Ordeal } from '../gate.ts'
import type { Instance } from '../instance.ts'
import type { SimWorld } from '../world.ts'

/** Awaits, commits and calls to nodes of something short, and of a round that pays several. */
const KILL_WITHIN = [160, 600] as const
const COMMITS_WITHIN = [5, 40] as const
const CALLS_WITHIN = [8, 40] as const
/** Log lines of a healthy process. */
const EXPECTED = [
  '"type":"Killed"',
  'a node serves another chain',
  'attempts could not be written down',
  'an attempt broke off',
]

/** Runs one step of a process under its faults and returns a summary. */
export async function live(
  world: SimWorld,
  instance: Instance,
  work: (instance: Instance) => Promise<string>,
  ordeal: Ordeal = draw(world),
): Promise<string> {
  const { gate } = instance
  gate.begin(ordeal)
  const running = told(world, instance, work)
  const outcome = await world.settled(running, gate)
  if (outcome === null) {
    world.struck('pause')
    world.stopped.push({ instance, running })
    world.replace(instance)
    return 'stopped'
  }
  note(world, gate)
  if (gate.isDead) world.restart(instance)
  return outcome
}

/** A paused process continues and ends. */
export async function wake(world: SimWorld, stopped = world.stopped.shift()): Promise<string> {
  if (stopped === undefined) return 'nobody sleeps'
  const { instance, running } = stopped
  world.books.woken = instance.name
  instance.gate.wake()
  const outcome = (await world.settled(running, instance.gate)) ?? 'stopped'
  instance.gate.kill()
  return outcome
}

function draw(world: SimWorld): Ordeal {
  const rates = world.rates()
  const random = world.random().fork('ordeal')
  const ordeal: Ordeal = {}
  if (random.chance(rates.kill))
    ordeal.killAt = 1 + Math.floor(random.pick(KILL_WITHIN) * random.next() ** 2)
  if (random.chance(rates.commitLost))
    ordeal.commitLost = {
      nth: 1 + random.int(random.pick(COMMITS_WITHIN)),
      happened: random.chance(0.5),
    }
  if (random.chance(rates.pause)) ordeal.pauseAt = 1 + random.int(random.pick(CALLS_WITHIN))
  return ordeal
}

function note(world: SimWorld, gate: Gate): void {
  if (gate.isDead) world.struck('kill')
  if (gate.hasLostCommit) world.struck('commitLost')
}

async function told(
  world: SimWorld,
  instance: Instance,
  work: (instance: Instance) => Promise<string>,
): Promise<string> {
  try {
    const outcome = await work(instance)
    return instance.gate.isDead ? 'died' : outcome
  } catch (error) {
    if (instance.gate.isDead || error instanceof Killed) return 'died'
    if (error instanceof Outage) return 'outage'
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    world.books.wrongs.push(`${instance.name} threw: ${text}`)
    return 'threw'
  } finally {
    for (const line of instance.failures.splice(0))
      if (!EXPECTED.some((words) => line.includes(words)))
        world.books.wrongs.push(`${instance.name} logged: ${line.slice(0, 1_500)}`)
  }
}
