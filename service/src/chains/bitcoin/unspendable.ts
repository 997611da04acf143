import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { ChainId } from '@sluice/wire'
import type { Address } from '../port.ts'
import { programOf, scriptOf } from './address.ts'
import { HASH_BYTES, KEY_HASH_BYTES, keyHash, sha256 } from './hashes.ts'

const TAPROOT_BYTES = 32
const EVEN_Y = 0x02
/** A P2PKH script is OP_DUP OP_HASH160 <20> … OP_EQUALVERIFY OP_CHECKSIG. */
const KEY_HASH_SCRIPT_BYTES = 25
const KEY_HASH_AT = 3
const SCRIPT_HASH_AT = 2

/** Hashes, in hex, chosen for their text or digits: no preimage is known. */
const CHOSEN = new Set([
  ...[KEY_HASH_BYTES, HASH_BYTES].flatMap((bytes) => [
    '00'.repeat(bytes),
    'ff'.repeat(bytes),
    `${'00'.repeat(bytes - 1)}01`,
  ]),
  // 1BitcoinEaterAddressDontSendf59kuE
  '759d6677091e973b9e9d99f19c68fbf43e3f05f9',
  // 1CounterpartyXXXXXXXXXXXXXXXUWLpVr and mvCounterpartyXXXXXXXXXXXXXXW24Hef (proof of burn, 2014)
  '818895f3dc2c178629d3d2d8fa3ec4a3f8179821',
  'a11b66a67b3ff69671c8f82254099faf374b800e',
  // 1ChancecoinXXXXXXXXXXXXXXXXXZELUFD
  '805639c18149c375a977300cd0821bbb97315155',
])

/** Scripts that any transaction can satisfy (empty, OP_TRUE) or none (OP_0, OP_RETURN). */
const OPEN_OR_CLOSED = ['', '51', '00', '6a'].map((hex) => Buffer.from(hex, 'hex'))
const TRIVIAL = new Set(
  OPEN_OR_CLOSED.flatMap((script) => [keyHash(script), sha256(script)]).map((hash) =>
    hash.toString('hex'),
  ),
)

/** BIP-341: the point H, whose discrete logarithm is unknown. */
const NOTHING_UP_MY_SLEEVE = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0'

/**
 * Describes an address of the network that cannot be spent from, or can be without a key; null for
 * any other address.
 */
export function unspendableBitcoin(address: Address, chainId: ChainId): string | null {
  const script = scriptOf(address, chainId)
  const program = programOf(script)
  if (program === null || program.version === 0) return hashReason(program?.bytes ?? hashOf(script))
  if (program.version > 1) return 'a witness version without a meaning (BIP-141)'
  return taprootReason(program.bytes)
}

function hashOf(script: Buffer): Buffer {
  const at = script.length === KEY_HASH_SCRIPT_BYTES ? KEY_HASH_AT : SCRIPT_HASH_AT
  return script.subarray(at, at + KEY_HASH_BYTES)
}

function hashReason(bytes: Uint8Array): string | null {
  const hex = Buffer.from(bytes).toString('hex')
  if (CHOSEN.has(hex)) return 'a burn address: no key or script with its hash is known'
  return TRIVIAL.has(hex) ? 'the hash of an empty or trivial script' : null
}

function taprootReason(key: Uint8Array): string | null {
  if (key.length !== TAPROOT_BYTES)
    return 'a taproot program that is not 32 bytes long (BIP-341), which can be spent without a key'
  if (!isOnCurve(key)) return 'a taproot program whose key is not on the curve (BIP-341)'
  const isH = Buffer.from(key).toString('hex') === NOTHING_UP_MY_SLEEVE
  return isH ? 'the taproot key H, whose private key is unknown (BIP-341)' : null
}

/** `lift_x` of BIP-340: x is below p, and x³ + 7 has a square root. */
function isOnCurve(x: Uint8Array): boolean {
  try {
    secp256k1.Point.fromBytes(Uint8Array.of(EVEN_Y, ...x)).assertValidity()
    return true
  } catch {
    return false
  }
}
