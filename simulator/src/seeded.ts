/** Numbers that follow from a seed alone. */
export interface Seeded {
  /** 0 up to, not including, 1 */
  next(): number
  /** An integer from 0 up to, not including, n */
  int(n: number): number
  /** True in the given share of draws, 0 to 1 */
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
  /** The items in another order; the list given stays as it is. */
  shuffled<T>(items: readonly T[]): T[]
  /** Random bytes in hex, without 0x */
  hex(bytes: number): string
  /** An independent stream for a part of the world: draws there change nothing here. */
  fork(name: string): Seeded
}

/** xoshiro128**, whose state is drawn from the seed's text by FNV-1a and splitmix32. */
export function seeded(seed: number | string): Seeded {
  const state = stateOf(String(seed))
  const draw = () => step(state)
  const int = (n: number) => Math.floor((draw() / 2 ** 32) * n)
  return {
    next: () => draw() / 2 ** 32,
    int,
    chance: (share) => draw() / 2 ** 32 < share,
    pick(items) {
      const item = items[int(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    shuffled: (items) => shuffle([...items], int),
    hex(bytes) {
      return Array.from({ length: bytes }, () => int(256).toString(16).padStart(2, '0')).join('')
    },
    fork: (name) => seeded(`${seed}/${name}`),
  }
}

function stateOf(seed: string): Uint32Array {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(seed)) hash = Math.imul(hash ^ byte, 0x01000193)
  return Uint32Array.from({ length: 4 }, () => {
    hash = (hash + 0x9e3779b9) | 0
    let mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return mixed ^ (mixed >>> 15)
  })
}

function step(state: Uint32Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = state
  const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
  const x = c ^ a
  const y = d ^ b
  state.set([a ^ y, b ^ x, x ^ (b << 9), rotate(y, 11)])
  return result
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function shuffle<T>(items: T[], int: (n: number) => number): T[] {
  const left = items.splice(0)
  while (left.length > 0) items.push(...left.splice(int(left.length), 1))
  return items
}
