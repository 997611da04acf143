import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex } from '../hex.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CHECK_BYTES = 4

/** An address as people write it (T…) from 21 bytes in hex that begin with 41. */
export function base58Of(hex41: string): string {
  const bytes = fromHex(hex41)
  const check = sha256(sha256(bytes)).slice(0, CHECK_BYTES)
  let value = BigInt(`0x${hex41}${Buffer.from(check).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = `${ALPHABET[Number(value % 58n)]}${text}`
  return text
}

/** The 21 bytes of an address in hex. Throws if the text is not an address. */
export function hex41Of(base58: string): string {
  let value = 0n
  for (const letter of base58) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) throw new Error(`no address: ${base58}`)
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16).slice(0, -2 * CHECK_BYTES)
  if (hex.length !== 42 || base58Of(hex) !== base58) throw new Error(`no address: ${base58}`)
  return hex
}
