import type { Dice } from '../base/dice.ts'
import { Outage } from '../base/fault.ts'

/**
 * Random bytes for a key, a salt or a nonce. Throws an Outage if the generator fails, returns too
 * few bytes or repeats itself, as weak bytes must never be used (Milk Sad, CVE-2023-39910).
 */
export function draw(dice: Dice, length: number): Uint8Array {
  const bytes = throwDice(dice, length)
  const again = throwDice(dice, length)
  // A stuck generator repeats its bytes. From 12 bytes on, chance does so with 2^-96.
  if (sameBytes(bytes, again)) throw new Outage('randomness', 'the generator repeats itself')
  again.fill(0)
  return bytes
}

function throwDice(dice: Dice, length: number): Uint8Array {
  const bytes = readDice(dice, length)
  if (bytes instanceof Uint8Array && bytes.length === length) return bytes
  throw new Outage('randomness', `the generator did not return ${length} bytes`)
}

function readDice(dice: Dice, length: number): Uint8Array {
  try {
    return dice.bytes(length)
  } catch (cause) {
    throw new Outage('randomness', 'the generator failed', { cause })
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((byte, at) => byte === other[at])
}
