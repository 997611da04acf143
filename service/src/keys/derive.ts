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
 * CKDpub. Nothing here is secret, so the quick multiplication will do: twice the speed of a whole
 * HDKey.
 */
function deriveChild({ chainCode, publicKey, point }: Branch, index: number): Uint8Array {
  const data = Buffer.alloc(COMPRESSED_BYTES + 4)
  data.set(publicKey)
  data.writeUInt32BE(index, COMPRESSED_BYTES)
  const left = createHmac('sha512', chainCode).update(data).digest().subarray(0, 32)
  const tweak = Fn.fromBytes(left, true)
  // Once in 2^127 (BIP-32: "proceed with the next value"); an index then has no key, and never its
  // neighbour's.
  assert(Fn.isValidNot0(tweak), 'this index has no key', { index })
  const child = point.add(Point.BASE.multiplyUnsafe(tweak))
  assert(!child.is0(), 'this index has no key', { index })
  return child.toBytes(true)
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
