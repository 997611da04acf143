import type { Random } from '../base/random.ts'
import { Outage } from '../base/fault.ts'

/**
 * Random bytes for a key, a salt or a nonce. Throws an Outage if the generator fails, returns too
 * few bytes or repeats itself, as weak bytes must never be used (Milk Sad, CVE-2023-39910).
 */
export function draw(random: Random, length: number): Uint8Array {
  const bytes = drawRandom(random, length)
  const again = drawRandom(random, length)
  // A stuck generator repeats its bytes. From 12 bytes on, chance does so with 2^-96.
  if (sameBytes(bytes, again)) throw new Outage('randomness', 'the generator repeats itself')
  again.fill(0)
  return bytes
}

function drawRandom(random: Random, length: number): Uint8Array {
  const bytes = readRandom(random, length)
  if (bytes instanceof Uint8Array && bytes.length === length) return bytes
  throw new Outage('randomness', `the generator did not return ${length} bytes`)
}

function readRandom(random: Random, length: number): Uint8Array {
  try {
    return random.bytes(length)
  } catch (cause) {
    throw new Outage('randomness', 'the generator failed', { cause })
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((byte, at) => byte === other[at])
}
