import ipaddr from 'ipaddr.js'
import { Refusal } from '../base/fault.ts'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** A range of addresses: a network and the bits that name it. */
export interface Network {
  address: IpAddress
  bits: number
}

const ECHO_LENGTH_MAX = 100

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; null if it is invalid. */
export function parseNetwork(text: string): Network | null {
  const [, name = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseIpAddress(name)
  if (address === null) return null
  const bitsMax = address.kind() === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? bitsMax : Number(prefix)
  return bits <= bitsMax ? { address, bits } : null
}

/**
 * Networks in CIDR notation, without bits of hosts and without duplicates. Refuses with
 * BAD_REQUEST, naming `field`.
 */
export function parseNetworks(field: string, texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => canonicalNetwork(text) ?? refuse(field, text)))]
}

function canonicalNetwork(text: string): string | null {
  // An address with a port or a zone is no network.
  const isPlain = /^[0-9a-fA-F:]*[0-9a-fA-F:.]*(?:\/\d+)?$/.test(text) && !/\.\d+:/.test(text)
  const network = isPlain ? parseNetwork(text) : null
  if (network === null) return null
  const { address, bits } = network
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`
}

function refuse(field: string, text: string): never {
  throw new Refusal(
    'BAD_REQUEST',
    { field, provided: text.slice(0, ECHO_LENGTH_MAX) },
    `\`${field}\` must be a list of IPv4 or IPv6 networks, such as 203.0.113.0/24.`,
  )
}

/** Whether one of the networks contains the address. An unknown address is in no network. */
export function isWithin(networks: readonly string[], address: IpAddress | null): boolean {
  if (address === null) return false
  return networks.some((text) => {
    const network = parseNetwork(text)
    return network !== null && contains(network, address)
  })
}

export function contains(network: Network, address: IpAddress): boolean {
  const isSameKind = network.address.kind() === address.kind()
  return isSameKind && address.match(network.address, network.bits)
}

/** Drops a zone and a port, which some proxies add; IPv4 in IPv6 becomes IPv4. */
export function parseIpAddress(written: string): IpAddress | null {
  const text = written
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
  const isOne = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return isOne ? ipaddr.process(text) : null
}
