import { finished } from 'node:stream'
import { API_VERSION, type ErrorCode } from '@sluice/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Millis } from '../../base/clock.ts'
import type { Caller } from '../../orgs/caller.ts'
import type { ServerDeps } from './means.ts'

/** What is known of the requests that are being answered. */
export interface Visits {
  /**
   * Notes a request, stamps its answer, and writes its one line when the answer is out or broken
   * off.
   */
  begin(request: FastifyRequest, reply: FastifyReply, route: string): void
  admit(request: FastifyRequest, caller: Caller): void
  refuse(request: FastifyRequest, code: ErrorCode): void
  callerOf(request: FastifyRequest): Caller | null
}

/** Opens the book; a request leaves it when nothing holds the request any more. */
export function openVisits({
  clock,
  log,
  onRequest,
}: Pick<ServerDeps, 'clock' | 'log' | 'onRequest'>): Visits {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const errors = new WeakMap<FastifyRequest, ErrorCode>()
  const write = (request: FastifyRequest, given: { route: string; status: number; ms: Millis }) => {
    const { id: requestId, method } = request
    onRequest({ method, ...given })
    const orgId = callers.get(request)?.orgId
    // Undefined ones are left out of the line. Nothing that a caller wrote stands in it but the
    // request's id.
    log.info({ requestId, method, ...given, orgId, error: errors.get(request) }, 'request')
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

/**
 * Headers of every answer. Whatever is answered is one organization's own: nothing between may keep
 * it.
 */
export function stampOf(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-api-version': API_VERSION,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
}
