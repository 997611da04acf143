import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Reads addresses of names in a hosts file, again once it has changed; [] for a name that is not in
 * it. `localhost` is the loopback if the file does not name it (RFC 6761, 6.3).
 */
export function openHostsFile(path = '/etc/hosts'): (host: string) => readonly string[] {
  let changedAt = -1
  let addresses = new Map<string, string[]>()
  return (host) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined && stat.mtimeMs !== changedAt) {
      addresses = parseHosts(readFileSync(path, 'utf8'))
      changedAt = stat.mtimeMs
    }
    const name = host.toLowerCase().replace(/\.$/, '')
    return addresses.get(name) ?? (name === 'localhost' ? LOOPBACK : [])
  }
}

/** Addresses by name, from the text of a hosts file (hosts(5)). */
export function parseHosts(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names.map((one) => one.toLowerCase()))
      addresses.set(name, [...(addresses.get(name) ?? []), address])
  }
  return addresses
}
