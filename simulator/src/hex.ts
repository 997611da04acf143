/** Text of the form 0x…, lower case. */
export type Hex = `0x${string}`

/** Bytes as 0x and two lower-case digits for each. */
export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}

/**
 * Bytes of a hex text, with or without 0x. Throws for odd lengths and for anything but hex digits.
 */
export function fromHex(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  if (!/^([0-9a-fA-F]{2})*$/.test(digits)) throw new Error(`not hex: ${text.slice(0, 40)}`)
  return new Uint8Array(Buffer.from(digits, 'hex'))
}

/** A number as JSON-RPC writes quantities: 0x and no leading zeros. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** The integer's big-endian bytes without leading zeros, as RLP wants it: zero is empty. */
export function bigEndian(value: bigint | number): Uint8Array {
  if (value < 0) throw new Error(`no negative integer has bytes: ${value}`)
  const digits = value.toString(16)
  if (digits === '0') return new Uint8Array()
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`)
}

/** An integer, or an address or other bytes in hex, as one 32-byte word without 0x. */
export function word(value: bigint | number | string): string {
  const digits = typeof value === 'string' ? value.replace(/^0x/, '') : value.toString(16)
  if (digits.length > 64) throw new Error(`too long for a word: ${value}`)
  return digits.toLowerCase().padStart(64, '0')
}

/** The bytes of all parts, one after the other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
