import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Hex, type RlpItem, bigEndian, rlp, toHex } from '@sluice/simulator'

type Node = { item: RlpItem; reference: RlpItem }

/**
 * The root of a list of values (as receipts are committed to) that is computed repeatedly with a
 * few changed values: unchanged subtrees are not hashed again. It is compared with the simulator's
 * root when the chain is made.
 */
export class ReceiptsTrie {
  readonly #keys: Uint8Array[]
  readonly #values: Uint8Array[]
  readonly #known = new Map<string, Node>()

  constructor(values: readonly Uint8Array[]) {
    this.#values = [...values]
    this.#keys = values.map((_, index) => nibblesOf(rlp(bigEndian(index))))
  }

  set(index: number, value: Uint8Array): void {
    this.#values[index] = value
    const key = this.#keys[index]
    if (key === undefined) throw new Error(`no value ${index}`)
    for (let depth = 0; depth <= key.length; depth += 1) {
      this.#known.delete(key.subarray(0, depth).join(','))
    }
  }

  root(): Hex {
    const all = this.#keys.map((_, index) => index)
    return toHex(keccak_256(rlp(this.#node(all, 0).item)))
  }

  #node(indices: readonly number[], depth: number): Node {
    const [first = 0] = indices
    const key = this.#keys[first] ?? new Uint8Array()
    const name = key.subarray(0, depth).join(',')
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const item = this.#make(indices, depth, key, this.#values[first] ?? new Uint8Array())
    const encoded = rlp(item)
    const node = { item, reference: encoded.length < 32 ? item : keccak_256(encoded) }
    this.#known.set(name, node)
    return node
  }

  #make(indices: readonly number[], depth: number, key: Uint8Array, value: Uint8Array): RlpItem {
    if (indices.length === 1) return [packed(key.subarray(depth), 2), value]
    let fork = depth
    while (indices.every((index) => this.#keys[index]?.[fork] === key[fork])) fork += 1
    if (fork > depth) {
      return [packed(key.subarray(depth, fork), 0), this.#node(indices, fork).reference]
    }
    const branches = Array.from({ length: 16 }, (_, nibble): RlpItem => {
      const below = indices.filter((index) => this.#keys[index]?.[depth] === nibble)
      return below.length === 0 ? new Uint8Array() : this.#node(below, depth + 1).reference
    })
    return [...branches, new Uint8Array()]
  }
}

function nibblesOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes].flatMap((byte) => [byte >> 4, byte & 15]))
}

/** Hex-prefix encoding; flag 2 for leaves. */
function packed(path: Uint8Array, flag: number): Uint8Array {
  const whole = path.length % 2 === 1 ? [flag + 1, ...path] : [flag, 0, ...path]
  return Uint8Array.from({ length: whole.length / 2 }, (_, at) => {
    return ((whole[2 * at] ?? 0) << 4) | (whole[2 * at + 1] ?? 0)
  })
}
