import { openBell } from '../../src/app/bell.ts'
import type { ChainId } from '@sluice/wire'
import { onTestFinished } from 'vitest'
import type { ChainWorld } from '../../src/app/chain-world.ts'
import { type Config, loadConfig } from '../../src/app/config.ts'
import { openMetrics } from '../../src/app/metrics.ts'
import { uuids } from '../../src/base/id.ts'
import { type Loop, runLoops } from '../../src/app/loops.ts'
import { watchLoops } from '../../src/app/chain-loops.ts'
import { runScanner } from '../../src/scanner/run.ts'
import { SeededRandom, silentLog } from '../support/clock.ts'
import type { World } from '../support/world.ts'

const POLL_MS = 1_000
const STEP_MS = 250
const LOOK_MS = 1
const FALL_ASLEEP_MAX_MS = 30_000
/**
 * A scanner sleeps between two polls, and its lease between two renewals; two monitoring loops run
 * as well.
 */
const SLEEPERS_OF_A_CHAIN = 4

/** The dependencies of the program's loops, over a world. */
export function chainWorldOf(world: World, settings: Partial<Config> = {}): ChainWorld {
  const { clock, database, catalogue } = world
  const random = new SeededRandom('loops')
  const adapters = catalogue.chains
    .filter(({ id }) => catalogue.isConfigured(id))
    .map(({ id }) => world.adapter(id))
  const never = new Promise<never>(() => undefined)
  const close = async () => undefined
  return {
    config: { ...loadConfig({ SLUICE_ENV: 'development' }), ...settings },
    clock,
    random,
    ids: uuids(clock, random),
    log: silentLog(),
    catalogue,
    database,
    urls: world.urls,
    databaseEnded: never,
    close,
    chains: {
      get: (chainId) => adapters.find((one) => one.chainId === chainId) ?? null,
      all: () => adapters,
      close,
    },
    metrics: openMetrics({ database, clock, catalogue, version: 'test' }),
    bell: openBell(),
    holder: 'test',
  }
}

export interface Running {
  /** Lets time pass; returns once all work that it caused is done. */
  pass(ms: number): Promise<void>
}

/** Scans and monitors these chains like the program, until the test ends. */
export async function runProgram(world: World, chainIds: readonly ChainId[]): Promise<Running> {
  const { clock } = world
  const log = silentLog()
  const loops: Loop[] = []
  for (const chainId of chainIds) {
    const { lease, ...watcher } = await world.holder(chainId)
    const { adapter, entry, database } = watcher
    const random = new SeededRandom(chainId)
    // The name only: a lease holder has its witness appended.
    const holder = lease.holder.replace(/ [0-9]+\/[0-9.]+$/, '')
    const scanner = { ...watcher, random, holder, pollMs: POLL_MS }
    loops.push({ name: chainId, run: (signal) => runScanner(scanner, signal) })
    loops.push(...watchLoops({ database, clock, log }, adapter, entry))
  }
  return running(world, loops, SLEEPERS_OF_A_CHAIN * chainIds.length)
}

/**
 * Runs loops of the program in the world's time until the test ends; `sleepers` of them sleep when
 * idle.
 */
export async function running(
  world: World,
  loops: readonly Loop[],
  sleepers: number,
): Promise<Running> {
  const { clock } = world
  const stopping = new AbortController()
  const ended = runLoops({ clock, log: silentLog() }, loops, stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await ended
  })
  await untilAsleep(world, sleepers)
  return {
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        await clock.advance(STEP_MS)
        await untilAsleep(world, sleepers)
      }
    },
  }
}

/** Time may pass when every loop waits for it, and no other work is running. */
async function untilAsleep({ clock }: World, sleepers: number): Promise<void> {
  for (let waited = 0; clock.sleeping < sleepers; waited += LOOK_MS) {
    if (waited > FALL_ASLEEP_MAX_MS) throw new Error(`${clock.sleeping} of ${sleepers} sleep`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
