import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import {
  type BitcoinTransaction,
  outputBytes,
  parseBitcoin,
  pointBytes,
  scriptBytes,
  type ScriptOutput,
} from './bitcoin.ts'
import { keyHashOf, spendableScriptOf } from './bitcoin-script.ts'
import { toLittleEndian } from './bytes.ts'
import { networkOf } from './chains.ts'
import { demand, type Input } from './decoded.ts'

const SIGHASH_ALL = 1n
/** BIP-341: as SIGHASH_ALL, and not written into the signature. */
const SIGHASH_DEFAULT = 0
const EPOCH = 0
/** No annex, and no script. */
const KEY_PATH = 0
/** P2PKH script of a key's hash, which a P2WPKH input signs (BIP-143). */
const [CODE_HEAD, CODE_TAIL] = [hexToBytes('76a914'), hexToBytes('88ac')]
/** BIP-340: the hash of the tag, twice. */
const TAG = sha256(Buffer.from('TapSighash', 'ascii'))

/**
 * The digests of a transaction, one for each input, from the bytes that `decodeBitcoin` accepts:
 * BIP-143 with SIGHASH_ALL for P2WPKH, BIP-341 with SIGHASH_DEFAULT by the key for P2TR. Throws
 * Undecodable for an input of another type.
 */
export function digestsOfBitcoin(
  chainId: string,
  body: Uint8Array,
  spent: readonly Input[],
): Uint8Array[] {
  const network = networkOf(chainId)
  const outputs = spent.map(({ address, amount }) => {
    return { amount, script: spendableScriptOf(address, network) }
  })
  return spentDigests(parseBitcoin(body), outputs)
}

/**
 * The digest of each input of a transaction that spends these outputs, in their order; the parts
 * that all inputs share are hashed once. An input that is not P2WPKH is signed as P2TR.
 */
export function spentDigests(
  transaction: BitcoinTransaction,
  spent: readonly ScriptOutput[],
): Uint8Array[] {
  const keyHashDigest = keyHashDigests(transaction)
  const taprootDigest = taprootDigests(transaction, spent)
  return spent.map((output, index) => {
    const hash = keyHashOf(output.script)
    return hash === null ? taprootDigest(index) : keyHashDigest(index, hash, output.amount)
  })
}

/** BIP-143. */
function keyHashDigests({ version, inputs, outputs, lockTime }: BitcoinTransaction) {
  const points = twice(...inputs.map(pointBytes))
  const sequences = twice(...inputs.map(({ sequence }) => toLittleEndian(sequence, 4)))
  const paid = twice(...outputs.map(outputBytes))
  return (index: number, hash: Uint8Array, amount: bigint): Uint8Array => {
    const input = inputs[index]
    demand(input !== undefined, 'more spent outputs than inputs')
    return twice(
      toLittleEndian(version, 4),
      points,
      sequences,
      pointBytes(input),
      scriptBytes(concatBytes(CODE_HEAD, hash, CODE_TAIL)),
      toLittleEndian(amount, 8),
      toLittleEndian(input.sequence, 4),
      paid,
      toLittleEndian(lockTime, 4),
      toLittleEndian(SIGHASH_ALL, 4),
    )
  }
}

/** BIP-341: covers the amounts and scripts of all spent outputs. */
function taprootDigests(
  { version, inputs, outputs, lockTime }: BitcoinTransaction,
  spent: readonly ScriptOutput[],
) {
  const common = concatBytes(
    TAG,
    TAG,
    Uint8Array.of(EPOCH, SIGHASH_DEFAULT),
    toLittleEndian(version, 4),
    toLittleEndian(lockTime, 4),
    once(...inputs.map(pointBytes)),
    once(...spent.map(({ amount }) => toLittleEndian(amount, 8))),
    once(...spent.map(({ script }) => scriptBytes(script))),
    once(...inputs.map(({ sequence }) => toLittleEndian(sequence, 4))),
    once(...outputs.map(outputBytes)),
    Uint8Array.of(KEY_PATH),
  )
  return (index: number): Uint8Array => once(common, toLittleEndian(BigInt(index), 4))
}

function once(...parts: readonly Uint8Array[]): Uint8Array {
  return sha256(concatBytes(...parts))
}

function twice(...parts: readonly Uint8Array[]): Uint8Array {
  return sha256(once(...parts))
}
