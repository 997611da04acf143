import type { ServiceKey } from '../keys/service-key.ts'
import { openDeliverer } from '../webhooks/deliver.ts'
import { purgeAttempts } from '../webhooks/purge-attempts.ts'
import { openResolve } from '../webhooks/resolve.ts'
import type { TargetRules } from '../webhooks/target.ts'
import type { ChainWorld } from './chain-world.ts'
import { crashing } from './crash-at.ts'
import { type Loop, every } from './loops.ts'

const DAY_MS = 86_400_000
/** Often enough that what is deleted at a time stays little. */
const PURGE_EVERY_MS = 600_000

/** Deletes old attempts. */
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
  options: { serviceKey: ServiceKey; rules: TargetRules },
): Loop {
  const { database, clock, log, metrics, bell, config } = world
  const run = async (signal: AbortSignal) => {
    const resolve = openResolve(clock, { servers: config.webhookNameServers })
    const deliverer = openDeliverer({
      ...options,
      ...crashing(config.crashAt),
      database,
      clock,
      log,
      resolve,
      onAttempt: (attempt) => metrics.onAttempt(attempt),
    })
    const unsubscribe = bell.answer(() => deliverer.wake())
    await deliverer.run(signal).finally(unsubscribe)
    await deliverer.close()
  }
  return { name: 'webhooks', run }
}
