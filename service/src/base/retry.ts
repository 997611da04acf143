import type { Clock } from './clock.ts'
import type { Random } from './random.ts'
import { Outage } from './fault.ts'

export interface Backoff {
  firstMs: number
  maxMs: number
  attemptsMax: number
}

/**
 * The pause before retry number `attempt` (from 1): doubles up to `maxMs`, with random jitter
 * between half of it and all of it.
 */
export function backoffMs(backoff: Backoff, attempt: number, random: Random): number {
  const ceiling = Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(ceiling * (0.5 + random.fraction() / 2))
}

/** Retries work after an Outage, up to `attemptsMax` attempts. Rethrows every other error. */
export async function retryOutages<T>(
  { clock, random }: { clock: Clock; random: Random },
  backoff: Backoff,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Outage) || attempt >= backoff.attemptsMax) throw error
      await clock.sleep(Math.max(backoffMs(backoff, attempt, random), error.retryAfterMs ?? 0))
    }
  }
}
