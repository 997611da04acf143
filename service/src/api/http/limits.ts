import type { Operation } from '@sluice/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../base/fault.ts'
import { tooMany } from '../../orgs/guess.ts'
import type { LimitKind, Limits, Taken } from '../../orgs/limits.ts'
import type { ServerDeps } from './deps.ts'
import { peerOf } from './peer-of.ts'

/** Characters of a path that a response repeats. */
const ECHO_LENGTH_MAX = 200

/** The limit of an operation (decisions, section 11). */
export function limitKindOf({ method, permission }: Operation): LimitKind {
  if (permission === 'issueAddresses') return 'depositAddresses'
  return method === 'GET' ? 'reads' : 'writes'
}

/**
 * Counts a request and sets the headers that report the remaining requests. Refuses with
 * RATE_LIMIT_EXCEEDED.
 */
export function countRequest(
  limits: Limits,
  { kind, who, isKnown = false }: { kind: LimitKind; who: string; isKnown?: boolean },
  setHeaders: (headers: Readonly<Record<string, string>>) => void,
): void {
  const taken = limits.take(kind, who, { isKnown })
  if (taken === null) return
  setHeaders(limitHeaders(taken))
  if (taken.exceeded) throw tooMany(taken.resetMs)
}

/**
 * Counts a request without a credential by its address: documentation and unknown endpoints.
 * Refuses with RATE_LIMIT_EXCEEDED.
 */
export function countVisitor(
  deps: Pick<ServerDeps, 'limits' | 'peerOf'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const kind = request.method === 'GET' || request.method === 'HEAD' ? 'reads' : 'writes'
  const counted = { kind, who: peerOf(deps, request) } as const
  countRequest(deps.limits, counted, (headers) => void reply.headers(headers))
}

/** Refuses an unknown endpoint; counted, so that guessing paths is rate-limited. */
export function refuseUnserved(
  deps: Pick<ServerDeps, 'limits' | 'peerOf'>,
  request: FastifyRequest,
  reply: FastifyReply,
): never {
  countVisitor(deps, request, reply)
  const path = request.url.split('?')[0]?.slice(0, ECHO_LENGTH_MAX)
  throw new Refusal('NOT_FOUND', {}, `No such endpoint: ${request.method} ${path}.`)
}

/** The headers that report a limit (decisions, section 11). */
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
