import { setMaxListeners } from 'node:events'
import { assert } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { type Log, logOutage, logSuccess } from '../base/log.ts'

/** Work that a process repeats until its signal aborts. */
export interface Loop {
  name: string
  run(signal: AbortSignal): Promise<void>
}

/** Names of the parts that still run, for the log line of a stop that takes too long. */
export class Unfinished {
  readonly #names = new Set<string>()

  /** Keeps the name listed until the work has ended. */
  async track<T>(name: string, work: Promise<T>): Promise<T> {
    this.#names.add(name)
    try {
      return await work
    } finally {
      this.#names.delete(name)
    }
  }

  list(): string[] {
    return [...this.#names]
  }
}

const AFTER_BUG_MS = 5_000

/**
 * Runs loops concurrently until the signal aborts, each listed in `unfinished`. A loop that throws
 * loses no data, because its transaction is rolled back: the error is logged and the loop restarts
 * after a pause. The other loops go on.
 */
export async function runLoops(
  options: { clock: Clock; log: Log; unfinished?: Unfinished },
  loops: readonly Loop[],
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, unfinished = new Unfinished() } = options
  // Every loop waits on the one signal; Node would take more than ten of them for a leak.
  setMaxListeners(0, signal)
  await Promise.all(
    loops.map((loop) =>
      unfinished.track(`loop ${loop.name}`, keepRunning({ clock, log }, loop, signal)),
    ),
  )
}

async function keepRunning(
  { clock, log }: { clock: Clock; log: Log },
  loop: Loop,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await loop.run(signal)
    } catch (error) {
      log.error({ loop: loop.name, err: error }, 'loop failed and restarts')
      await clock.sleep(AFTER_BUG_MS, signal)
    }
  }
}

/**
 * A loop that does one small thing every `everyMs`, at once the first time. It waits an outage out.
 */
export function every(
  { clock, log }: { clock: Clock; log: Log },
  options: { name: string; everyMs: number; tick: (signal: AbortSignal) => Promise<void> },
): Loop {
  assert(options.everyMs > 0, 'a loop without a pause', { name: options.name })
  const run = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        await options.tick(signal)
        logSuccess({ clock, log }, options.name)
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        logOutage({ clock, log }, { work: options.name, outage: error })
      }
      await clock.sleep(options.everyMs, signal)
    }
  }
  return { name: options.name, run }
}
