import type { FastifyInstance } from 'fastify'
import { countVisitor } from '../http/limits.ts'
import { openRoute, pagePolicy } from '../http/open-route.ts'
import type { ServerDeps } from '../http/deps.ts'
import { docsFiles } from './files.ts'

const CONTENT_POLICY = pagePolicy()

/**
 * Serves the documentation: /openapi.json, /docs with its pages and their Markdown, /llms.txt.
 * Without credentials; counted as reads of the address.
 */
export function mountDocs(
  server: FastifyInstance,
  deps: Pick<ServerDeps, 'limits' | 'peerOf'>,
): void {
  for (const [url, { type, body }] of docsFiles()) {
    openRoute(server, deps, url, (_request, reply) => {
      reply.type(type)
      if (!type.startsWith('application/json'))
        reply.header('content-security-policy', CONTENT_POLICY)
      return body
    })
  }
  server.get('/docs/', async (request, reply) => {
    countVisitor(deps, request, reply)
    return reply.redirect('../docs', 308)
  })
}
