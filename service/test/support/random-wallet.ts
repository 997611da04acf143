import { randomBytes } from 'node:crypto'

/** An unused address derived from `name`. */
export function randomWallet(name: string): string {
  const tail = randomBytes(18).toString('hex')
  return `0x${name.length.toString(16).padStart(4, '0')}${tail}`
}
