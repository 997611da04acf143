import type { ChainId } from '@sluice/wire'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decode, encode, encodeForSigning } from 'ripple-binary-codec'
import { assert } from '../../base/assert.ts'
import type { Decoded, Intent, Reservation, Signature, Signed, Unsigned } from '../port.ts'
import { nonceOf } from '../reservation.ts'
import { ledgerTermsOf } from '../spending.ts'
import type { Terms } from '../spending.ts'
import { brandXrplAddress, parseTag, xrplAddressOf } from './address.ts'
import { nativeTokenId } from './block.ts'
import { PREFIX, hexOf, sha512Half } from './hash.ts'
import type { Json } from './read.ts'

/** The most drops that there can be. */
const DROPS_MAX = 10n ** 17n
const UINT32_MAX = 0xff_ff_ff_ff
/** Payments say that their signature is in its one form (tfFullyCanonicalSig). */
const CANONICAL = 0x8000_0000
/** The flag of an account that refuses payments without a tag (asfRequireDest). */
const REQUIRE_DEST = 1
/** All fields that a payment of ours has, signed. */
const PAYMENT_FIELDS: readonly string[] = [
  'TransactionType',
  'Flags',
  'Account',
  'Destination',
  'DestinationTag',
  'Amount',
  'Fee',
  'Sequence',
  'LastLedgerSequence',
  'SigningPubKey',
  'TxnSignature',
]
const SETUP_FIELDS: readonly string[] = [
  'TransactionType',
  'Flags',
  'Account',
  'SetFlag',
  'Fee',
  'Sequence',
  'LastLedgerSequence',
  'SigningPubKey',
  'TxnSignature',
]

/**
 * The transaction of an intent, unsigned: a Payment of XRP whose memo is the destination tag; for
 * nothing to oneself an AccountSet that lets the account refuse payments without a tag, which may
 * be done any number of times. Pure. A Bug where intent and terms make no transaction.
 */
export function craftTransaction(
  intent: Intent,
  terms: Terms,
  reservation: Reservation,
  publicKey: Uint8Array | undefined,
): Unsigned {
  const { from } = intent
  assert(publicKey, 'what is signed names the key of its signer', { from })
  assert(xrplAddressOf(publicKey) === from, 'the key of another account', { from })
  const json = { ...fieldsOf(intent, terms, reservation), SigningPubKey: hexOf(publicKey) }
  const body = Buffer.from(encodeForSigning(json), 'hex')
  return { from, digests: [sha512Half(body)], body }
}

/** Joins a transaction with its one signature. Pure. A Bug where another than the sender signed. */
export function combineTransaction(
  { from, body }: Unsigned,
  signatures: readonly Signature[],
): Signed {
  const [signature] = signatures
  assert(signature && signatures.length === 1, 'a transaction here has one signature')
  const { r, s } = signature
  const der = new secp256k1.Signature(r, s).toBytes('der')
  const json = readBytes(Buffer.from(body).subarray(PREFIX.signing.length))
  const raw = Buffer.from(encode({ ...json, TxnSignature: hexOf(der) }), 'hex')
  const signer = signerOf(readBytes(raw))
  assert(signer === from, 'a transaction signed by another than its sender', { from, signer })
  return { raw, txnHash: hashOf(raw) }
}

/**
 * What signed bytes do, from the bytes alone; on which network they do it they do not say. Pure. A
 * Bug where they are no transaction signed by its sender's own key.
 */
export function decodeTransaction(chainId: ChainId, raw: Uint8Array): Decoded {
  const json = readBytes(raw)
  const canonical = Buffer.compare(Buffer.from(encode(json), 'hex'), raw) === 0
  assert(canonical, 'bytes that are not the one encoding of their transaction')
  const from = brandXrplAddress(textOf(json['Account']))
  const signer = signerOf(json)
  assert(signer === from, 'a transaction signed by another than its sender', { from, signer })
  return {
    txnHash: hashOf(raw),
    chainId,
    from,
    nonce: Number(textOf(json['Sequence'])),
    maxFee: BigInt(textOf(json['Fee'])),
    ...paymentOf(chainId, json),
  }
}

/** Exactly a payment of XRP, or exactly the flag: whatever says more is nothing we know. */
function paymentOf(
  chainId: ChainId,
  json: Json,
): Pick<Decoded, 'to' | 'tokenId' | 'amount' | 'memo'> {
  const { TransactionType: type, Amount: amount, Account: account } = json
  const tokenId = nativeTokenId(chainId)
  const tag = json['DestinationTag']
  const memo = tag === undefined ? null : textOf(tag)
  if (isExactly(json, 'AccountSet', SETUP_FIELDS) && json['SetFlag'] === REQUIRE_DEST) {
    return { to: brandXrplAddress(textOf(account)), tokenId, amount: 0n, memo }
  }
  const to = json['Destination'] === undefined ? '' : brandXrplAddress(textOf(json['Destination']))
  const isPlain = isExactly(json, 'Payment', PAYMENT_FIELDS) && typeof amount === 'string'
  if (!isPlain) return { to, tokenId: null, amount: 0n, memo: type === 'Payment' ? memo : null }
  return { to, tokenId, amount: BigInt(amount), memo }
}

/** No partial payment, no path, no currency but XRP: there is no field for them. */
function isExactly(json: Json, type: string, fields: readonly string[]): boolean {
  const isKnown = Object.keys(json).every((field) => fields.includes(field))
  return isKnown && json['TransactionType'] === type && json['Flags'] === CANONICAL
}

function fieldsOf(intent: Intent, terms: Terms, reservation: Reservation): Json {
  const { fee, lastLedger } = ledgerTermsOf(terms)
  const { chainId, tokenId, from, to, amount, memo } = intent
  const sequence = nonceOf(reservation)
  assert(tokenId === nativeTokenId(chainId), 'a payment of something else than XRP', { tokenId })
  assert(fee > 0n && fee <= DROPS_MAX, 'a fee that no transaction can burn', { fee })
  assert(lastLedger > 0n && lastLedger <= UINT32_MAX, 'a last ledger that cannot be')
  const isSequence = Number.isInteger(sequence) && sequence > 0 && sequence <= UINT32_MAX
  assert(isSequence, 'a Sequence that cannot be', { sequence })
  const common = {
    Flags: CANONICAL,
    Account: from,
    Fee: fee.toString(),
    Sequence: sequence,
    LastLedgerSequence: Number(lastLedger),
  }
  if (amount === 0n) {
    assert(to === from && memo === null, 'a payment of nothing to somebody else', { from, to })
    return { ...common, TransactionType: 'AccountSet', SetFlag: REQUIRE_DEST }
  }
  assert(amount > 0n && amount <= DROPS_MAX, 'an amount that no payment can carry')
  assert(to !== from, 'a payment to oneself, which the ledger does not know', { from })
  const payment = { ...common, TransactionType: 'Payment', Destination: to, Amount: String(amount) }
  return memo === null ? payment : { ...payment, DestinationTag: tagOf(memo) }
}

function tagOf(memo: string): number {
  const tag = parseTag(memo)
  assert(tag !== null, 'a memo that is no destination tag', { memo })
  return tag
}

function hashOf(raw: Uint8Array): string {
  return hexOf(sha512Half(PREFIX.transaction, raw))
}

function readBytes(raw: Uint8Array): Json {
  try {
    return decode(Buffer.from(raw).toString('hex'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    assert(false, 'bytes that are no transaction', { reason })
  }
}

/** The account of the key that signed; "" where the signature is none of it. */
function signerOf(json: Json): string {
  const { TxnSignature: signature, ...unsigned } = json
  const key = Buffer.from(textOf(json['SigningPubKey']), 'hex')
  const digest = sha512Half(Buffer.from(encodeForSigning(unsigned), 'hex'))
  const der = Buffer.from(textOf(signature), 'hex')
  return isSigned(der, digest, key) ? xrplAddressOf(key) : ''
}

/** A field that the codec gives as text or number. */
function textOf(value: unknown): string {
  const isPlain = typeof value === 'string' || typeof value === 'number'
  assert(isPlain, 'a transaction without a field that it must have')
  return String(value)
}

/** Signatures have one form: DER, with s in the lower half. */
function isSigned(der: Uint8Array, digest: Uint8Array, key: Uint8Array): boolean {
  try {
    return secp256k1.verify(der, digest, key, { prehash: false, lowS: true, format: 'der' })
  } catch {
    return false
  }
}
