import { wake } from './events/live.ts'
import { letGoOn } from './events/operator-events.ts'
import { checkAudit } from './invariants/audit.ts'
import { checkWorld } from './invariants/check.ts'
import { isAudited, leftOver } from './invariants/liveness.ts'
import type { SimWorld } from './world.ts'

/** From this round on time advances, so that expired work is given up. */
const RUNS_FROM = 12
/**
 * Blocks come from this round on, so that signed transactions with an expiration are known to be
 * dead.
 */
const MINES_FROM = 24
/** If TRON's solid block lagged an hour, expired transactions are dead 1,400 blocks later. */
const ROUNDS = 64
/** By then the last payment has its confirmations and is swept. */
const ROUNDS_MIN = 6
/** Deliveries are made last. */
const LATER = 'to be delivered'
const BLOCK_MS = 15_000
const LONG_MS = 1_800_000
const MANY_BLOCKS = 40
const MANY_MS = 120_000

/** I19: faults stop, blocks come, and every open state ends. Returns violations, one line each. */
export async function heal(world: SimWorld, note: (line: string) => void): Promise<string[]> {
  world.isHealing = true
  while (world.stopped.length > 0) note(`healing wake: ${await wake(world)}`)
  // Others may take its leases before the check.
  world.books.woken = null
  for (const chain of world.chains) chain.calm()
  for (const { gate } of [...world.instances, world.door]) {
    gate.begin({})
    // A step may end before a block that it prefetches.
    gate.wake()
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    world.books.event += 1
    world.enter(`healing ${round}`)
    await world.pass(pace(round))
    await resumeAll(world)
    for (const chain of world.chains) {
      chain.mine(round >= MINES_FROM && chain.mayRebuild ? MANY_BLOCKS : 1)
      const engine = world.instance(0)
      await told(world, () => engine.watch(chain.id))
      const outcomes = [
        await told(world, () => engine.scan(chain.id, 40)),
        await told(world, () => engine.spend(chain.id)),
        ...(isAudited(chain.id) ? [await told(world, () => engine.auditCycle(chain.id))] : []),
      ]
      note(`healing ${round} ${chain.id} ${chain.head().height}: ${outcomes.join(', ')}`)
    }
    collectFailures(world)
    const wrongs = await checkWorld(world)
    if (wrongs.length > 0) return wrongs
    if (round >= ROUNDS_MIN && (await leftOver(world)).every((one) => one.includes(LATER))) break
  }
  await world.pass(2 * 3_600_000)
  for (let round = 0; round < 8; round += 1) {
    await told(world, () => world.instance(0).deliver())
    await world.pass(3_600_000)
  }
  await told(world, () => sealAll(world))
  collectFailures(world)
  const wrongs = [...(await checkWorld(world, true)), ...(await leftOver(world))]
  return wrongs.length > 0 ? wrongs : checkAudit(world)
}

async function told(world: SimWorld, work: () => Promise<string>): Promise<string> {
  try {
    return (await world.settled(work())) ?? 'stopped'
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    world.books.wrongs.push(`healing threw: ${text}`)
    return 'threw'
  }
}

/** I17: at the end every entry is sealed. */
async function sealAll({ instances, books }: SimWorld): Promise<string> {
  for (;;) {
    const { sealed, head } = (await instances[0]?.seal()) ?? { sealed: 0, head: null }
    if (head !== null) books.auditHeads.push(head)
    if (sealed === 0) return `sealed up to ${head?.sequence ?? 0}`
  }
}

function pace(round: number): number {
  if (round < RUNS_FROM) return BLOCK_MS
  return round < MINES_FROM ? LONG_MS : MANY_MS
}

function collectFailures({ instances, books }: SimWorld): void {
  for (const { name, failures } of instances)
    for (const line of failures.splice(0)) books.wrongs.push(`${name} logged: ${line}`)
}

/** Repeated in each round: a chain may freeze later over a reorg that is not read yet. */
async function resumeAll(world: SimWorld): Promise<void> {
  for (const { id } of world.chains)
    await world.database.transaction((tx) => letGoOn(tx, world, id))
}
