import { normalizeZ } from '@noble/curves/abstract/curve.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { createHmac } from 'node:crypto'
import { Bug, assert } from '../base/assert.ts'
import { HARDENED, checkIndex } from './paths.ts'

const { Point } = secp256k1
const { Fn } = Point

/** The receiving branch of a wallet; public. */
interface Branch {
  chainCode: Uint8Array
  publicKey: Uint8Array
  point: InstanceType<typeof Point>
}

const RECEIVE_BRANCH = 0
/** The depth of a wallet's xpub: purpose, coin and wallet, all hardened. */
const ACCOUNT_DEPTH = 3
const BRANCHES_MAX = 1_000
const COMPRESSED_BYTES = 33
const UNCOMPRESSED_BYTES = 65
/** Branches by xpub, least recently used first. */
const branches = new Map<string, Branch>()

/**
 * The public key (33 bytes, compressed) of receiving address `index`, from the wallet's xpub:
 * CKDpub of BIP-32, branch 0. Throws a Bug if the xpub is not one of a wallet (above all an xprv),
 * or if the index is out of range.
 */
export function deriveReceiveKey(xpub: string, index: number): Uint8Array {
  return deriveChild(receiveBranch(xpub), checkIndex(index))
}

/**
 * Keys of many indexes in order, 65 bytes each (uncompressed). Converting a point to bytes needs a
 * field inversion, which all points share.
 */
export function deriveReceiveKeys(xpub: string, indexes: readonly number[]): Uint8Array[] {
  const branch = receiveBranch(xpub)
  const points = indexes.map((index) => childPoint(branch, checkIndex(index)))
  return normalizeZ(Point, points).map((point) => point.toBytes(false))
}

/** Compresses a public key of 65 bytes to 33 (SEC 1, section 2.3.3). */
export function compressKey(key: Uint8Array): Uint8Array {
  assert(key.length === UNCOMPRESSED_BYTES && key[0] === 4, 'not an uncompressed public key')
  const compressed = key.slice(0, COMPRESSED_BYTES)
  compressed[0] = 2 + ((key[UNCOMPRESSED_BYTES - 1] ?? 0) & 1)
  return compressed
}

function deriveChild(branch: Branch, index: number): Uint8Array {
  return childPoint(branch, index).toBytes(true)
}

/**
 * CKDpub with variable-time multiplication, since all inputs are public: twice as fast as HDKey.
 */
function childPoint({ chainCode, publicKey, point }: Branch, index: number) {
  const child = point.add(Point.BASE.multiplyUnsafe(tweakOf({ chainCode, publicKey }, index)))
  assert(!child.is0(), 'this index has no key', { index })
  return child
}

/** The tweak from a node to its non-hardened child (BIP-32, CKD). */
export function tweakOf(
  { chainCode, publicKey }: Pick<Branch, 'chainCode' | 'publicKey'>,
  index: number,
): bigint {
  const data = Buffer.alloc(COMPRESSED_BYTES + 4)
  data.set(publicKey)
  data.writeUInt32BE(index, COMPRESSED_BYTES)
  const left = createHmac('sha512', chainCode).update(data).digest().subarray(0, 32)
  const tweak = Fn.fromBytes(left, true)
  // Probability 2^-127 (BIP-32: "proceed with the next value"). The index then has no key.
  assert(Fn.isValidNot0(tweak), 'this index has no key', { index })
  return tweak
}

function receiveBranch(xpub: string): Branch {
  const branch = branches.get(xpub) ?? readBranch(xpub)
  branches.delete(xpub)
  branches.set(xpub, branch)
  const [oldest] = branches.keys()
  if (branches.size > BRANCHES_MAX && oldest !== undefined) branches.delete(oldest)
  return branch
}

function readBranch(xpub: string): Branch {
  const account = readAccount(xpub)
  assert(account.privateKey === null, 'an xprv instead of an xpub')
  const isWallet = account.depth === ACCOUNT_DEPTH && account.index >= HARDENED
  assert(isWallet, 'not the xpub of a wallet', { depth: account.depth })
  const { chainCode, publicKey } = account.deriveChild(RECEIVE_BRANCH)
  assert(chainCode !== null && publicKey !== null, 'a public node without key or chain code')
  return { chainCode, publicKey, point: Point.fromBytes(publicKey) }
}

function readAccount(xpub: string): HDKey {
  try {
    return HDKey.fromExtendedKey(xpub)
  } catch {
    // Without the text or the library's error, which may contain a secret.
    throw new Bug('not an xpub')
  }
}
