import type { Operation } from '@sluice/wire'
import { tooMany } from '../orgs/guess.ts'
import type { LimitKind, Limits } from '../orgs/limits.ts'

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
  setHeaders({
    'ratelimit-limit': String(taken.limit),
    'ratelimit-remaining': String(taken.remaining),
    'ratelimit-reset': String(Math.ceil(taken.resetMs / 1000)),
  })
  if (taken.exceeded) throw tooMany(taken.resetMs)
}
