import type { RawInput, RawTransaction } from './raw-transaction.ts'

/**
 * The limit of one request for the outputs that transactions spend: a few parallel ones still
 * finish in time.
 */
export const TOLD_BYTES_MAX = 16_000_000
/**
 * A spendable script has at most 10,000 bytes: each byte may become `OP_RESERVED ` and two hex
 * digits; it has at most 201 of the longer opcodes.
 */
const SCRIPT_TOLD_MAX = 165_000
/** JSON around a transaction, an input with a short spent script, and an output. */
const AROUND = 2_000
const AROUND_INPUT = 1_000
const AROUND_OUTPUT = 400
/** A byte of the transaction's own script: the longest opcode name, and hex twice. */
const TOLD_PER_SCRIPT_BYTE = 27
/** Any byte: in the hex of the whole, and as an item of a witness. */
const TOLD_PER_BYTE = 8

/**
 * The longest answer for a transaction with the outputs that it spends. They are in other blocks,
 * so neither this block nor the transaction bounds them; their type does.
 */
export function toldBytesMax({ inputs, outputs, bytes }: RawTransaction): number {
  let told = AROUND + TOLD_PER_BYTE * bytes.length
  for (const input of inputs) {
    told += AROUND_INPUT + TOLD_PER_SCRIPT_BYTE * input.script.length
    if (mayOpenLong(input)) told += SCRIPT_TOLD_MAX
  }
  for (const { script } of outputs) told += AROUND_OUTPUT + TOLD_PER_SCRIPT_BYTE * script.length
  return told
}

/**
 * Whether a node can be queried for the outputs that a transaction spends. True for all that we
 * sign: each of our inputs has a witness.
 */
export function isAskable(transaction: RawTransaction): boolean {
  return toldBytesMax(transaction) <= TOLD_BYTES_MAX
}

/** A witness spends only a witness program, or the hash of one: at most 42 bytes (BIP-141). */
function mayOpenLong({ witness }: RawInput): boolean {
  return witness.length === 0
}
