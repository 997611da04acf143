import { assert } from '../../base/assert.ts'
import { PREFIX, sha512Half } from './hash.ts'

/** A leaf of a ledger's tree: the signed bytes and the metadata. */
export interface Leaf {
  /** 32 bytes: the hash of the transaction, which is its path in the tree. */
  id: Buffer
  transaction: Uint8Array
  meta: Uint8Array
}

const BRANCHES = 16
const NOTHING = Buffer.alloc(32)
/** Limits of lengths that take one and two bytes (XRPL serialization format). */
const ONE_BYTE_MAX = 192
const TWO_BYTES_MAX = 12_480
const THREE_BYTES_MAX = 918_744

/**
 * The root of the tree of a ledger's transactions: a radix tree of sixteen branches over the ids.
 * The header names it, so transactions with this root are complete.
 */
export function transactionRoot(leaves: readonly Leaf[]): Buffer {
  return leaves.length === 0 ? NOTHING : innerHash(leaves, 0)
}

function innerHash(leaves: readonly Leaf[], depth: number): Buffer {
  assert(depth < 64, 'two transactions of a ledger with the same id')
  const branches = Array.from({ length: BRANCHES }, (): Leaf[] => [])
  for (const leaf of leaves) branches[nibbleOf(leaf.id, depth)]?.push(leaf)
  const hashes = branches.map((below) => {
    const [only] = below
    if (only === undefined) return NOTHING
    return below.length === 1 ? leafHash(only) : innerHash(below, depth + 1)
  })
  return sha512Half(PREFIX.innerNode, ...hashes)
}

function leafHash({ id, transaction, meta }: Leaf): Buffer {
  const parts = [lengthOf(transaction), transaction, lengthOf(meta), meta, id]
  return sha512Half(PREFIX.transactionLeaf, ...parts)
}

function nibbleOf(id: Buffer, depth: number): number {
  const byte = id[depth >> 1] ?? 0
  return depth % 2 === 0 ? byte >> 4 : byte & 15
}

/** The encoding of lengths before bytes. */
function lengthOf({ length }: Uint8Array): Buffer {
  if (length <= ONE_BYTE_MAX) return Buffer.from([length])
  if (length <= TWO_BYTES_MAX) {
    const rest = length - ONE_BYTE_MAX - 1
    return Buffer.from([193 + (rest >> 8), rest & 255])
  }
  assert(length <= THREE_BYTES_MAX, 'a transaction longer than any can be', { length })
  const rest = length - TWO_BYTES_MAX - 1
  return Buffer.from([241 + (rest >> 16), (rest >> 8) & 255, rest & 255])
}
