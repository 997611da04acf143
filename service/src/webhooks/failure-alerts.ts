import { type Millis, isPausing } from '../base/clock.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { type Attempt, isAccepted, judge } from './delivery.ts'
import { nameOf, selectGivenUp } from './delivery-rows.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** How long the absence of an open alert is cached: another process may raise one. */
const KNOWN_MS = 60_000

/** The result of a batch of attempts for an endpoint. */
export interface News {
  endpointId: string
  /** The last permanent failure. */
  failed: Attempt | null
  /** The last accepted attempt, unless a permanent failure came after it. */
  accepted: Attempt | null
}

/**
 * Raises an alert for an endpoint whose delivery failed permanently, and resolves it with the
 * next accepted one.
 */
export class FailureAlerts {
  /** Since when endpoints have had no open alert. */
  readonly #accepting = new Map<string, Millis>()

  /**
   * Runs in the transaction that stores the attempts, so that failure and alert commit together.
   * `late` attempts are void, because their leases expired. Returns the value for `remember`.
   */
  async tell(tx: Tx, attempts: readonly Attempt[], late: number): Promise<readonly News[]> {
    const counting = late === 0 ? attempts : await withoutVoid(tx, attempts)
    const news = newsOf(counting).filter((one) => !this.#isKnown(one))
    for (const { endpointId, failed, accepted } of news) {
      const alert = { code: 'webhook.failed', subject: endpointId } as const
      // Before the commit, whose result may stay unknown.
      if (failed !== null) this.#accepting.delete(endpointId)
      if (failed !== null) await raiseAlert(tx, { ...alert, ...describe(failed) })
      if (accepted !== null) await resolveAlert(tx, alert)
    }
    return news
  }

  /** Called after the commit; a rollback repeats the alert. */
  remember(news: readonly News[]): void {
    for (const { endpointId, accepted } of news)
      if (accepted !== null) this.#accepting.set(endpointId, accepted.endedAt)
  }

  #isKnown({ endpointId, failed, accepted }: News): boolean {
    if (failed !== null || accepted === null) return false
    return isPausing(accepted.endedAt, this.#accepting.get(endpointId) ?? null, KNOWN_MS)
  }
}

/** Without failures of deliveries that another process holds now and may still deliver. */
async function withoutVoid(tx: Tx, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
  const givenUp = await selectGivenUp(
    tx,
    attempts.map(({ delivery }) => delivery),
  )
  return attempts.filter(
    (attempt) => judge(attempt).state !== 'failed' || givenUp.has(nameOf(attempt.delivery)),
  )
}

/** By endpoint, in the same order in every process, which prevents deadlocks. */
function newsOf(attempts: readonly Attempt[]): News[] {
  const news = new Map<string, News>()
  for (const attempt of attempts) {
    if (!isAlarming(attempt)) continue
    const { endpointId } = attempt.delivery
    const failed = news.get(endpointId)?.failed ?? null
    if (isAccepted(attempt.answer)) news.set(endpointId, { endpointId, failed, accepted: attempt })
    else if (judge(attempt).state === 'failed')
      news.set(endpointId, { endpointId, failed: attempt, accepted: null })
  }
  return [...news.values()].sort((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
}

/**
 * Whether the attempt reflects the state of the endpoint: not if it went to a
 * replaced URL, nor if it is a test, which its sender watches.
 */
export function isAlarming({ delivery: { isDirected, attemptsMax } }: Attempt): boolean {
  return !isDirected && attemptsMax >= ATTEMPTS_MAX
}

function describe({ number, delivery: { orgId, eventId, endpointId } }: Attempt) {
  const where = endpointId === orgId ? '' : ` by the webhook endpoint ${endpointId}`
  return { orgId, message: `The event ${eventId} was not accepted${where} in ${number} attempts.` }
}
