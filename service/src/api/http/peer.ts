import ipaddr from 'ipaddr.js'
import { type IpAddress, type Network, contains, parseIpAddress } from '../../orgs/network.ts'

/** The parts of a request that identify its origin. */
export interface Arrival {
  /** The peer of the connection; undefined if it is already closed. */
  remoteAddress: string | undefined
  /** The header X-Forwarded-For. */
  forwardedFor: string | readonly string[] | undefined
}

/** The client of a request. */
export interface Peer {
  /** As rate limits identify it: an IPv4 address, or the /64 of an IPv6 address. */
  name: string
  /** Null if it is unknown. */
  address: IpAddress | null
}

export type PeerOf = (arrival: Arrival) => Peer

/** The 16-bit groups of an IPv6 prefix that identify a client: a customer has a /64. */
const IPV6_PARTS = 4
const UNKNOWN = 'unknown'

/**
 * Identifies clients. X-Forwarded-For is trusted only as far as trusted proxies wrote it: from the
 * right, up to the first address that is not a trusted proxy. Other headers are ignored (S12).
 */
export function openPeers(trusted: readonly Network[]): PeerOf {
  const isTrusted = (address: IpAddress) => trusted.some((network) => contains(network, address))
  return ({ remoteAddress = '', forwardedFor = [] }) => {
    let peer = parseIpAddress(remoteAddress)
    const hops = [forwardedFor].flat().join(',').split(',')
    while (peer !== null && isTrusted(peer)) {
      const hop = parseIpAddress(hops.pop() ?? '')
      if (hop === null) break
      peer = hop
    }
    return { name: peer === null ? UNKNOWN : nameOf(peer), address: peer }
  }
}

function nameOf(address: IpAddress): string {
  if (address.kind() === 'ipv4') return address.toString()
  const parts = ipaddr.IPv6.parse(address.toString()).parts.slice(0, IPV6_PARTS)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}
