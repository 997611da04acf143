import type { FastifyInstance } from 'fastify'
import { countRequest } from '../limits.ts'
import type { ServerMeans } from '../means.ts'
import { peerOf } from '../peer-of.ts'
import { docsFiles } from './files.ts'

/** Nothing but our own style, script and requests; nothing inline, nothing from elsewhere. */
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
 * Serves the documentation: /openapi.json, /docs with its pages and their Markdown, /llms.txt. No
 * credentials; counted by address as reads are.
 */
export function mountDocs(
  server: FastifyInstance,
  means: Pick<ServerMeans, 'limits' | 'peerOf'>,
): void {
  for (const [url, { type, body }] of docsFiles()) {
    server.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      handler: async (request, reply) => {
        const counted = { kind: 'reads', who: peerOf(means, request) } as const
        countRequest(means.limits, counted, (headers) => void reply.headers(headers))
        reply.type(type)
        if (!type.startsWith('application/json'))
          reply.header('content-security-policy', CONTENT_POLICY)
        return body
      },
    })
  }
  server.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
}
