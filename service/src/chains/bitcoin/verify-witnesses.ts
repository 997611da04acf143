import { createPublicKey, verify } from 'node:crypto'
import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type { Coin } from '../port.ts'
import { scriptOf } from './address.ts'
import { doubleHash, hashBytes, keyHash, sha256 } from './hashes.ts'
import type { RawInput, RawTransaction } from './raw-transaction.ts'

const SIGHASH_ALL = 1
/** What stands before a compressed key of secp256k1 where OpenSSL reads it (RFC 5480). */
const KEY_HEAD = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')
const CODE_HEAD = Buffer.from('1976a914', 'hex')
const CODE_TAIL = Buffer.from('88ac', 'hex')

/**
 * Proves that whoever has the keys of these coins, given in the order of the inputs, has signed
 * exactly this (BIP-143, SIGHASH_ALL): what is read from such bytes was meant. Written anew beside
 * what signs, so that one checks the other. A Bug otherwise.
 */
export function assertSigned(
  chainId: ChainId,
  transaction: RawTransaction,
  coins: readonly Coin[],
): void {
  const { txid, inputs } = transaction
  const common = commonOf(transaction)
  inputs.forEach((input, at) => {
    const coin = coins[at]
    assert(coin !== undefined, 'an input without its coin', { txid, at })
    const lock = scriptOf(coin.address, chainId).subarray(2)
    const [signature, key, ...others] = input.witness
    const isWhole = signature?.at(-1) === SIGHASH_ALL && key && others.length === 0
    assert(isWhole, 'an input without the signature of a key', { txid, at })
    assert(keyHash(key).equals(lock), 'a coin signed by another key', { txid, at })
    const publicKey = createPublicKey({
      key: Buffer.concat([KEY_HEAD, key]),
      format: 'der',
      type: 'spki',
    })
    // OpenSSL takes the second of the two hashes by itself.
    const hashed = sha256(preimageOf(common, input, { lock, amount: coin.amount }))
    const isRight = verify('sha256', hashed, publicKey, signature.subarray(0, -1))
    assert(isRight, 'a signature of another transaction', { txid, at })
  })
}

interface Common {
  head: Buffer
  tail: Buffer
}

/** What all inputs sign alike, before and after their own part. */
function commonOf({ version, inputs, outputs, lockTime }: RawTransaction): Common {
  const points = doubleHash(...inputs.map(pointOf))
  const sequences = doubleHash(...inputs.map(({ sequence }) => uint32(sequence)))
  const paid = doubleHash(
    ...outputs.flatMap(({ value, script }) => {
      assert(script.length < 0xfd, 'an output of no known form')
      return [uint64(value), Buffer.of(script.length), script]
    }),
  )
  return {
    head: Buffer.concat([uint32(version >>> 0), points, sequences]),
    tail: Buffer.concat([paid, uint32(lockTime), uint32(SIGHASH_ALL)]),
  }
}

function preimageOf(
  { head, tail }: Common,
  input: RawInput,
  { lock, amount }: { lock: Uint8Array; amount: bigint },
): Buffer {
  const code = Buffer.concat([CODE_HEAD, lock, CODE_TAIL])
  const own = [pointOf(input), code, uint64(amount), uint32(input.sequence)]
  return Buffer.concat([head, ...own, tail])
}

function pointOf({ txid, vout }: Pick<RawInput, 'txid' | 'vout'>): Buffer {
  return Buffer.concat([hashBytes(txid), uint32(vout)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
