import { type Millis, isPausing } from '../base/clock.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { raiseAlert, resolveAlert } from '../journal/raise-alert.ts'
import { type Attempt, isAccepted, judge } from '../webhooks/delivery.ts'
import { openDeliverer } from '../webhooks/deliver.ts'
import { purgeAttempts } from '../webhooks/purge-attempts.ts'
import { openResolve } from '../webhooks/resolve.ts'
import { ATTEMPTS_MAX } from '../webhooks/schedule.ts'
import type { TargetRules } from '../webhooks/target.ts'
import type { ChainWorld } from './chain-world.ts'
import { crashing } from './crash-at.ts'
import { type Loop, every } from './loops.ts'

const DAY_MS = 86_400_000
/** Often enough that what is deleted at a time stays little. */
const PURGE_EVERY_MS = 600_000
/** So long an organization is known to have no open alert: another process may raise one. */
const KNOWN_MS = 60_000

/** Deletes what was written down of attempts and is too old to help anybody. */
export function purgeLoop(world: ChainWorld): Loop {
  const { database, clock, config } = world
  const keptMs = config.attemptsKeptDays * DAY_MS
  const tick = async () => {
    await purgeAttempts(database, { before: clock.now() - keptMs })
  }
  return every(world, { name: 'attempts', everyMs: PURGE_EVERY_MS, tick })
}

/** The loop of the role `webhooks`: any number of processes deliver beside each other. */
export function deliveryLoop(
  world: ChainWorld,
  given: { serviceKey: ServiceKey; rules: TargetRules },
): Loop {
  const { database, clock, log, metrics, bell, config } = world
  const accepting = new Map<string, Millis>()
  const run = async (signal: AbortSignal) => {
    const onAttempt = (attempt: Attempt) => {
      metrics.onAttempt(attempt)
      const { orgId } = attempt.delivery
      if (!isAlarming(attempt)) return
      const isKnown = isPausing(attempt.endedAt, accepting.get(orgId) ?? null, KNOWN_MS)
      if (isKnown && isAccepted(attempt.answer)) return
      void tellFailure(world, accepting, attempt)
    }
    const resolve = openResolve(clock)
    const deliverer = openDeliverer({
      ...given,
      ...crashing(config.crashAt),
      database,
      clock,
      log,
      resolve,
      onAttempt,
    })
    bell.answer(() => deliverer.wake())
    await deliverer.run(signal)
    await deliverer.close()
  }
  return { name: 'webhooks', run }
}

/**
 * Whether it says how the organization's receiver fares: not one to a URL that was replaced, nor a
 * test, which is its sender's to look at.
 */
function isAlarming({ delivery: { isDirected, attemptsMax } }: Attempt): boolean {
  return !isDirected && attemptsMax >= ATTEMPTS_MAX
}

/**
 * Raises an alert for an organization whose delivery failed for good, and resolves it with the next
 * one that is accepted. `accepting` has since when which are known to have no open alert. What
 * became of the delivery itself is settled elsewhere.
 */
async function tellFailure(
  { database, log }: ChainWorld,
  accepting: Map<string, Millis>,
  attempt: Attempt,
): Promise<void> {
  const { orgId, eventId } = attempt.delivery
  const alert = { code: 'webhook.failed', subject: orgId } as const
  try {
    if (judge(attempt).state === 'failed') {
      accepting.delete(orgId)
      const message = `The event ${eventId} was not accepted in ${attempt.number} attempts.`
      await database.transaction((tx) => raiseAlert(tx, { ...alert, message }))
    } else if (isAccepted(attempt.answer)) {
      accepting.set(orgId, attempt.endedAt)
      await database.transaction((tx) => resolveAlert(tx, alert))
    }
  } catch (error) {
    log.warn({ orgId, err: error }, 'an alert on failing deliveries could not be written')
  }
}
