import type { Exchange } from '../../src/store/database.ts'

/** The calls of Web Crypto that sign access tokens; they run in other threads. */
const CALLS = ['sign', 'verify', 'digest', 'importKey', 'exportKey'] as const

/** Makes Web Crypto wait for its turn like the database. The returned function ends that. */
export function takeTurnsInCrypto(exchange: Exchange): () => void {
  const { subtle } = globalThis.crypto
  for (const name of CALLS) {
    const original: unknown = Reflect.get(subtle, name)
    if (typeof original !== 'function') throw new Error(`Web Crypto has no ${name}`)
    const value = (...args: unknown[]) =>
      exchange({}, () => Promise.resolve(Reflect.apply(original, subtle, args)))
    Object.defineProperty(subtle, name, { value, configurable: true })
  }
  return () => {
    for (const name of CALLS) Reflect.deleteProperty(subtle, name)
  }
}
