import { nativeHash } from '../native-hash.ts'

/** Prefixes of four bytes that state the type of the hashed data. */
export const PREFIX = {
  transaction: prefixOf('TXN'),
  transactionLeaf: prefixOf('SND'),
  innerNode: prefixOf('MIN'),
  ledger: prefixOf('LWR'),
  signing: prefixOf('STX'),
} as const

/** The first half of SHA-512 over all parts, 32 bytes: the only hash of the ledger. */
export function sha512Half(...parts: readonly Uint8Array[]): Buffer {
  return nativeHash('sha512', Buffer.concat(parts)).subarray(0, 32)
}

/** A hash as nodes write it. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase()
}

function prefixOf(letters: string): Buffer {
  return Buffer.concat([Buffer.from(letters, 'ascii'), Buffer.from([0])])
}
