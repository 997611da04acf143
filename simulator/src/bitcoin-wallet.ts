import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hash160, hash256, hidden, sha256, uint32, uint64, withLength } from './bitcoin/bytes.ts'
import { type AddressKind, scriptOfAddress, segwitAddress } from './bitcoin/scripts.ts'
import { isTaproot, signTaproot, tweakKey } from './bitcoin/taproot.ts'
import {
  type BitcoinTransaction,
  type TransactionOutput,
  serialize,
  txidOf,
} from './bitcoin/transaction.ts'

/** A key, and the P2WPKH or P2TR script that it opens, or a bare one that needs none. */
export interface BitcoinKey {
  secret: Uint8Array
  publicKey: Uint8Array
  script: Buffer
}

/** A coin that a key opens. */
export interface KeyCoin {
  key: BitcoinKey
  txid: string
  vout: number
  value: bigint
}

/** A recipient and an amount. */
export interface Payee {
  to: string
  /** Satoshi. */
  amount: bigint
}

export interface SignedBitcoin {
  txid: string
  hex: string
  transaction: BitcoinTransaction
}

const REPLACEABLE = 0xfffffffd
const SIGHASH_ALL = 1

/** A key that follows from a text. */
export function bitcoinKey(seed: string): BitcoinKey {
  const secret = new Uint8Array(sha256(Buffer.from(seed)))
  const publicKey = secp256k1.getPublicKey(secret, true)
  const script = Buffer.concat([Buffer.of(0, 20), hash160(publicKey)])
  return { secret, publicKey, script }
}

/** The same, of the key that a P2TR script shows (BIP-86): the secret is that of this one. */
export function taprootKey(seed: string): BitcoinKey {
  const { secret, script } = tweakKey(bitcoinKey(seed).secret)
  return { secret, publicKey: secp256k1.getPublicKey(secret, true), script }
}

/** The address of its script. */
export function bitcoinAddress({ script }: BitcoinKey, { prefix }: AddressKind): string {
  return segwitAddress(prefix, isTaproot(script) ? 1 : 0, script.subarray(2))
}

/**
 * A signed transaction of these coins: the recipients in order, and last the change, if any, to the
 * first coin's key.
 */
export function signBitcoin(options: {
  kind: AddressKind
  coins: readonly KeyCoin[]
  payees: readonly Payee[]
  fee: bigint
  /** Scripts without an address, paid after the others. */
  scripts?: readonly TransactionOutput[]
  lockTime?: number
  sequence?: number
}): SignedBitcoin {
  const { kind, coins, payees, fee, scripts = [], lockTime = 0 } = options
  const paid = [
    ...payees.map(({ to, amount }) => ({ value: amount, script: scriptOfAddress(to, kind) })),
    ...scripts,
  ]
  const total = coins.reduce((sum, { value }) => sum + value, 0n)
  const change = total - fee - paid.reduce((sum, { value }) => sum + value, 0n)
  const [first] = coins
  if (first === undefined || change < 0n) throw new Error('the coins do not suffice')
  const rest = change > 0n ? [{ value: change, script: first.key.script }] : []
  const transaction: BitcoinTransaction = {
    version: 2,
    inputs: coins.map(({ txid, vout }) => ({
      txid,
      vout,
      script: Buffer.alloc(0),
      sequence: options.sequence ?? REPLACEABLE,
      witness: [],
    })),
    outputs: [...paid, ...rest],
    lockTime,
  }
  const spent = coins.map(({ key, value }) => ({ value, script: key.script }))
  coins.forEach(({ key }, at) => {
    const input = transaction.inputs[at]
    if (input) input.witness = witnessOf(key, transaction, at, spent)
  })
  return { txid: txidOf(transaction), hex: serialize(transaction).toString('hex'), transaction }
}

/** Digest that a P2WPKH input signs with SIGHASH_ALL (BIP-143). */
export function witnessDigest(
  { version, inputs, outputs, lockTime }: BitcoinTransaction,
  at: number,
  spent: TransactionOutput,
): Buffer {
  const input = inputs[at]
  if (input === undefined) throw new Error('no such input')
  const outpoint = ({ txid, vout }: { txid: string; vout: number }) =>
    Buffer.concat([hidden(txid), uint32(vout)])
  const keyHash = spent.script.subarray(2)
  const scriptCode = Buffer.concat([Buffer.from('76a914', 'hex'), keyHash, Buffer.of(0x88, 0xac)])
  return hash256(
    Buffer.concat([
      uint32(version),
      hash256(Buffer.concat(inputs.map(outpoint))),
      hash256(Buffer.concat(inputs.map(({ sequence }) => uint32(sequence)))),
      outpoint(input),
      withLength(scriptCode),
      uint64(spent.value),
      uint32(input.sequence),
      hash256(
        Buffer.concat(
          outputs.map(({ value, script }) => Buffer.concat([uint64(value), withLength(script)])),
        ),
      ),
      uint32(lockTime),
      uint32(SIGHASH_ALL),
    ]),
  )
}

/** Whether the witness of an input opens a P2WPKH output. */
export function opensKeyHash(
  transaction: BitcoinTransaction,
  at: number,
  spent: TransactionOutput,
): boolean {
  const [der, key, ...others] = transaction.inputs[at]?.witness ?? []
  if (der === undefined || key === undefined || others.length > 0) return false
  if (!hash160(key).equals(spent.script.subarray(2)) || der.at(-1) !== SIGHASH_ALL) return false
  const digest = witnessDigest(transaction, at, spent)
  const options = { prehash: false, lowS: true, format: 'der' } as const
  try {
    return secp256k1.verify(der.subarray(0, -1), digest, key, options)
  } catch {
    return false
  }
}

function witnessOf(
  { secret, publicKey, script }: BitcoinKey,
  transaction: BitcoinTransaction,
  at: number,
  spent: readonly TransactionOutput[],
): Buffer[] {
  const coin = spent[at]
  if (coin === undefined) throw new Error('no such input')
  if (isTaproot(script)) return signTaproot(secret, transaction, at, spent)
  // No output without a witness program may be opened by a witness (BIP-141).
  if (script[0] !== 0) return []
  return [signature(secret, witnessDigest(transaction, at, coin)), Buffer.from(publicKey)]
}

function signature(secret: Uint8Array, digest: Buffer): Buffer {
  const options = { prehash: false, lowS: true, format: 'der' } as const
  return Buffer.concat([secp256k1.sign(digest, secret, options), Buffer.of(SIGHASH_ALL)])
}
