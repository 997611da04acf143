import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'

/** The bytes of a SHA-256 of a SHA-256, of the parts one after the other. */
export function doubleHash(...parts: readonly Uint8Array[]): Buffer {
  const inner = createHash('sha256')
  for (const part of parts) inner.update(part)
  return sha256(inner.digest())
}

/** SHA-256. */
export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** RIPEMD-160 of SHA-256: the hash of keys and of old scripts. */
export function keyHash(bytes: Uint8Array): Buffer {
  return Buffer.from(ripemd160(sha256(bytes)))
}

/** A hash as people read it: its bytes backwards, in hex. */
export function hashText(hash: Uint8Array): string {
  return Buffer.from(hash).reverse().toString('hex')
}

/** The bytes of a hash that people read. */
export function hashBytes(text: string): Buffer {
  return Buffer.from(text, 'hex').reverse()
}

/**
 * The root of a Merkle tree over hashes; null where a rank ends in a pair of equals that were not
 * made equal by us: such a list is another one in disguise (CVE-2012-2459).
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
