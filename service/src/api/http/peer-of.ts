import type { FastifyRequest } from 'fastify'
import type { ServerDeps } from './deps.ts'
import type { Peer } from './peer.ts'

type Asked = Pick<FastifyRequest, 'raw' | 'headers'>

/** The client's address, as rate limits identify it. */
export function peerOf(deps: Pick<ServerDeps, 'peerOf'>, request: Asked): string {
  return clientOf(deps, request).name
}

/** The client of a request. */
export function clientOf(deps: Pick<ServerDeps, 'peerOf'>, { raw, headers }: Asked): Peer {
  const { remoteAddress } = raw.socket
  return deps.peerOf({ remoteAddress, forwardedFor: headers['x-forwarded-for'] })
}
