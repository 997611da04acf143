// The name service of the outside world, for names that no real one knows. A process of the product
// is started with `--import` of this file.
//   *.unreachable.example.com   does not resolve
//   *.rebinding.example.com     is public when first asked for, and loopback ever after
//   *.mixed.example.com         is public and loopback at once
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

const PUBLIC = '93.184.216.34'
const LOOPBACK = '127.0.0.1'
const real = dns.promises.lookup
const asked = new Set()

dns.promises.lookup = async (host, options) => {
  const kind = /\.(unreachable|rebinding|mixed)\.example\.com$/.exec(host)?.[1]
  if (kind === undefined) return real(host, options)
  if (kind === 'unreachable') throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' })
  const isFirst = !asked.has(host)
  asked.add(host)
  const first = isFirst ? [PUBLIC] : [LOOPBACK]
  return (kind === 'mixed' ? [PUBLIC, LOOPBACK] : first).map((address) => ({ address, family: 4 }))
}
syncBuiltinESMExports()
