import { type Millis, isPausing } from '../base/clock.ts'
import { raiseAlert, resolveAlert } from '../journal/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import { type Attempt, isAccepted, judge } from './delivery.ts'
import { selectGivenUp } from './delivery-rows.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** So long an organization is known to have no open alert: another process may raise one. */
const KNOWN_MS = 60_000

/** What attempts say of how an organization's receiver fares. */
export interface News {
  orgId: string
  /** The last that failed for good. */
  failed: Attempt | null
  /** The last that was accepted, where none failed for good after it. */
  accepted: Attempt | null
}

/**
 * Raises an alert for an organization whose delivery failed for good, and resolves it with the next
 * one that is accepted.
 */
export class FailureAlerts {
  /** Since when organizations are known to have no open alert. */
  readonly #accepting = new Map<string, Millis>()

  /**
   * In the commit that writes the attempts down: one is never given up without the other. `late` is
   * how many of them are void, their leases having ended. Answers with what to `remember` of it.
   */
  async tell(tx: Tx, attempts: readonly Attempt[], late: number): Promise<readonly News[]> {
    const counting = late === 0 ? attempts : await withoutVoid(tx, attempts)
    const news = newsOf(counting).filter((one) => !this.#isKnown(one))
    for (const { orgId, failed, accepted } of news) {
      const alert = { code: 'webhook.failed', subject: orgId } as const
      // Before the commit, of which it may never be known that it happened.
      if (failed !== null) this.#accepting.delete(orgId)
      if (failed !== null) await raiseAlert(tx, { ...alert, message: messageOf(failed) })
      if (accepted !== null) await resolveAlert(tx, alert)
    }
    return news
  }

  /** That it is committed: what was rolled back is told again. */
  remember(news: readonly News[]): void {
    for (const { orgId, accepted } of news)
      if (accepted !== null) this.#accepting.set(orgId, accepted.endedAt)
  }

  #isKnown({ orgId, failed, accepted }: News): boolean {
    if (failed !== null || accepted === null) return false
    return isPausing(accepted.endedAt, this.#accepting.get(orgId) ?? null, KNOWN_MS)
  }
}

/** Without those that would give up what another process has by now, and may bring. */
async function withoutVoid(tx: Tx, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
  const givenUp = await selectGivenUp(
    tx,
    attempts.map(({ delivery }) => delivery),
  )
  return attempts.filter(
    (attempt) => judge(attempt).state !== 'failed' || givenUp.has(attempt.delivery.eventId),
  )
}

/** By organization, in one order in every process: none waits for another in a circle. */
function newsOf(attempts: readonly Attempt[]): News[] {
  const news = new Map<string, News>()
  for (const attempt of attempts) {
    if (!isAlarming(attempt)) continue
    const { orgId } = attempt.delivery
    if (isAccepted(attempt.answer))
      news.set(orgId, { orgId, failed: news.get(orgId)?.failed ?? null, accepted: attempt })
    else if (judge(attempt).state === 'failed')
      news.set(orgId, { orgId, failed: attempt, accepted: null })
  }
  return [...news.values()].sort((a, b) => (a.orgId < b.orgId ? -1 : 1))
}

/**
 * Whether it says how the organization's receiver fares: not one to a URL that was replaced, nor a
 * test, which is its sender's to look at.
 */
function isAlarming({ delivery: { isDirected, attemptsMax } }: Attempt): boolean {
  return !isDirected && attemptsMax >= ATTEMPTS_MAX
}

function messageOf({ number, delivery: { eventId } }: Attempt): string {
  return `The event ${eventId} was not accepted in ${number} attempts.`
}
