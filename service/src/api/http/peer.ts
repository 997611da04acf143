import ipaddr from 'ipaddr.js'

/** A range of addresses: a network and the bits that name it. */
export interface Network {
  address: ipaddr.IPv4 | ipaddr.IPv6
  bits: number
}

/** The parts of a request that identify its origin. */
export interface Arrival {
  /** The peer of the connection; undefined if it is already closed. */
  remoteAddress: string | undefined
  /** The header X-Forwarded-For. */
  forwardedFor: string | readonly string[] | undefined
}

/** The client as rate limits identify it: an IPv4 address, or the /64 of an IPv6 address. */
export type PeerOf = (arrival: Arrival) => string

/** The 16-bit groups of an IPv6 prefix that identify a client: a customer has a /64. */
const IPV6_PARTS = 4
const UNKNOWN = 'unknown'

/**
 * Identifies clients. X-Forwarded-For is trusted only as far as trusted proxies wrote it: from the
 * right, up to the first address that is not a trusted proxy. Other headers are ignored (S12).
 */
export function openPeers(trusted: readonly Network[]): PeerOf {
  const isTrusted = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
    trusted.some((network) => contains(network, address))
  return ({ remoteAddress = '', forwardedFor = [] }) => {
    let peer = parse(remoteAddress)
    const hops = [forwardedFor].flat().join(',').split(',')
    while (peer !== null && isTrusted(peer)) {
      const hop = parse(hops.pop() ?? '')
      if (hop === null) break
      peer = hop
    }
    return peer === null ? UNKNOWN : nameOf(peer)
  }
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; null if it is invalid. */
export function parseNetwork(text: string): Network | null {
  const [, name = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parse(name)
  if (address === null) return null
  const bitsMax = address.kind() === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? bitsMax : Number(prefix)
  return bits <= bitsMax ? { address, bits } : null
}

function contains(network: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isSameKind = network.address.kind() === address.kind()
  return isSameKind && address.match(network.address, network.bits)
}

/** Drops a zone and a port, which some proxies add; IPv4 in IPv6 becomes IPv4. */
function parse(written: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const text = written
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
  const isOne = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return isOne ? ipaddr.process(text) : null
}

function nameOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address.kind() === 'ipv4') return address.toString()
  const parts = ipaddr.IPv6.parse(address.toString()).parts.slice(0, IPV6_PARTS)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}
