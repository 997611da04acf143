import { keccakInBulk } from './keccak.ts'
import { rlpEncode, rlpNumber } from './rlp.ts'
import type { RlpItem } from './rlp.ts'

interface Leaf {
  /** The key, one half byte an element. */
  path: Uint8Array
  value: Uint8Array
}

/** The root of an empty trie: keccak of the RLP of no bytes. */
export const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/**
 * Root of the Merkle-Patricia trie (yellow paper, appendix D) that maps rlp(0), rlp(1), … to these
 * values, as headers commit to transactions and receipts. Returns 0x and 64 digits.
 */
export function indexedRoot(values: readonly Uint8Array[]): string {
  if (values.length === 0) return EMPTY_ROOT
  const leaves = values.map((value, index) => ({
    path: nibblesOf(rlpEncode(rlpNumber(index))),
    value,
  }))
  return `0x${Buffer.from(keccakInBulk(rlpEncode(nodeOf(leaves, 0)))).toString('hex')}`
}

/**
 * The node above these leaves, whose paths are equal before `depth`. No key is a prefix of another.
 */
function nodeOf(leaves: readonly Leaf[], depth: number): RlpItem {
  const [first] = leaves
  if (first === undefined) return new Uint8Array(0)
  if (leaves.length === 1) return [packPath(first.path.subarray(depth), true), first.value]
  const fork = forkOf(leaves, first, depth)
  if (fork > depth) return [packPath(first.path.subarray(depth, fork), false), refer(leaves, fork)]
  const branches = Array.from(
    { length: 16 },
    (_, nibble): RlpItem =>
      refer(
        leaves.filter(({ path }) => path[depth] === nibble),
        depth + 1,
      ),
  )
  return [...branches, new Uint8Array(0)]
}

/** The reference to a node in its parent: the node itself if shorter than a hash, else its hash. */
function refer(leaves: readonly Leaf[], depth: number): RlpItem {
  if (leaves.length === 0) return new Uint8Array(0)
  const node = nodeOf(leaves, depth)
  const encoded = rlpEncode(node)
  return encoded.length < 32 ? node : keccakInBulk(encoded)
}

/** The first depth at which the paths differ. */
function forkOf(leaves: readonly Leaf[], first: Leaf, depth: number): number {
  let fork = depth
  while (leaves.every(({ path }) => fork < path.length && path[fork] === first.path[fork])) {
    fork += 1
  }
  return fork
}

/** Hex-prefix encoding of a stretch of a path: a flag for leaves, another for an odd length. */
function packPath(path: Uint8Array, isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0
  const odd = path.length % 2 === 1
  const whole = odd ? [flag + 1, ...path] : [flag, 0, ...path]
  const packed = new Uint8Array(whole.length / 2)
  for (let at = 0; at < packed.length; at += 1) {
    packed[at] = ((whole[2 * at] ?? 0) << 4) | (whole[2 * at + 1] ?? 0)
  }
  return packed
}

function nibblesOf(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2)
  bytes.forEach((byte, at) => {
    nibbles[2 * at] = byte >> 4
    nibbles[2 * at + 1] = byte & 0x0f
  })
  return nibbles
}
