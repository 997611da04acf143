import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { addressOfScript } from './bitcoin-script.ts'
import { ByteReader, fromLittleEndian, isEqual, toLittleEndian } from './bytes.ts'
import { type Network, networkOf } from './chains.ts'
import { type Decoded, demand, type Input, type Output } from './decoded.ts'

/** A transaction without witnesses. Hashes and scripts are views of its bytes. */
export interface BitcoinTransaction {
  version: bigint
  inputs: readonly SpentPoint[]
  outputs: readonly ScriptOutput[]
  lockTime: bigint
}

/** An input, which has an empty script. */
export interface SpentPoint {
  /** In the order of the bytes; texts have the reverse order. */
  txid: Uint8Array
  vout: bigint
  sequence: bigint
}

export interface ScriptOutput {
  /** Satoshi. */
  amount: bigint
  script: Uint8Array
}

const VERSION = 2n
/**
 * BIP-125: all sequence numbers up to this one allow a replacement. Lower ones distinguish payments
 * that are otherwise equal; this far down they lock nothing (BIP-68).
 */
const SEQUENCE_MAX = 0xfffffffdn
const SEQUENCE_MIN = SEQUENCE_MAX - 999n
/** 21 million coins. */
const AMOUNT_MAX = 2_100_000_000_000_000n
const TXID_BYTES = 32
const SHORT_MAX = 0xfc
/** The widths of a length behind its first byte; the fourth, of 8 bytes, is never needed. */
const LENGTH_WIDTHS: Readonly<Record<number, number>> = { 0xfd: 2, 0xfe: 4 }

/**
 * Decodes a Bitcoin transaction without witnesses: version 2, no lock time, one replaceable
 * sequence number, outputs with addresses. `spent`: the outputs that it spends, in the order of its
 * inputs. Throws Undecodable for anything else, and if it pays more than it spends. The sequence
 * number is not part of the result.
 */
export function decodeBitcoin(chainId: string, body: Uint8Array, spent: readonly Input[]): Decoded {
  const transaction = parseBitcoin(body)
  const { version, inputs, lockTime } = transaction
  demand(version === VERSION, `the version is ${version} instead of ${VERSION}`)
  demand(lockTime === 0n, 'the transaction has a lock time')
  demandSequence(inputs)
  const outpoints = inputs.map(outpointOf)
  demand(new Set(outpoints).size === inputs.length, 'the transaction spends an output twice')
  demand(spent.length === inputs.length, `${spent.length} amounts for ${inputs.length} inputs`)
  const outputs = outputsOf(transaction, networkOf(chainId))
  return {
    chainId: null,
    from: null,
    action: { kind: 'outputs', outputs },
    slot: { kind: 'inputs', outpoints },
    maxFee: feeOf(spent, outputs),
  }
}

/** Reads a transaction without witnesses. Throws Undecodable unless the bytes are its encoding. */
export function parseBitcoin(body: Uint8Array): BitcoinTransaction {
  const reader = new ByteReader(body)
  const transaction = {
    version: fromLittleEndian(reader.take(4)),
    inputs: readAll(reader, readInput),
    outputs: readAll(reader, readOutput),
    lockTime: fromLittleEndian(reader.take(4)),
  }
  demand(isEqual(encodeBitcoin(transaction), body), 'the encoding is not canonical')
  return transaction
}

/** The bytes of an outpoint: hash and number. */
export function pointBytes({ txid, vout }: SpentPoint): Uint8Array {
  return concatBytes(txid, toLittleEndian(vout, 4))
}

/** The bytes of an output: amount and script. */
export function outputBytes({ amount, script }: ScriptOutput): Uint8Array {
  return concatBytes(toLittleEndian(amount, 8), scriptBytes(script))
}

/** The bytes of a script behind its length. */
export function scriptBytes(script: Uint8Array): Uint8Array {
  return concatBytes(lengthBytes(script.length), script)
}

function encodeBitcoin({ version, inputs, outputs, lockTime }: BitcoinTransaction): Uint8Array {
  return concatBytes(
    toLittleEndian(version, 4),
    lengthBytes(inputs.length),
    ...inputs.flatMap((input) => [
      pointBytes(input),
      lengthBytes(0),
      toLittleEndian(input.sequence, 4),
    ]),
    lengthBytes(outputs.length),
    ...outputs.map(outputBytes),
    toLittleEndian(lockTime, 4),
  )
}

function demandSequence(inputs: readonly SpentPoint[]): void {
  const [first] = inputs
  demand(first !== undefined, 'the transaction has no inputs')
  const { sequence } = first
  const isKnown = sequence >= SEQUENCE_MIN && sequence <= SEQUENCE_MAX
  demand(isKnown, `the unknown sequence number ${sequence}`)
  const isSame = inputs.every((input) => input.sequence === sequence)
  demand(isSame, 'the sequence numbers of the inputs differ')
}

function outputsOf({ outputs }: BitcoinTransaction, network: Network) {
  demand(outputs.length > 0, 'the transaction has no outputs')
  return outputs.map(({ amount, script }) => {
    demand(amount > 0n, 'the amount of an output is 0')
    return { address: addressOfScript(script, network), amount }
  })
}

function feeOf(spent: readonly Output[], paid: readonly Output[]): bigint {
  demand(
    spent.every(({ amount }) => amount > 0n),
    'the amount of an input is not above 0',
  )
  demand(sumOf(spent) <= AMOUNT_MAX, 'the inputs have more than 21 million coins')
  const fee = sumOf(spent) - sumOf(paid)
  demand(fee >= 0n, 'the outputs have more than the inputs')
  return fee
}

function sumOf(outputs: readonly Output[]): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n)
}

function outpointOf({ txid, vout }: SpentPoint): string {
  return `${bytesToHex(txid.toReversed())}:${vout}`
}

function readInput(reader: ByteReader): SpentPoint {
  const txid = reader.take(TXID_BYTES)
  const vout = fromLittleEndian(reader.take(4))
  demand(readLength(reader) === 0, 'an input has a script')
  return { txid, vout, sequence: fromLittleEndian(reader.take(4)) }
}

function readOutput(reader: ByteReader): ScriptOutput {
  const amount = fromLittleEndian(reader.take(8))
  return { amount, script: reader.take(readLength(reader)) }
}

function readAll<T>(reader: ByteReader, read: (reader: ByteReader) => T): T[] {
  const count = readLength(reader)
  demand(count <= reader.left, 'the bytes end inside a list')
  return Array.from({ length: count }, () => read(reader))
}

/** CompactSize. */
function readLength(reader: ByteReader): number {
  const first = reader.byte()
  if (first <= SHORT_MAX) return first
  const width = LENGTH_WIDTHS[first]
  demand(width !== undefined, 'a length of more than 4 bytes')
  return Number(fromLittleEndian(reader.take(width)))
}

function lengthBytes(length: number): Uint8Array {
  if (length <= SHORT_MAX) return Uint8Array.of(length)
  const [first, width] = length <= 0xffff ? [0xfd, 2] : [0xfe, 4]
  return Uint8Array.of(first, ...toLittleEndian(BigInt(length), width))
}
