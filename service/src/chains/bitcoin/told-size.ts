import type { RawInput, RawTransaction } from './raw-transaction.ts'

/**
 * What one exchange about the coins that transactions spend may take: a few of them at once are
 * still read within their time.
 */
export const TOLD_BYTES_MAX = 16_000_000
/**
 * Of a script of 10,000 bytes, the most that can be spent: each byte may be told as `OP_RESERVED `,
 * and twice as hex; of the words that are longer a script that is spent has 201.
 */
const SCRIPT_TOLD_MAX = 165_000
/** What stands around a transaction, an input with a short script spent, and an output. */
const AROUND = 2_000
const AROUND_INPUT = 1_000
const AROUND_OUTPUT = 400
/** A byte of a script of its own: the longest word, and twice as hex. */
const TOLD_PER_SCRIPT_BYTE = 27
/** Any byte: in the hex of the whole, and as an item of a witness. */
const TOLD_PER_BYTE = 8

/**
 * The most that a node says of a transaction with the coins that it spends. These lie in other
 * blocks, so neither this one nor the transaction bounds what is said of them; their kind does.
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
 * Whether a node can be asked what a transaction spends. Of all that we sign it can: each of our
 * inputs has a witness.
 */
export function isAskable(transaction: RawTransaction): boolean {
  return toldBytesMax(transaction) <= TOLD_BYTES_MAX
}

/** A witness opens only a witness program, or the hash of one: 42 bytes at most (BIP-141). */
function mayOpenLong({ witness }: RawInput): boolean {
  return witness.length === 0
}
