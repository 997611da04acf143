import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countVisitor } from './limits.ts'
import type { ServerDeps } from './deps.ts'

/** Serves GET and HEAD of a path without credentials; counted as reads of the address. */
export function openRoute(
  server: FastifyInstance,
  deps: Pick<ServerDeps, 'limits' | 'peerOf'>,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  server.route({
    method: 'GET',
    url,
    exposeHeadRoute: true,
    handler: async (request, reply) => {
      countVisitor(deps, request, reply)
      return handler(request, reply)
    },
  })
}

/**
 * The content policy of a page: own style, script and requests, and no inline code. `connections`
 * are further origins that it may query, `more` further directives.
 */
export function pagePolicy({
  connections = [],
  more = [],
}: {
  connections?: readonly string[]
  more?: readonly string[]
} = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connections].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join(';')
}
