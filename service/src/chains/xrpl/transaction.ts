import type { ChainId } from '@sluice/wire'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decode, encode, encodeForSigning } from 'ripple-binary-codec'
import { assert } from '../../base/assert.ts'
import type { Decoded, Intent, Reservation, Signature, Signed, Unsigned } from '../port.ts'
import { numberOf } from '../reservation.ts'
import { ledgerTermsOf } from '../spending.ts'
import type { Terms } from '../spending.ts'
import { brandXrplAddress, parseTag, xrplAddressOf } from './address.ts'
import { nativeTokenId } from './block.ts'
import { PREFIX, hexOf, sha512Half } from './hash.ts'
import type { Json } from './read.ts'

/** The most drops that can exist. */
const DROPS_MAX = 10n ** 17n
const UINT32_MAX = 0xff_ff_ff_ff
/** Payments declare that their signature has the canonical form (tfFullyCanonicalSig). */
const CANONICAL = 0x8000_0000
/** The flag of an account that refuses payments without a tag (asfRequireDest). */
const REQUIRE_DEST = 1
/** The most tickets of an account. */
const TICKETS_MAX = 250
/** The signed fields of all our transactions, besides the ticket of those that use one. */
const COMMON_FIELDS: readonly string[] = [
  'TransactionType',
  'Flags',
  'Account',
  'Fee',
  'Sequence',
  'TicketSequence',
  'LastLedgerSequence',
  'SigningPubKey',
  'TxnSignature',
]
const PAYMENT_FIELDS = [...COMMON_FIELDS, 'Destination', 'DestinationTag', 'Amount']
const SETUP_FIELDS = [...COMMON_FIELDS, 'SetFlag']
const TICKET_FIELDS = [...COMMON_FIELDS, 'TicketCount']

/**
 * The unsigned transaction of an intent: a Payment of XRP whose memo is the destination tag. With a
 * zero amount to oneself: a TicketCreate if tickets are requested, else an AccountSet that makes
 * the account refuse payments without a tag, which may be repeated. Under a Sequence or a ticket.
 * Pure. A Bug if intent and terms do not match.
 */
export function craftTransaction(
  intent: Intent,
  terms: Terms,
  reservation: Reservation,
  publicKey: Uint8Array | undefined,
): Unsigned {
  const { from } = intent
  assert(publicKey, "the signer's public key is missing", { from })
  assert(xrplAddressOf(publicKey) === from, 'the key of another account', { from })
  const json = { ...fieldsOf(intent, terms, reservation), SigningPubKey: hexOf(publicKey) }
  const body = Buffer.from(encodeForSigning(json), 'hex')
  return { from, digests: [sha512Half(body)], body }
}

/**
 * Joins a transaction with its signature. Pure. A Bug if another account than the sender signed.
 */
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
 * The effect of signed bytes, from the bytes alone; they do not name their network. Pure. A Bug
 * unless they are a transaction signed by its sender's own key.
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
    ...placeOf(json),
    maxFee: BigInt(textOf(json['Fee'])),
    ...paymentOf(chainId, json),
  }
}

/** A transaction with a ticket has Sequence 0; a ledger would refuse any other. */
function placeOf(json: Json): Pick<Decoded, 'nonce' | 'ticket'> {
  const sequence = Number(textOf(json['Sequence']))
  const ticket = json['TicketSequence']
  if (ticket === undefined) return { nonce: sequence }
  assert(sequence === 0, 'a transaction with a Sequence and a ticket', { sequence })
  return { nonce: Number(textOf(ticket)), ticket: true }
}

/** Exactly a payment of XRP, the flag, or tickets; anything more is unknown. */
function paymentOf(
  chainId: ChainId,
  json: Json,
): Pick<Decoded, 'to' | 'tokenId' | 'amount' | 'memo' | 'tickets'> {
  const { TransactionType: type, Amount: amount, Account: account } = json
  const tokenId = nativeTokenId(chainId)
  const tag = json['DestinationTag']
  const memo = tag === undefined ? null : textOf(tag)
  if (isExactly(json, 'AccountSet', SETUP_FIELDS) && json['SetFlag'] === REQUIRE_DEST) {
    return { to: brandXrplAddress(textOf(account)), tokenId, amount: 0n, memo }
  }
  if (isExactly(json, 'TicketCreate', TICKET_FIELDS)) {
    const tickets = Number(textOf(json['TicketCount']))
    return { to: brandXrplAddress(textOf(account)), tokenId, amount: 0n, memo, tickets }
  }
  const to = json['Destination'] === undefined ? '' : brandXrplAddress(textOf(json['Destination']))
  const isPlain = isExactly(json, 'Payment', PAYMENT_FIELDS) && typeof amount === 'string'
  if (!isPlain) return { to, tokenId: null, amount: 0n, memo: type === 'Payment' ? memo : null }
  return { to, tokenId, amount: BigInt(amount), memo }
}

/** No partial payment, no path, no currency but XRP: these fields must be missing. */
function isExactly(json: Json, type: string, fields: readonly string[]): boolean {
  const isKnown = Object.keys(json).every((field) => fields.includes(field))
  return isKnown && json['TransactionType'] === type && json['Flags'] === CANONICAL
}

function fieldsOf(intent: Intent, terms: Terms, reservation: Reservation): Json {
  const { fee, lastLedger } = ledgerTermsOf(terms)
  const { chainId, tokenId, from, to, amount, memo } = intent
  assert(tokenId === nativeTokenId(chainId), 'a payment of something else than XRP', { tokenId })
  assert(fee > 0n && fee <= DROPS_MAX, 'a fee that no transaction can burn', { fee })
  assert(lastLedger > 0n && lastLedger <= UINT32_MAX, 'a last ledger that cannot be')
  const common = {
    Flags: CANONICAL,
    Account: from,
    Fee: fee.toString(),
    ...sequenceOf(reservation),
    LastLedgerSequence: Number(lastLedger),
  }
  if (amount === 0n) {
    assert(to === from && memo === null, 'a payment of nothing to another account', { from, to })
    return { ...common, ...deedOf(intent) }
  }
  assert(intent.tickets === undefined, 'a payment that makes tickets', { from })
  assert(amount > 0n && amount <= DROPS_MAX, 'an amount that no payment can carry')
  assert(to !== from, 'a payment to oneself, which the ledger does not know', { from })
  const payment = { ...common, TransactionType: 'Payment', Destination: to, Amount: String(amount) }
  return memo === null ? payment : { ...payment, DestinationTag: tagOf(memo) }
}

/** The action of a transaction without a payee. */
function deedOf({ tickets }: Intent): Json {
  if (tickets === undefined) return { TransactionType: 'AccountSet', SetFlag: REQUIRE_DEST }
  const isCount = Number.isInteger(tickets) && tickets > 0 && tickets <= TICKETS_MAX
  assert(isCount, 'an invalid number of tickets', { tickets })
  return { TransactionType: 'TicketCreate', TicketCount: tickets }
}

function sequenceOf(reservation: Reservation): Json {
  const place = numberOf(reservation)
  const number = place.kind === 'ticket' ? place.ticket : place.nonce
  const isNumber = Number.isInteger(number) && number > 0 && number <= UINT32_MAX
  assert(isNumber, 'a Sequence that cannot be', { number })
  return place.kind === 'ticket' ? { Sequence: 0, TicketSequence: number } : { Sequence: number }
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

/** The account of the key that signed; "" if the signature does not verify. */
function signerOf(json: Json): string {
  const { TxnSignature: signature, ...unsigned } = json
  const key = Buffer.from(textOf(json['SigningPubKey']), 'hex')
  const digest = sha512Half(Buffer.from(encodeForSigning(unsigned), 'hex'))
  const der = Buffer.from(textOf(signature), 'hex')
  return isSigned(der, digest, key) ? xrplAddressOf(key) : ''
}

/** A field that the codec returns as text or number. */
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
