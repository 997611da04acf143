import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigEndian, concat, type Hex, toHex } from '../hex.ts'
import { type RlpItem, rlp } from '../rlp.ts'

/** keccak of the RLP of nothing. */
const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** A key as nibbles, and its value. */
type Entry = readonly [nibbles: number[], value: Uint8Array]

/**
 * Root of the trie of a list, keyed by the RLP of the indices, as for a block's transactions and
 * receipts.
 */
export function listRoot(values: readonly Uint8Array[]): Hex {
  if (values.length === 0) return EMPTY_ROOT
  return trieRoot(values.map((value, index) => [rlp(bigEndian(index)), value]))
}

/** Root of the Merkle Patricia trie (Yellow Paper, appendix D). */
export function trieRoot(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Hex {
  const nibbled = entries.map(([key, value]): Entry => [nibblesOf(key), value])
  return toHex(keccak_256(rlp(node(nibbled, 0))))
}

/** The node for entries that agree in their first `depth` nibbles. */
function node(entries: readonly Entry[], depth: number): RlpItem {
  const [first] = entries
  if (first === undefined) return new Uint8Array()
  if (entries.length === 1) return [compact(first[0].slice(depth), true), first[1]]
  const shared = sharedNibbles(entries, depth)
  if (shared > 0) {
    const path = first[0].slice(depth, depth + shared)
    return [compact(path, false), reference(node(entries, depth + shared))]
  }
  const branches = Array.from({ length: 16 }, (_, nibble) =>
    reference(node(entriesAt(entries, depth, nibble), depth + 1)),
  )
  const ending = entries.find(([nibbles]) => nibbles.length === depth)
  return [...branches, ending?.[1] ?? new Uint8Array()]
}

/** Short nodes stand in their parent themselves, longer ones by their hash. */
function reference(item: RlpItem): RlpItem {
  const encoded = rlp(item)
  return encoded.length < 32 ? item : keccak_256(encoded)
}

function entriesAt(entries: readonly Entry[], depth: number, nibble: number): Entry[] {
  return entries.filter(([nibbles]) => nibbles[depth] === nibble)
}

function sharedNibbles(entries: readonly Entry[], depth: number): number {
  const [first] = entries[0] ?? [[]]
  for (let shared = 0; depth + shared < first.length; shared += 1) {
    const at = depth + shared
    if (!entries.every(([nibbles]) => nibbles[at] === first[at])) return shared
  }
  return first.length - depth
}

/** Hex-prefix encoding of a path: a flag for a leaf, a flag for an odd length. */
function compact(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0
  const whole = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles]
  return Uint8Array.from({ length: whole.length / 2 }, (_, index) => {
    return (whole[index * 2] ?? 0) * 16 + (whole[index * 2 + 1] ?? 0)
  })
}

function nibblesOf(key: Uint8Array): number[] {
  return [...concat([key])].flatMap((byte) => [byte >> 4, byte & 15])
}
