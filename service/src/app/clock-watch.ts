import type { Clock, Millis } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import type { Database } from '../store/database.ts'
import { selectTime } from '../store/time-rows.ts'
import type { LoopRole } from './config-settings.ts'
import { type Loop, every } from './loops.ts'

/** How far the process's clock may differ from the database's. */
const SKEW_MAX_MS = 5_000
const COMPARE_MS = 60_000
/** How soon a jump of the clock is noticed. */
const LOOK_MS = 1_000
const SECOND_MS = 1_000

/**
 * Compares the clock of a process with the database's: at start, every minute, and after a jump.
 * While they differ by more than 5 s, its loops are paused and `clock.skewed` is open (O04). The
 * alert names the process by its roles. It is resolved by the process that raised it, and by one
 * with the same roles that starts: others with those roles may have the right time all along.
 */
export class ClockWatch {
  readonly #world: { database: Database; clock: Clock; log: Log }
  readonly #roles: string
  #mayBeOpen = true
  #seenAt: Millis
  #comparedAt: Millis | null = null
  #isSkewed = false
  /** Aborts when the clock turns out wrong, or right again. */
  #changed = new AbortController()

  constructor(world: { database: Database; clock: Clock; log: Log }, roles: readonly LoopRole[]) {
    this.#world = world
    this.#roles = roles.join(',')
    this.#seenAt = world.clock.now()
  }

  get isSkewed(): boolean {
    return this.#isSkewed
  }

  /** The loop that compares; it must not be paused itself. */
  loop(): Loop {
    return every(this.#world, { name: 'clock', everyMs: LOOK_MS, tick: () => this.#look() })
  }

  /** Stops a loop while the clock is wrong, as at a shutdown, so that its leases are released. */
  pausing(loop: Loop): Loop {
    const runOrPause = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        const either = AbortSignal.any([signal, this.#changed.signal])
        if (this.#isSkewed) await this.#world.clock.sleep(COMPARE_MS, either)
        else await loop.run(either)
      }
    }
    return { name: loop.name, run: runOrPause }
  }

  async compare(): Promise<void> {
    const { database, clock } = this.#world
    const skewMs = await database.transaction(async (tx) => {
      const before = clock.now()
      const theirs = await selectTime(tx)
      const skew = skewOf(theirs, { before, after: clock.now() })
      const alert = { code: 'clock.skewed', subject: this.#roles } as const
      if (Math.abs(skew) > SKEW_MAX_MS)
        await raiseAlert(tx, { ...alert, message: messageOf(this.#roles, skew) })
      else if (this.#mayBeOpen) await resolveAlert(tx, alert)
      return skew
    })
    this.#settle(skewMs)
  }

  async #look(): Promise<void> {
    const now = this.#world.clock.now()
    const hasJumped = now - this.#seenAt > LOOK_MS + SKEW_MAX_MS
    this.#seenAt = now
    const isDue = this.#comparedAt === null || now - this.#comparedAt >= COMPARE_MS
    if (!isDue && !hasJumped) return
    await this.compare()
    this.#comparedAt = now
  }

  #settle(skewMs: Millis): void {
    const isSkewed = Math.abs(skewMs) > SKEW_MAX_MS
    this.#mayBeOpen = isSkewed
    if (isSkewed === this.#isSkewed) return
    this.#isSkewed = isSkewed
    if (isSkewed) this.#world.log.error({ skewMs }, 'clock is skewed: loops are paused')
    else this.#world.log.info({ skewMs }, 'clock agrees with the database again: loops continue')
    this.#changed.abort()
    this.#changed = new AbortController()
  }
}

/** How far our clock is ahead (negative: behind), at least: theirs was read between the two. */
function skewOf(theirs: Millis, { before, after }: { before: Millis; after: Millis }): Millis {
  if (before > theirs) return before - theirs
  return Math.min(0, after - theirs)
}

function messageOf(roles: string, skewMs: Millis): string {
  const seconds = Math.round(Math.abs(skewMs) / SECOND_MS)
  const side = skewMs > 0 ? 'ahead of' : 'behind'
  return (
    `The clock of a process with the roles ${roles} is ${seconds} s ${side} the database's. ` +
    'Its loops are paused: synchronize the clocks of both machines.'
  )
}
