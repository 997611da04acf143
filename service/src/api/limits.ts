import type { Operation } from '@sluice/wire'
import { tooMany } from '../orgs/guess.ts'
import type { LimitKind, Limits, Taken } from '../orgs/limits.ts'

/** Which limit an operation counts against (decisions, section 11). */
export function limitKindOf({ method, permission }: Operation): LimitKind {
  if (permission === 'issueAddresses') return 'depositAddresses'
  return method === 'GET' ? 'reads' : 'writes'
}

/**
 * Counts a request of somebody and tells how many more there may be, in the headers of its answer.
 * Refuses with RATE_LIMIT_EXCEEDED.
 */
export function countRequest(
  limits: Limits,
  { kind, who }: { kind: LimitKind; who: string },
  setHeaders: (headers: Readonly<Record<string, string>>) => void,
): void {
  const taken = limits.take(kind, who)
  if (taken === null) return
  setHeaders(limitHeaders(taken))
  if (taken.exceeded) throw tooMany(taken.resetMs)
}

/** What an answer says of a limit (decisions, section 11). */
export function limitHeaders({
  limit,
  remaining,
  resetMs,
}: Omit<Taken, 'exceeded'>): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.ceil(resetMs / 1000)),
  }
}
