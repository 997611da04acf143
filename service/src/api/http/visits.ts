import { finished } from 'node:stream'
import { API_VERSION, type ErrorCode } from '@sluice/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Millis } from '../../base/clock.ts'
import type { Caller } from '../../orgs/caller.ts'
import type { ServerDeps } from './deps.ts'

/** The requests in progress. */
export interface Visits {
  /** Sets the headers of the response, and logs one line when the response ends or breaks off. */
  begin(request: FastifyRequest, reply: FastifyReply, route: string): void
  admit(request: FastifyRequest, caller: Caller): void
  refuse(request: FastifyRequest, code: ErrorCode): void
  callerOf(request: FastifyRequest): Caller | null
}

/** Keeps the data of a request until the request is garbage-collected. */
export function openVisits({
  clock,
  log,
  onRequest,
}: Pick<ServerDeps, 'clock' | 'log' | 'onRequest'>): Visits {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const errors = new WeakMap<FastifyRequest, ErrorCode>()
  const write = (
    request: FastifyRequest,
    outcome: { route: string; status: number; ms: Millis },
  ) => {
    const { id: requestId, method } = request
    onRequest({ method, ...outcome })
    const orgId = callers.get(request)?.orgId
    // The line omits undefined values. Its only text from the caller is the request id.
    log.info({ requestId, method, ...outcome, orgId, error: errors.get(request) }, 'request')
  }
  return {
    begin: (request, reply, route) => {
      const from = clock.now()
      for (const [name, value] of Object.entries(stampOf(request.id))) reply.header(name, value)
      finished(reply.raw, () => {
        write(request, { route, status: reply.raw.statusCode, ms: clock.now() - from })
      })
    },
    admit: (request, caller) => void callers.set(request, caller),
    refuse: (request, code) => void errors.set(request, code),
    callerOf: (request) => callers.get(request) ?? null,
  }
}

/** Headers of every response. Responses belong to one organization and must not be cached. */
export function stampOf(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-api-version': API_VERSION,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
}
