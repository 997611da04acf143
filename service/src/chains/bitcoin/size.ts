import type { Address, AddressType } from '../port.ts'
import { addressTypeOf } from './address.ts'

/** An output of a future transaction: only its script decides its size. */
interface Sized {
  script: Uint8Array
}

/** Output point 36, an empty script 1, sequence 4. */
const INPUT_BYTES = 41
const WITNESS_BYTES: Record<AddressType, number> = {
  /** The count's byte, a signature of at most 72 with its length, a key of 33 with its length. */
  p2wpkh: 108,
  /** The count's byte, a signature of 64 with its length (BIP-341, SIGHASH_DEFAULT). */
  p2tr: 66,
}
/** Version and lock time. */
const FRAME_BYTES = 8
const MARKER_BYTES = 2
const SCALE = 4

/** The later cost of spending an output, in virtual bytes (Core's policy for dust). */
const WITNESS_SPEND_BYTES = 67
const PLAIN_SPEND_BYTES = 148
/** Core's `dustrelayfee`: base units for a virtual byte. */
const DUST_RATE = 3n

/** The most virtual bytes (BIP-141) of a signed transaction with inputs of these types. */
export function vsizeOf(inputs: readonly AddressType[], outputs: readonly Sized[]): number {
  const plain =
    FRAME_BYTES +
    countBytes(inputs.length) +
    INPUT_BYTES * inputs.length +
    countBytes(outputs.length) +
    outputs.reduce((sum, output) => sum + outputBytes(output), 0)
  const witnesses = inputs.reduce((sum, type) => sum + WITNESS_BYTES[type], 0)
  return Math.ceil((plain * SCALE + MARKER_BYTES + witnesses) / SCALE)
}

/** The type of each input. */
export function typesOf(coins: readonly { address: Address }[]): AddressType[] {
  return coins.map(({ address }) => addressTypeOf(address))
}

/** The most virtual bytes of one more input, rounded up. */
export function inputVsize(type: AddressType): number {
  return Math.ceil((INPUT_BYTES * SCALE + WITNESS_BYTES[type]) / SCALE)
}

/** The fee of virtual bytes at a rate for a thousand, rounded up, in base units. */
export function feeFor(vsize: number, perKvb: bigint): bigint {
  return (BigInt(vsize) * perKvb + 999n) / 1_000n
}

/** The least amount of an output that nodes relay (Core, `GetDustThreshold`). */
export function dustOf(output: Sized): bigint {
  const spend = isWitness(output) ? WITNESS_SPEND_BYTES : PLAIN_SPEND_BYTES
  return BigInt(outputBytes(output) + spend) * DUST_RATE
}

function outputBytes({ script }: Sized): number {
  return 8 + countBytes(script.length) + script.length
}

function isWitness({ script }: Sized): boolean {
  const [version = 0xff, length] = script
  return (version === 0 || (version >= 0x51 && version <= 0x60)) && length === script.length - 2
}

/** The length of a CompactSize. */
function countBytes(count: number): number {
  if (count < 0xfd) return 1
  return count < 0x10000 ? 3 : 5
}
