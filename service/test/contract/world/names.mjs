// The name service of the outside world, for names that no real one knows. A process of the product
// is started with `--import` of this file.
//   *.unreachable.example.com   does not resolve
//   *.rebinding.example.com     is public when first asked for, and loopback ever after
//   *.mixed.example.com         is public and loopback at once
import { Resolver } from 'node:dns/promises'

const PUBLIC = '93.184.216.34'
const LOOPBACK = '127.0.0.1'
const { resolve4: real4, resolve6: real6 } = Resolver.prototype
const asked = new Set()

const failing = (host, code) => Promise.reject(Object.assign(new Error(`no ${host}`), { code }))
const kindOf = (host) => /\.(unreachable|rebinding|mixed)\.example\.com$/.exec(host)?.[1]

Resolver.prototype.resolve4 = async function resolve4(host, ...options) {
  const kind = kindOf(host)
  if (kind === undefined) return real4.call(this, host, ...options)
  if (kind === 'unreachable') return failing(host, 'ENOTFOUND')
  const isFirst = !asked.has(host)
  asked.add(host)
  if (kind === 'mixed') return [PUBLIC, LOOPBACK]
  return isFirst ? [PUBLIC] : [LOOPBACK]
}

Resolver.prototype.resolve6 = async function resolve6(host, ...options) {
  return kindOf(host) === undefined
    ? real6.call(this, host, ...options)
    : failing(host, kindOf(host) === 'unreachable' ? 'ENOTFOUND' : 'ENODATA')
}
