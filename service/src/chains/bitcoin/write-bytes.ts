import { assert } from '../../base/assert.ts'
import { hashBytes } from './hashes.ts'
import type { RawInput, RawOutput } from './raw-transaction.ts'

/** The encoding of an output point in a transaction and in a signed message. */
export function pointBytes({ txid, vout }: Pick<RawInput, 'txid' | 'vout'>): Buffer {
  return Buffer.concat([hashBytes(txid), uint32(vout)])
}

/** The encoding of an output in a transaction and in a signed message. */
export function outputBytes({ value, script }: RawOutput): Buffer {
  return Buffer.concat([uint64(value), scriptBytes(script)])
}

/** A script after its length; a script longer than those of addresses is a Bug. */
export function scriptBytes(script: Uint8Array): Buffer {
  assert(script.length < 0xfd, 'an output of no known form')
  return Buffer.concat([Buffer.of(script.length), script])
}

/** Four bytes, little-endian. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Eight bytes, little-endian. */
export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
