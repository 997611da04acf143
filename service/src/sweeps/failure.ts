import { Outage } from '../base/fault.ts'
import { Doubt } from '../chains/doubt.ts'
import { LeaseLost } from '../store/lease.ts'
import type { SweepDeps } from './deps.ts'
import type { Sweep } from './sweep.ts'

/**
 * Adds what was thrown about one sweep to the failures of the round, after all others to be thrown
 * by it. Whether it ends the round: what is about that sweep alone keeps no other from anything.
 */
export function noteFailure(
  { log }: Pick<SweepDeps, 'log'>,
  { sweep, error, failures }: { sweep: Sweep; error: unknown; failures: unknown[] },
): boolean {
  failures.push(error)
  if (endsRound(error)) return true
  log.warn({ sweep: sweep.id, err: error }, 'sweep could not be advanced')
  return false
}

/** Nodes or the database do not answer, or the lease is lost. A Doubt concerns one sweep only. */
export function endsRound(error: unknown): boolean {
  if (error instanceof Doubt) return false
  return error instanceof Outage || error instanceof LeaseLost
}
