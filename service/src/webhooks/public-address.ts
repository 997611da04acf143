import ipaddr from 'ipaddr.js'

/** In a public range, but answered by the machine's own host: Azure's platform address. */
const NEVER = new Set(['168.63.129.16'])

/** Allocated global unicast (RFC 4291, 2.4; IANA): all other IPv6 is special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::')
const GLOBAL_UNICAST_BITS = 3

/**
 * Whether an IP address is on the public internet. Loopback, private, link-local, shared,
 * multicast, documentation and translated addresses (NAT64, 6to4, Teredo) are not, nor is any text
 * that is not an address in its usual spelling. An IPv4 address inside an IPv6 one is judged as
 * IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublicIpv4(ipaddr.IPv4.parse(text))
  // A zone ("fe80::1%eth0") names an interface of this machine, and "::8.8.8.8" is a deprecated
  // IPv4-compatible address (RFC 4291, 2.5.5.1), which ipaddr.js takes for a mapped one.
  if (text.includes('%') || /^::\d+\./.test(text) || !ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address())
  return address.match(GLOBAL_UNICAST, GLOBAL_UNICAST_BITS) && address.range() === 'unicast'
}

/**
 * The canonical spelling of an address, IPv4 unmapped, for comparisons; any other text is returned
 * unchanged.
 */
export function canonicalAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !NEVER.has(address.toString())
}
