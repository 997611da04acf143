import { Script, Transaction } from '@scure/btc-signer'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type {
  Address,
  Coin,
  CoinsReservation,
  Intent,
  Signature,
  Signed,
  Unsigned,
} from '../port.ts'
import { addressOfWitness, outputKeyOfScript, scriptOf } from './address.ts'
import { keyHashPreimages } from './digest-key-hash.ts'
import { taprootDigests } from './digest-taproot.ts'
import { doubleHash, keyHash } from './hashes.ts'
import { payeesOf } from './payees.ts'
import { parseTransaction } from './raw-transaction.ts'
import type { RawOutput } from './raw-transaction.ts'

/**
 * BIP-125: signals that a replacement may follow. Any lower number does too; numbers near it lock
 * nothing (BIP-68) and distinguish a transaction from its twins.
 */
const REPLACEABLE = 0xfffffffd
const TWINS_MAX = 1_000
const SIGHASH_ALL = 1
/** BIP-341: like SIGHASH_ALL, and not written into the signature. */
const SIGHASH_DEFAULT = 0
const KEY_BYTES = 33
const NUMBER_BYTES = 32
/** Options of the library: a single change output may return to its own address. */
const OPTIONS = { allowUnknownInputs: false, allowUnknownOutputs: true, disableScriptCheck: true }

/**
 * The unsigned transaction that spends the outputs of a reservation: recipients first, then the
 * change. Its body is a PSBT (BIP-174) that holds each spent output in full, so the signature
 * covers what is spent. Pure. A Bug if inputs and payments do not add up, an input appears twice,
 * or is neither P2WPKH nor P2TR.
 */
export function craftTransaction(
  intent: Intent,
  { coins, change, twins = 0 }: CoinsReservation,
  { maxFee }: { maxFee: bigint },
): Unsigned {
  const { chainId } = intent
  const payees = payeesOf(intent).map(({ to, amount }) => ({ address: to, amount }))
  const paid = change === null ? payees : [...payees, change]
  const fee = sumOf(coins) - sumOf(paid)
  assert(
    coins.length > 0 && paid.length > 0 && fee >= 0n && fee <= maxFee,
    'coins that do not add up',
    {
      fee,
      maxFee,
    },
  )
  const points = new Set(coins.map(({ txnHash, vout }) => `${txnHash}:${vout}`))
  assert(points.size === coins.length, 'a coin that is to be spent twice')
  const transaction = new Transaction(OPTIONS)
  assert(twins >= 0 && twins < TWINS_MAX, 'a payment signed again and again', { twins })
  const sequence = REPLACEABLE - twins
  for (const coin of coins) transaction.addInput({ ...inputOf(coin, chainId), sequence })
  for (const { address, amount } of paid) {
    assert(amount > 0n, 'a payment of nothing', { address })
    transaction.addOutput({ script: scriptOf(address, chainId), amount })
  }
  return {
    from: intent.from,
    signers: coins.map(({ address }) => address),
    digests: digestsOf(transaction),
    body: transaction.toPSBT(),
    unsigned: transaction.unsignedTx,
  }
}

/**
 * Joins a transaction with one signature for each input, in order. Pure. A Bug if a key signed that
 * does not own the output.
 */
export function combineTransaction(
  { body }: Pick<Unsigned, 'body'>,
  signatures: readonly Signature[],
): Signed {
  const transaction = Transaction.fromPSBT(body, OPTIONS)
  const digests = digestsOf(transaction)
  assert(digests.length === signatures.length, 'not one signature for each input')
  digests.forEach((digest, at) => {
    const signature = signatures[at]
    assert(signature !== undefined, 'an input without a signature')
    const finalScriptWitness = witnessOf(spentBy(transaction, at).script, signature, digest)
    transaction.updateInput(at, { finalScriptWitness }, true)
  })
  const raw = transaction.extract()
  return { raw, txnHash: parseTransaction(Buffer.from(raw)).txid }
}

/** The signer of each input, by the key in its witness; "" if the witness shows none. */
export function signersOf(
  inputs: readonly { witness: readonly Uint8Array[] }[],
  chainId: ChainId,
): (Address | '')[] {
  return inputs.map(({ witness }) => addressOfWitness(witness, chainId) ?? '')
}

function inputOf({ txnHash, vout, address, amount }: Coin, chainId: ChainId) {
  const script = scriptOf(address, chainId)
  const isKnown = isKeyHash(script) || isTaproot(script)
  assert(isKnown, 'a coin that is neither a P2WPKH nor a P2TR output', { address })
  const witnessUtxo = { script, amount }
  return { txid: txnHash, index: vout, witnessUtxo }
}

/**
 * BIP-143 or BIP-341, one message for each input, which covers all inputs and outputs. Unlike in
 * the library, shared parts are hashed once; the first input of each type and the last one are
 * computed by the library too, so the two check each other.
 */
function digestsOf(transaction: Transaction): Uint8Array[] {
  const spent = Array.from({ length: transaction.inputsLength }, (_, at) =>
    spentBy(transaction, at),
  )
  const raw = parseTransaction(Buffer.from(transaction.unsignedTx))
  const preimageOf = keyHashPreimages(raw)
  const taprootOf = taprootDigests(raw, spent)
  const digests = spent.map((coin, at) =>
    isKeyHash(coin.script) ? doubleHash(preimageOf(coin, at)) : taprootOf(at),
  )
  const first = [isKeyHash, isTaproot].map((is) => spent.findIndex(({ script }) => is(script)))
  for (const at of [...first, spent.length - 1].filter((one) => one >= 0)) {
    const same = digests[at]?.equals(libraryDigest(transaction, spent, at))
    assert(same, "signing hash differs from the library's", { at })
  }
  return digests
}

function libraryDigest(
  transaction: Transaction,
  spent: readonly RawOutput[],
  at: number,
): Uint8Array {
  const coin = spent[at]
  assert(coin !== undefined, 'no such input', { at })
  if (isTaproot(coin.script)) {
    const scripts = spent.map(({ script }) => script)
    const amounts = spent.map(({ value }) => value)
    return transaction.preimageWitnessV1(at, scripts, SIGHASH_DEFAULT, amounts)
  }
  const code = Script.encode(['DUP', 'HASH160', lockOf(coin.script), 'EQUALVERIFY', 'CHECKSIG'])
  return transaction.preimageWitnessV0(at, code, SIGHASH_ALL, coin.value)
}

/** The output that an input spends, in full. */
function spentBy(transaction: Transaction, at: number): RawOutput {
  const coin = transaction.getInput(at).witnessUtxo
  assert(coin !== undefined, 'an input without its coin')
  return { script: Buffer.from(coin.script), value: coin.amount }
}

function isKeyHash(script: Uint8Array): boolean {
  return script.length === 22 && script[0] === 0
}

function isTaproot(script: Uint8Array): boolean {
  return outputKeyOfScript(script) !== null
}

/** The key hash that locks a P2WPKH output. */
function lockOf(script: Uint8Array): Uint8Array {
  return script.subarray(2)
}

/** The witness of an input; a Bug if another key signed than the one that locks the output. */
function witnessOf(script: Uint8Array, signature: Signature, digest: Uint8Array): Uint8Array[] {
  const outputKey = outputKeyOfScript(script)
  if (outputKey !== null) return taprootWitnessOf(outputKey, signature, digest)
  const witness = keyHashWitnessOf(signature, digest)
  const [, key] = witness
  assert(key && keyHash(key).equals(lockOf(script)), 'a coin signed by another key')
  return witness
}

/** Only the signature, of 64 bytes (BIP-340): the key is in the output. */
function taprootWitnessOf(
  outputKey: Uint8Array,
  { r, s }: Signature,
  digest: Uint8Array,
): Uint8Array[] {
  const signature = Buffer.concat([numberBytes(r), numberBytes(s)])
  const isRight = schnorr.verify(signature, digest, outputKey)
  assert(isRight, 'a coin signed by another key')
  return [signature]
}

/** The signature as DER with its hash type (BIP-66, low s), and the public key. */
function keyHashWitnessOf({ r, s, recovery }: Signature, digest: Uint8Array): Uint8Array[] {
  const signature = new secp256k1.Signature(r, s, recovery)
  const key = signature.recoverPublicKey(digest).toBytes(true)
  assert(key.length === KEY_BYTES && !signature.hasHighS(), 'a signature that no node takes')
  return [Buffer.concat([signature.toBytes('der'), Buffer.of(SIGHASH_ALL)]), key]
}

function numberBytes(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * NUMBER_BYTES, '0'), 'hex')
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}
