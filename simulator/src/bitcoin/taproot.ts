import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256, hidden, uint32, uint64, withLength } from './bytes.ts'
import type { BitcoinTransaction, TransactionInput, TransactionOutput } from './transaction.ts'

const { Point } = secp256k1
const { Fn } = Point

const DEFAULT = 0x00
const ALL = 0x01
const NONE = 0x02
const SINGLE = 0x03
const ANYONE_CAN_PAY = 0x80
const HASH_TYPES = [ALL, NONE, SINGLE].flatMap((type) => [type, type | ANYONE_CAN_PAY])
const SIGNATURE_BYTES = 64

/** A key as BIP-341 has it in an output without scripts, with what opens it. */
export interface TweakedKey {
  secret: Uint8Array
  script: Buffer
}

/** Whether a script is one of BIP-341: version 1, and a key of 32 bytes. */
export function isTaproot(script: Buffer): boolean {
  return script.length === 34 && script[0] === 0x51 && script[1] === 32
}

/** Tweaks a key for an output, by the root of a tree of scripts or by none (BIP-341). */
export function tweakKey(secret: Uint8Array, root: Uint8Array = Buffer.alloc(0)): TweakedKey {
  const number = Fn.fromBytes(secret)
  const point = Point.BASE.multiply(number).toAffine()
  const x = Buffer.from(point.x.toString(16).padStart(64, '0'), 'hex')
  const even = (point.y & 1n) === 0n ? number : Fn.neg(number)
  const tweaked = Fn.toBytes(Fn.add(even, Fn.fromBytes(tagged('TapTweak', x, root))))
  const key = schnorr.getPublicKey(tweaked)
  return { secret: tweaked, script: Buffer.concat([Buffer.of(0x51, 32), key]) }
}

/** The witness that opens the output of a tweaked key; always the same for the same transaction. */
export function signTaproot(
  secret: Uint8Array,
  transaction: BitcoinTransaction,
  at: number,
  spent: readonly TransactionOutput[],
): Buffer[] {
  const digest = taprootDigest(transaction, at, { spent, type: DEFAULT })
  return [Buffer.from(schnorr.sign(digest, secret, Buffer.alloc(32)))]
}

/**
 * Reason why a witness does not satisfy an output of BIP-341, in Core's words; null if it does.
 * Script paths are not supported.
 */
export function whyClosed(
  transaction: BitcoinTransaction,
  at: number,
  spent: readonly TransactionOutput[],
): string | null {
  const [signature, ...others] = transaction.inputs[at]?.witness ?? []
  const coin = spent[at]
  if (signature === undefined || coin === undefined) {
    return 'Witness program was passed an empty witness'
  }
  if (others.length > 0) return 'Invalid Taproot control block size'
  const isWhole = signature.length === SIGNATURE_BYTES
  if (!isWhole && signature.length !== SIGNATURE_BYTES + 1) return 'Invalid Schnorr signature size'
  const type = signature[SIGNATURE_BYTES] ?? DEFAULT
  if (!isWhole && !HASH_TYPES.includes(type)) return 'Invalid Schnorr signature hash type'
  const isLost = (type & 3) === SINGLE && at >= transaction.outputs.length
  if (isLost) return 'Invalid Schnorr signature hash type'
  const digest = taprootDigest(transaction, at, { spent, type })
  const key = coin.script.subarray(2)
  const isRight = schnorr.verify(signature.subarray(0, SIGNATURE_BYTES), digest, key)
  return isRight ? null : 'Invalid Schnorr signature'
}

/** Digest of a key-path spend without an annex (BIP-341, SigMsg). */
export function taprootDigest(
  { version, inputs, outputs, lockTime }: BitcoinTransaction,
  at: number,
  { spent, type }: { spent: readonly TransactionOutput[]; type: number },
): Buffer {
  const [input, coin] = [inputs[at], spent[at]]
  if (input === undefined || coin === undefined) throw new Error('no such input')
  const isAlone = (type & ANYONE_CAN_PAY) !== 0
  const paid = type & 3
  const all = [
    join(inputs.map(pointOf)),
    join(spent.map(({ value }) => uint64(value))),
    join(spent.map(({ script }) => withLength(script))),
    join(inputs.map(({ sequence }) => uint32(sequence))),
  ]
  const own = [pointOf(input), outputOf(coin), uint32(input.sequence)]
  const single = outputs[at]
  return tagged(
    'TapSighash',
    Buffer.of(0, type),
    uint32(version),
    uint32(lockTime),
    ...(isAlone ? [] : all.map(sha256)),
    ...(paid === DEFAULT || paid === ALL ? [sha256(join(outputs.map(outputOf)))] : []),
    Buffer.of(0),
    ...(isAlone ? own : [uint32(at)]),
    ...(paid === SINGLE && single !== undefined ? [sha256(outputOf(single))] : []),
  )
}

function outputOf({ value, script }: TransactionOutput): Buffer {
  return Buffer.concat([uint64(value), withLength(script)])
}

function pointOf({ txid, vout }: Pick<TransactionInput, 'txid' | 'vout'>): Buffer {
  return Buffer.concat([hidden(txid), uint32(vout)])
}

/** BIP-340: a hash that is for one purpose. */
function tagged(tag: string, ...parts: readonly Uint8Array[]): Buffer {
  const prefix = sha256(Buffer.from(tag))
  return sha256(Buffer.concat([prefix, prefix, ...parts]))
}

function join(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts)
}
