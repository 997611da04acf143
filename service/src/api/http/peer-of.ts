import type { FastifyRequest } from 'fastify'
import type { ServerDeps } from './deps.ts'

/** The client's address, as rate limits identify it. */
export function peerOf(
  deps: Pick<ServerDeps, 'peerOf'>,
  { raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>,
): string {
  const { remoteAddress } = raw.socket
  return deps.peerOf({ remoteAddress, forwardedFor: headers['x-forwarded-for'] })
}
