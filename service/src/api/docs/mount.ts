import type { FastifyInstance } from 'fastify'
import { countVisitor } from '../http/limits.ts'
import type { ServerDeps } from '../http/deps.ts'
import { docsFiles } from './files.ts'

/** Allows only our own style, script and requests, and no inline code. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/**
 * Serves the documentation: /openapi.json, /docs with its pages and their Markdown, /llms.txt.
 * Without credentials; counted as reads of the address.
 */
export function mountDocs(
  server: FastifyInstance,
  deps: Pick<ServerDeps, 'limits' | 'peerOf'>,
): void {
  for (const [url, { type, body }] of docsFiles()) {
    server.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      handler: async (request, reply) => {
        countVisitor(deps, request, reply)
        reply.type(type)
        if (!type.startsWith('application/json'))
          reply.header('content-security-policy', CONTENT_POLICY)
        return body
      },
    })
  }
  server.get('/docs/', async (request, reply) => {
    countVisitor(deps, request, reply)
    return reply.redirect('../docs', 308)
  })
}
