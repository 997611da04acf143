import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { assert } from '../base/assert.ts'
import { compressKey, tweakOf } from './derive.ts'
import { HARDENED, checkIndex } from './paths.ts'

const { Point } = secp256k1
const { Fn } = Point

const BRANCHES_MAX = 1_000
/** Public receiving branches by xpub, least recently used first. */
const branches = new Map<string, HDKey>()

/** A public key of 65 bytes and its claimed index. */
export interface ClaimedKey {
  index: number
  key: Uint8Array
}

/**
 * Verifies keys of a wallet's receiving branch in a different way than `deriveReceiveKeys`. The
 * first is derived by the BIP-32 library. For all, k1 + 2·k2 + ... must be the point (1 + 2 +
 * ...)·P + (t1 + 2·t2 + ...)·G, so two multiplications confirm any number. The weights detect
 * exchanged neighbours. It is a check against faults of the machine and the code; it is no proof
 * against keys that were chosen to pass it.
 */
export function confirmsReceiveKeys(xpub: string, claimed: readonly ClaimedKey[]): boolean {
  const branch = branchOf(xpub)
  const { publicKey, chainCode } = branch
  assert(publicKey !== null && chainCode !== null, 'a public node without key or chain code')
  assert(claimed.length < HARDENED, 'too many keys at once')
  const [first] = claimed
  if (first !== undefined && !isSame(branch.deriveChild(first.index).publicKey, first.key))
    return false
  if (claimed.length <= 1) return true
  let tweak = Fn.ZERO
  let weights = Fn.ZERO
  let sum = Point.ZERO
  for (const [at, { index, key }] of claimed.entries()) {
    const weight = BigInt(at + 1)
    weights = Fn.add(weights, weight)
    tweak = Fn.add(tweak, Fn.mul(weight, tweakOf({ chainCode, publicKey }, checkIndex(index))))
    sum = sum.add(Point.fromBytes(key).multiplyUnsafe(weight))
  }
  const parents = Point.fromBytes(publicKey).multiplyUnsafe(weights)
  return sum.equals(parents.add(Point.BASE.multiplyUnsafe(tweak)))
}

function branchOf(xpub: string): HDKey {
  const branch = branches.get(xpub) ?? HDKey.fromExtendedKey(xpub).deriveChild(0)
  branches.delete(xpub)
  branches.set(xpub, branch)
  const [oldest] = branches.keys()
  if (branches.size > BRANCHES_MAX && oldest !== undefined) branches.delete(oldest)
  return branch
}

function isSame(right: Uint8Array | null, key: Uint8Array): boolean {
  return right !== null && Buffer.from(right).equals(compressKey(key))
}
