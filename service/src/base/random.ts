import { randomBytes } from 'node:crypto'

/** A source of randomness: the operating system, or a seed in a simulation. */
export interface Random {
  bytes(length: number): Uint8Array
  /** Uniform in 0 (included) to 1 (excluded). For jitter, never for secrets. */
  fraction(): number
}

/** The operating system's generator. It throws rather than return weak bytes. */
export const systemRandom: Random = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
  fraction: () => randomBytes(4).readUInt32BE(0) / 2 ** 32,
}
