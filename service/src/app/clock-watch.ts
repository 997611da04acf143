import { type Millis, SKEW_MAX_MS } from '../base/clock.ts'
import { raiseAlert, resolveAlert } from '../journal/raise-alert.ts'
import { selectTime } from '../store/time-rows.ts'
import type { ChainWorld } from './chain-world.ts'
import type { LoopRole } from './config-settings.ts'
import { type Loop, every } from './loops.ts'

const LOOK_MS = 60_000
const SECOND_MS = 1_000

type ClockWorld = Pick<ChainWorld, 'database' | 'clock'>

/**
 * Each process compares its clock with the database's once a minute (O04): what expires, and which
 * codes are good, goes by the one, and who holds a lease by the other. The alert names the process
 * by its roles.
 */
export function clockLoop(
  world: ClockWorld & Pick<ChainWorld, 'log'>,
  roles: readonly LoopRole[],
): Loop {
  return every(world, { name: 'clock', everyMs: LOOK_MS, tick: openClockWatch(world, roles) })
}

/**
 * What compares, each time. An alert is closed by the process that raised it, and by one of the
 * same roles that begins: another whose clock is right would else close it each minute anew.
 */
export function openClockWatch(
  { database, clock }: ClockWorld,
  roles: readonly LoopRole[],
): () => Promise<void> {
  const alert = { code: 'clock.skewed', subject: roles.join(',') } as const
  let mayStand = true
  return () =>
    database.transaction(async (tx) => {
      const before = clock.now()
      const theirs = await selectTime(tx)
      const skewMs = skewOf(theirs, { before, after: clock.now() })
      const isSkewed = Math.abs(skewMs) > SKEW_MAX_MS
      if (isSkewed) await raiseAlert(tx, { ...alert, message: told(alert.subject, skewMs) })
      else if (mayStand) await resolveAlert(tx, alert)
      tx.afterCommit(() => {
        mayStand = isSkewed
      })
    })
}

/** By how much ours is ahead, at least: the other was read at some moment between the two. */
function skewOf(theirs: Millis, { before, after }: { before: Millis; after: Millis }): Millis {
  if (before > theirs) return before - theirs
  return Math.min(0, after - theirs)
}

function told(roles: string, skewMs: Millis): string {
  const seconds = Math.round(Math.abs(skewMs) / SECOND_MS)
  const side = skewMs > 0 ? 'ahead of' : 'behind'
  return `The clock of a process with the roles ${roles} is ${seconds} s ${side} the database's.`
}
