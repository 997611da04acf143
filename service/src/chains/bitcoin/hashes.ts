import { createHash, hash as hashAtOnce } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { nativeHash } from '../native-hash.ts'

/** Bytes of a double hash, and of the hash of a key. */
export const HASH_BYTES = 32
export const KEY_HASH_BYTES = 20

/** SHA-256 of the SHA-256 of the concatenated parts. */
export function doubleHash(...parts: readonly Uint8Array[]): Buffer {
  const inner = createHash('sha256')
  for (const part of parts) inner.update(part)
  return sha256(inner.digest())
}

/** SHA-256. */
export function sha256(bytes: Uint8Array): Buffer {
  return nativeHash('sha256', bytes)
}

/** RIPEMD-160 of SHA-256: the hash of keys and of old scripts. */
export function keyHash(bytes: Uint8Array): Buffer {
  return Buffer.from(ripemd160(sha256(bytes)))
}

/** A hash in its usual text form: its bytes reversed, in hex. */
export function hashText(hash: Uint8Array): string {
  return Buffer.from(hash).reverse().toString('hex')
}

/** The bytes of a hash from its text form. */
export function hashBytes(text: string): Buffer {
  return Buffer.from(text, 'hex').reverse()
}

/**
 * The root of a Merkle tree over hashes; null if a level ends in a pair of equal hashes that was
 * not created by padding: such a list imitates another one (CVE-2012-2459).
 */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer | null {
  let rank: Buffer[] = leaves.map((leaf) => Buffer.from(leaf))
  while (rank.length > 1) {
    const above: Buffer[] = []
    for (let at = 0; at < rank.length; at += 2) {
      const left = rank[at]
      const right = rank[at + 1]
      if (left === undefined || right?.equals(left)) return null
      above.push(doubleHash(left, right ?? left))
    }
    rank = above
  }
  return rank[0] ?? null
}

const inner = Buffer.alloc(HASH_BYTES)

/** Writes `doubleHash` into other bytes, so thousands of calls create no objects. */
export function doubleHashTo(target: Buffer, at: number, bytes: Uint8Array): void {
  inner.write(hashAtOnce('sha256', bytes, 'binary'), 0, 'latin1')
  target.write(hashAtOnce('sha256', inner, 'binary'), at, 'latin1')
}

/** Writes `keyHash` into other bytes. */
export function keyHashTo(target: Buffer, bytes: Uint8Array): void {
  inner.write(hashAtOnce('sha256', bytes, 'binary'), 0, 'latin1')
  target.write(hashAtOnce('ripemd160', inner, 'binary'), 0, 'latin1')
}

/**
 * `merkleRoot` of this many adjacent hashes, with room for one more behind them; overwrites them.
 */
export function merkleRootOf(hashes: Buffer, leaves: number): Buffer | null {
  let count = leaves
  while (count > 1) {
    const end = count * HASH_BYTES
    // The last hash of an odd number is paired with itself.
    if (count % 2 === 1) hashes.copyWithin(end, end - HASH_BYTES, end)
    for (let at = 0; at < end; at += 2 * HASH_BYTES) {
      const middle = at + HASH_BYTES
      const next = middle + HASH_BYTES
      if (middle < end && areEqual(hashes, at, middle)) return null
      doubleHashTo(hashes, at / 2, hashes.subarray(at, next))
    }
    count = Math.ceil(count / 2)
  }
  return count === 0 ? null : Buffer.from(hashes.subarray(0, HASH_BYTES))
}

/** Nearly all differ in their first bytes. */
function areEqual(hashes: Buffer, one: number, other: number): boolean {
  return (
    hashes[one] === hashes[other] &&
    hashes.compare(hashes, other, other + HASH_BYTES, one, one + HASH_BYTES) === 0
  )
}
