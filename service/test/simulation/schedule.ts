import { type Seeded, seeded } from '@sluice/simulator'
import { across } from './events/across-events.ts'
import * as chain from './events/chain-events.ts'
import * as engine from './events/engine-events.ts'
import { wake } from './events/live.ts'
import * as operator from './events/operator-events.ts'
import { overtake } from './events/overtake-events.ts'
import * as people from './events/people-events.ts'
import { redeliver } from './events/redeliver-events.ts'
import { rush } from './events/rush-events.ts'
import * as thief from './events/thief-events.ts'
import type { SimWorld } from './world.ts'

/** One step of a seed: an event, and the time before it. */
export interface Step {
  /** Names its random stream: the step does the same without other steps. */
  key: string
  kind: string
  waitMs: number
}

type Event = (world: SimWorld) => string | Promise<string>

/** The events, with their relative weights. */
export const EVENTS: Readonly<Record<string, { weight: number; play: Event }>> = {
  mine: { weight: 24, play: async (world) => chain.mine(world) },
  scan: { weight: 26, play: engine.scan },
  spend: { weight: 14, play: engine.spend },
  watch: { weight: 4, play: engine.watch },
  deliver: { weight: 4, play: engine.deliver },
  deposit: { weight: 7, play: chain.deposit },
  trick: { weight: 7, play: chain.trick },
  fund: { weight: 2, play: chain.fund },
  account: { weight: 3, play: people.openAccount },
  withdraw: { weight: 8, play: people.withdraw },
  approve: { weight: 8, play: people.approve },
  callOff: { weight: 1.5, play: people.callOff },
  signers: { weight: 1, play: people.setSigners },
  people: { weight: 2, play: operator.changePeople },
  reorg: { weight: 1, play: chain.reorg },
  market: { weight: 1.5, play: chain.market },
  forget: { weight: 0.7, play: chain.forget },
  resume: { weight: 1, play: operator.resume },
  rescan: { weight: 0.4, play: operator.rescan },
  wake: { weight: 1, play: (world) => wake(world) },
  overtake: { weight: 1, play: overtake },
  crash: { weight: 0.7, play: engine.crash },
  rush: { weight: 3, play: rush },
  across: { weight: 3, play: across },
  thiefKey: { weight: 0.5, play: thief.thiefAtTheDoor },
  thiefRows: { weight: 0.6, play: thief.thiefInTheRows },
  probe: { weight: 0.1, play: thief.probe },
  mood: { weight: 2, play: chain.mood },
  redeliver: { weight: 1.5, play: redeliver },
  seal: { weight: 1.5, play: engine.seal },
  thiefLog: { weight: 0.15, play: thief.thiefInTheLog },
}

export const STEPS = 300
/** The share of seeds that prefer two kinds, and the added weight. */
const FAVOURS = 0.4
const FAVOUR = 10

/** The steps of a seed; some kinds may be left out entirely. */
export function drawSchedule(seed: string, steps = STEPS): Step[] {
  const random = seeded(`${seed}/schedule`)
  const all = Object.keys(EVENTS)
  const favoured = new Set(random.chance(FAVOURS) ? [random.pick(all), random.pick(all)] : [])
  const weights = Object.entries(EVENTS).map(([kind, { weight }]): [string, number] => {
    const isThere = weight >= 4 || random.chance(0.8)
    const drawn = isThere ? weight * (0.5 + random.next()) : 0
    return [kind, favoured.has(kind) ? Math.max(drawn, weight) + FAVOUR : drawn]
  })
  return Array.from({ length: steps }, (_, at) => ({
    key: `step ${at}`,
    kind: draw(random, weights),
    waitMs: random.chance(0.05) ? random.int(600_000) : random.int(9_000),
  }))
}

function draw(random: Seeded, weights: readonly [string, number][]): string {
  const sum = weights.reduce((total, [, weight]) => total + weight, 0)
  let left = random.next() * sum
  for (const [kind, weight] of weights) {
    left -= weight
    if (left < 0) return kind
  }
  return 'mine'
}
