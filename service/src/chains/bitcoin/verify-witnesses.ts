import { schnorr } from '@noble/curves/secp256k1.js'
import { createPublicKey, verify } from 'node:crypto'
import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type { Coin } from '../port.ts'
import { outputKeyOfScript, scriptOf } from './address.ts'
import { keyHashPreimages } from './digest-key-hash.ts'
import { taprootDigests } from './digest-taproot.ts'
import { keyHash, sha256 } from './hashes.ts'
import type { RawInput, RawTransaction } from './raw-transaction.ts'

const SIGHASH_ALL = 1
/** BIP-340; the hash type covers everything and is not appended (BIP-341). */
const SCHNORR_BYTES = 64
/** Prefix of a compressed secp256k1 key for OpenSSL (RFC 5480). */
const KEY_HEAD = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/**
 * Proves that the keys of these outputs, in the order of the inputs, signed exactly these bytes
 * (BIP-143, SIGHASH_ALL; BIP-341, SIGHASH_DEFAULT). A Bug otherwise.
 */
export function assertSigned(
  chainId: ChainId,
  transaction: RawTransaction,
  coins: readonly Coin[],
): void {
  const { txid, inputs } = transaction
  assert(inputs.length === coins.length, 'an input without its coin', { txid })
  const spent = coins.map(({ address, amount }) => {
    return { value: amount, script: scriptOf(address, chainId) }
  })
  const preimageOf = keyHashPreimages(transaction)
  const digestOf = taprootDigests(transaction, spent)
  inputs.forEach((input, at) => {
    const coin = spent[at]
    assert(coin !== undefined, 'an input without its coin', { txid, at })
    const key = outputKeyOfScript(coin.script)
    const isSigned =
      key === null
        ? isSignedByHash(input, coin.script.subarray(2), preimageOf(coin, at))
        : isSignedByKey(input, key, digestOf(at))
    assert(isSigned, 'a coin that is not opened by its key for just this', { txid, at })
  })
}

function isSignedByHash({ witness }: RawInput, lock: Uint8Array, preimage: Buffer): boolean {
  const [signature, key, ...others] = witness
  if (signature?.at(-1) !== SIGHASH_ALL || key === undefined || others.length > 0) return false
  if (!keyHash(key).equals(lock)) return false
  const publicKey = createPublicKey({
    key: Buffer.concat([KEY_HEAD, key]),
    format: 'der',
    type: 'spki',
  })
  // OpenSSL computes the second of the two hashes.
  return verify('sha256', sha256(preimage), publicKey, signature.subarray(0, -1))
}

function isSignedByKey({ witness }: RawInput, key: Uint8Array, digest: Buffer): boolean {
  const [signature, ...others] = witness
  if (signature?.length !== SCHNORR_BYTES || others.length > 0) return false
  return schnorr.verify(signature, digest, key)
}
