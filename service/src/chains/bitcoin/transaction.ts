import { Script, Transaction } from '@scure/btc-signer'
import { secp256k1 } from '@noble/curves/secp256k1.js'
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
import { addressOfWitness, scriptOf } from './address.ts'
import { keyHash } from './hashes.ts'
import { payeesOf } from './payees.ts'
import { parseTransaction } from './raw-transaction.ts'

/** BIP-125: whoever sees it knows that a dearer one may follow. */
const REPLACEABLE = 0xfffffffd
const SIGHASH_ALL = 1
const KEY_BYTES = 33
/** What the library must be told: a lone change output may go back to where it came from. */
const OPTIONS = { allowUnknownInputs: false, allowUnknownOutputs: true, disableScriptCheck: true }

/**
 * The transaction that spends the coins of a reservation, unsigned: the recipients first, then the
 * change. Its body is a PSBT (BIP-174) that holds each coin in full, so that what is signed is what
 * is spent. Pure. A Bug where coins and payments do not add up, or a coin is of another kind than
 * P2WPKH.
 */
export function craftTransaction(
  intent: Intent,
  { coins, change }: CoinsReservation,
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
  const transaction = new Transaction(OPTIONS)
  for (const coin of coins) transaction.addInput(inputOf(coin, chainId))
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
    const finalScriptWitness = witnessOf(signature, digest)
    const [, key] = finalScriptWitness
    assert(key && keyHash(key).equals(lockOf(transaction, at)), 'a coin signed by another key')
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
  assert(script.length === 22 && script[0] === 0, 'a coin that is no P2WPKH output', { address })
  const witnessUtxo = { script, amount }
  return { txid: txnHash, index: vout, sequence: REPLACEABLE, witnessUtxo }
}

/** BIP-143, one for each input: everything that is spent and paid is covered. */
function digestsOf(transaction: Transaction): Uint8Array[] {
  return Array.from({ length: transaction.inputsLength }, (_, at) => {
    const amount = transaction.getInput(at).witnessUtxo?.amount
    assert(amount !== undefined, 'an input without its coin')
    const script = Script.encode([
      'DUP',
      'HASH160',
      lockOf(transaction, at),
      'EQUALVERIFY',
      'CHECKSIG',
    ])
    return transaction.preimageWitnessV0(at, script, SIGHASH_ALL, amount)
  })
}

/** The hash of the key that an input's coin is locked with. */
function lockOf(transaction: Transaction, at: number): Uint8Array {
  const script = transaction.getInput(at).witnessUtxo?.script
  assert(script?.length === 22 && script[0] === 0, 'an input that spends no P2WPKH output')
  return script.subarray(2)
}

/** The signature as DER with its kind (BIP-66, low s), and the key that made it. */
function witnessOf({ r, s, recovery }: Signature, digest: Uint8Array): Uint8Array[] {
  const signature = new secp256k1.Signature(r, s, recovery)
  const key = signature.recoverPublicKey(digest).toBytes(true)
  assert(key.length === KEY_BYTES && !signature.hasHighS(), 'a signature that no node takes')
  return [Buffer.concat([signature.toBytes('der'), Buffer.of(SIGHASH_ALL)]), key]
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}
