import { normalizeZ } from '@noble/curves/abstract/curve.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { createHmac } from 'node:crypto'
import { Bug, assert } from '../base/assert.ts'
import { HARDENED, checkIndex } from './paths.ts'

const { Point } = secp256k1
const { Fn } = Point

/** The receiving branch of one wallet; all of it is public. */
interface Branch {
  chainCode: Uint8Array
  publicKey: Uint8Array
  point: InstanceType<typeof Point>
}

const RECEIVE_BRANCH = 0
/** A wallet's xpub lies under purpose, coin and wallet, all hardened. */
const ACCOUNT_DEPTH = 3
const BRANCHES_MAX = 1_000
const COMPRESSED_BYTES = 33
const UNCOMPRESSED_BYTES = 65
/**
 * Branches by xpub, the one used longest ago first. They are public and follow from the xpub alone.
 */
const branches = new Map<string, Branch>()

/**
 * The public key (33 bytes, compressed) of a wallet's receiving address number `index`, from the
 * wallet's xpub alone: CKDpub of BIP-32, branch 0. Throws a Bug on an xpub that is none of a
 * wallet's, an xprv above all, and on an index out of range.
 */
export function deriveReceiveKey(xpub: string, index: number): Uint8Array {
  return deriveChild(receiveBranch(xpub), checkIndex(index))
}

/**
 * The same for many indexes at once, in their order, each as 65 bytes, not compressed: to write a
 * point down takes a division, and many points share one.
 */
export function deriveReceiveKeys(xpub: string, indexes: readonly number[]): Uint8Array[] {
  const branch = receiveBranch(xpub)
  const points = indexes.map((index) => childPoint(branch, checkIndex(index)))
  return normalizeZ(Point, points).map((point) => point.toBytes(false))
}

/** The short form, 33 bytes, of a public key of 65: one bit stands for y (SEC 1, 2.3.3). */
export function compressKey(key: Uint8Array): Uint8Array {
  assert(key.length === UNCOMPRESSED_BYTES && key[0] === 4, 'a key of another form')
  const compressed = key.slice(0, COMPRESSED_BYTES)
  compressed[0] = 2 + ((key[UNCOMPRESSED_BYTES - 1] ?? 0) & 1)
  return compressed
}

function deriveChild(branch: Branch, index: number): Uint8Array {
  return childPoint(branch, index).toBytes(true)
}

/**
 * CKDpub. Nothing here is secret, so the quick multiplication will do: twice the speed of a whole
 * HDKey.
 */
function childPoint({ chainCode, publicKey, point }: Branch, index: number) {
  const child = point.add(Point.BASE.multiplyUnsafe(tweakOf({ chainCode, publicKey }, index)))
  assert(!child.is0(), 'this index has no key', { index })
  return child
}

/** What lies between a node and its child `index`, not hardened (BIP-32, CKD). */
export function tweakOf(
  { chainCode, publicKey }: Pick<Branch, 'chainCode' | 'publicKey'>,
  index: number,
): bigint {
  const data = Buffer.alloc(COMPRESSED_BYTES + 4)
  data.set(publicKey)
  data.writeUInt32BE(index, COMPRESSED_BYTES)
  const left = createHmac('sha512', chainCode).update(data).digest().subarray(0, 32)
  const tweak = Fn.fromBytes(left, true)
  // Once in 2^127 (BIP-32: "proceed with the next value"); an index then has no key, and never its
  // neighbour's.
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
  assert(account.privateKey === null, 'an xprv where an xpub belongs')
  const isWallet = account.depth === ACCOUNT_DEPTH && account.index >= HARDENED
  assert(isWallet, 'an xpub that is none of a wallet', { depth: account.depth })
  const { chainCode, publicKey } = account.deriveChild(RECEIVE_BRANCH)
  assert(chainCode !== null && publicKey !== null, 'a public node without its parts')
  return { chainCode, publicKey, point: Point.fromBytes(publicKey) }
}

function readAccount(xpub: string): HDKey {
  try {
    return HDKey.fromExtendedKey(xpub)
  } catch {
    // Neither the text nor the library's error is passed on: what came here may be a secret after
    // all.
    throw new Bug('a text that is no xpub')
  }
}
