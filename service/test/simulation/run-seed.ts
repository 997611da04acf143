import { createHash } from 'node:crypto'
import type { Api } from './api.ts'
import type { Coverage } from './coverage.ts'
import * as chain from './events/chain-events.ts'
import { checkWorld } from './invariants/check.ts'
import { heal } from './heal.ts'
import { openHarness } from './open-harness.ts'
import { drawSchedule, EVENTS, type Step } from './schedule.ts'
import type { Stage } from './stage.ts'
import { openSimWorld, type SimWorld } from './world.ts'

/** The result of a seed. */
export interface Outcome {
  seed: string
  /** The first violations; empty if the seed passed. */
  wrongs: readonly string[]
  /** The step that they followed; for healing, the number of steps. */
  at: number
  steps: readonly Step[]
  /** The same for the same seed. */
  hash: string
  log: readonly string[]
  /** The number of withdrawals and deposits by status and chain namespace. */
  reached: Readonly<Record<string, number>>
}

export interface Ground {
  stage: Stage
  api: Api
  coverage: Coverage
}

/** Plays a seed, or some of its steps, until a violation or the end. */
export async function runSeed(
  ground: Ground,
  seed: string,
  {
    steps = drawSchedule(seed),
    isTraced = false,
    goesOn = false,
  }: { steps?: readonly Step[]; isTraced?: boolean; goesOn?: boolean } = {},
): Promise<Outcome> {
  const { world, close } = await openSimWorld(ground, seed)
  world.isTraced = isTraced
  world.books.goesOn = goesOn
  try {
    const { wrongs, at } = await play(world, steps)
    const hash = createHash('sha256').update(world.log.join('\n')).digest('hex').slice(0, 16)
    return { seed, wrongs, at, steps, hash, log: world.log, reached: countReached(world) }
  } finally {
    await close()
  }
}

async function play(
  world: SimWorld,
  steps: readonly Step[],
): Promise<{ wrongs: readonly string[]; at: number }> {
  await openHarness(world)
  let wrongs = await checkWorld(world)
  if (wrongs.length > 0) return { wrongs, at: -1 }
  for (const [at, step] of steps.entries()) {
    world.books.event += 1
    world.enter(step.key)
    await world.pass(step.waitMs)
    const outcome = await (EVENTS[step.kind]?.play ?? chain.mine)(world)
    note(world, `${step.key} ${step.kind}: ${outcome}`)
    wrongs = await checkWorld(world)
    world.log.push(world.looker.digest)
    if (wrongs.length > 0) return { wrongs, at }
  }
  wrongs = await heal(world, (line) => note(world, line))
  return { wrongs: wrongs.length === 0 ? world.books.said : wrongs, at: steps.length }
}

/** Withdrawals and deposits by the namespace of their chain and their status. */
function countReached({ books: { picture } }: SimWorld): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { chain: on, status } of [
    ...(picture?.withdrawals ?? []),
    ...(picture?.deposits ?? []),
  ]) {
    const key = `${on.split(':')[0]} ${status}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

function note(world: SimWorld, line: string): void {
  world.log.push(line)
  if (world.isTraced) process.stdout.write(`${line}\n`)
}
