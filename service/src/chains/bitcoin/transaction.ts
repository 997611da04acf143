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
 * BIP-125: whoever sees it knows that a dearer one may follow. So does any number below it; those
 * near it lock nothing (BIP-68), and tell a transaction from its twins.
 */
const REPLACEABLE = 0xfffffffd
const TWINS_MAX = 1_000
const SIGHASH_ALL = 1
/** BIP-341: as SIGHASH_ALL, and not written into the signature. */
const SIGHASH_DEFAULT = 0
const KEY_BYTES = 33
const NUMBER_BYTES = 32
/** What the library must be told: a lone change output may go back to where it came from. */
const OPTIONS = { allowUnknownInputs: false, allowUnknownOutputs: true, disableScriptCheck: true }

/**
 * The transaction that spends the coins of a reservation, unsigned: the recipients first, then the
 * change. Its body is a PSBT (BIP-174) that holds each coin in full, so that what is signed is what
 * is spent. Pure. A Bug where coins and payments do not add up, a coin is there twice, or is of
 * another kind than P2WPKH and P2TR.
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
  }
}

/**
 * Joins a transaction with one signature for each input, in their order. Pure. A Bug where another
 * key signed than the one that a coin is locked with.
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

/** Who signed each input, by the keys that its witnesses show; "" where one shows none. */
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
 * BIP-143 or BIP-341, one for each input: everything that is spent and paid is covered. What all
 * inputs share is hashed once, as the library does not; it still is asked about the first of either
 * type and the last, so that the two check each other.
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
    assert(same, 'what is to be signed is disputed', { at })
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

/** The coin of an input, in full. */
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

/** The hash of the key that a P2WPKH coin is locked with. */
function lockOf(script: Uint8Array): Uint8Array {
  return script.subarray(2)
}

/** What opens a coin; a Bug where another key signed than the one that it is locked with. */
function witnessOf(script: Uint8Array, signature: Signature, digest: Uint8Array): Uint8Array[] {
  const outputKey = outputKeyOfScript(script)
  if (outputKey !== null) return taprootWitnessOf(outputKey, signature, digest)
  const witness = keyHashWitnessOf(signature, digest)
  const [, key] = witness
  assert(key && keyHash(key).equals(lockOf(script)), 'a coin signed by another key')
  return witness
}

/** The signature alone, of 64 bytes (BIP-340): the key is in the coin. */
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

/** The signature as DER with its kind (BIP-66, low s), and the key that made it. */
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
