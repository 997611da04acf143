import ipaddr from 'ipaddr.js'

/** A range of addresses: a network and the bits that name it. */
export interface Network {
  address: ipaddr.IPv4 | ipaddr.IPv6
  bits: number
}

/** The part of a request that says where it comes from. */
export interface Arrival {
  /** The other end of the connection; undefined where it is already gone. */
  remoteAddress: string | undefined
  /** The header X-Forwarded-For. */
  forwardedFor: string | readonly string[] | undefined
}

/** Who asked, as limits know it: an IPv4 address, or the /64 of an IPv6 address. */
export type PeerOf = (arrival: Arrival) => string

/** What is told apart of an IPv6 address: one customer has a /64 and all addresses in it. */
const IPV6_PARTS = 4
const UNKNOWN = 'unknown'

/**
 * Opens the question who asked. X-Forwarded-For is believed as far as trusted proxies wrote it:
 * from the right, up to the first address that is no trusted proxy. From anybody else, and in any
 * other header, it says nothing (S12).
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

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address; null where it is none. */
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

/** Without its zone and, as some proxies write it, without its port; IPv4 in IPv6 is IPv4. */
function parse(given: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const text = given
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
