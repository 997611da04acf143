import { type Millis, isPausing } from '../base/clock.ts'
import { type EndpointResult, updateResults } from '../orgs/endpoint-rows.ts'
import type { Tx } from '../store/database.ts'
import { type Attempt, isAccepted } from './delivery.ts'
import { isAlarming } from './failure-alerts.ts'

/** How long a result like the last one is not stored again: the hot path writes one row less. */
const SAME_MS = 5_000

interface Known {
  isFailing: boolean
  at: Millis
}

/** Stores the newest success and failure of each endpoint; not those of tests and former URLs. */
export class EndpointResults {
  readonly #known = new Map<string, Known>()

  /** Runs in the transaction that stores the attempts. Returns the value for `remember`. */
  async store(tx: Tx, attempts: readonly Attempt[]): Promise<readonly EndpointResult[]> {
    const results = resultsOf(attempts).filter((result) => !this.#isKnown(result))
    await updateResults(tx, results)
    return results
  }

  /** Called after the commit. */
  remember(results: readonly EndpointResult[]): void {
    for (const { endpointId, isFailing, successAt, failureAt } of results)
      this.#known.set(endpointId, { isFailing, at: Math.max(successAt ?? 0, failureAt ?? 0) })
  }

  #isKnown({ endpointId, isFailing, successAt, failureAt }: EndpointResult): boolean {
    const known = this.#known.get(endpointId)
    if (known === undefined || known.isFailing !== isFailing) return false
    // Both kinds in one batch: the endpoint has failed or recovered in between.
    if (successAt !== null && failureAt !== null) return false
    return isPausing(Math.max(successAt ?? 0, failureAt ?? 0), known.at, SAME_MS)
  }
}

/** By endpoint, in the same order in every process, which prevents deadlocks. */
function resultsOf(attempts: readonly Attempt[]): EndpointResult[] {
  const results = new Map<string, EndpointResult>()
  for (const attempt of attempts) {
    if (!isAlarming(attempt)) continue
    const { orgId, endpointId } = attempt.delivery
    const before = results.get(endpointId)
    const isFailing = !isAccepted(attempt.answer)
    results.set(endpointId, {
      orgId,
      endpointId,
      successAt: isFailing ? (before?.successAt ?? null) : attempt.endedAt,
      failureAt: isFailing ? attempt.endedAt : (before?.failureAt ?? null),
      isFailing,
    })
  }
  return [...results.values()].sort((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
}
