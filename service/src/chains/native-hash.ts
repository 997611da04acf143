import { hash } from 'node:crypto'

/**
 * A hash by the code of the platform, at once: for the thousands that a block is proved by. As its
 * text in hex it costs half as much as in bytes.
 */
export function nativeHash(algorithm: 'sha256' | 'sha512', bytes: Uint8Array): Buffer {
  // To be handed a Buffer costs thrice as much.
  return Buffer.from(hash(algorithm, bytes, 'binary'), 'latin1')
}

/** The same in lower-case digits. */
export function nativeHashText(algorithm: 'sha256' | 'sha512', bytes: Uint8Array): string {
  return hash(algorithm, bytes, 'hex')
}
