import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { decodeTransfer, encodeTransfer } from '../evm/abi.ts'
import type { Address, Decoded, Intent, Reservation, Signature, Signed, Unsigned } from '../port.ts'
import { tronTermsOf } from '../spending.ts'
import type { Terms } from '../spending.ts'
import {
  fromContractForm,
  fromHex41,
  toContractForm,
  toHex41,
  tronAddressOf,
  ZERO_ADDRESS,
} from './address.ts'
import { contractOf, contractTokenId, nativeTokenId } from './chain-ids.ts'
import { contractIn } from './contract.ts'
import { checkDelegation, delegationContract, delegationIn } from './delegation.ts'
import { bytesOf, integerOf, readMessage, writeMessage } from './protobuf.ts'
import type { Field, Message } from './protobuf.ts'
import { referenceTo, timestampOf } from './window.ts'

/** Numbers of fields and contracts (protocol/core/Tron.proto). */
const TRANSFER_TYPE = 1n
const CALL_TYPE = 31n
const URL = 'type.googleapis.com/protocol.'
const SIGNATURE_BYTES = 65
const INT64_MAX = 2n ** 63n - 1n
const UINT256_MAX = 2n ** 256n - 1n

/**
 * The unsigned transaction of an intent: a TransferContract, a TriggerSmartContract that calls
 * `transfer`, or a contract that lends energy or takes it back. Its hash is the transaction's id,
 * known before it is sent. Pure. A Bug if intent and terms do not match.
 */
export function craftTransaction(
  intent: Intent,
  quoted: Terms,
  reservation: Reservation,
): Unsigned {
  const terms = tronTermsOf(quoted)
  const { feeLimit, expiration, headTime } = terms
  checkIntent(intent)
  assert(expiration > headTime, 'a window that ends before it begins', { headTime, expiration })
  const isCoins = contractOf(intent.tokenId) === null
  assert(isCoins === (feeLimit === 0n), 'a limit of energy for coins, or none for a token')
  const reference = referenceTo(terms)
  const body = writeMessage([
    [1, reference.bytes],
    [4, reference.hash],
    [8, expiration],
    [10, new Uint8Array(Buffer.from(intent.memo ?? '', 'utf8'))],
    [11, contractMessage(intent)],
    [14, timestampOf(terms, reservation)],
    [18, feeLimit],
  ])
  return { from: intent.from, digests: [sha256(body)], body }
}

/**
 * Joins a transaction with its signature. Pure. A Bug if another account than the sender signed.
 */
export function combineTransaction(
  { from, body }: Unsigned,
  signatures: readonly Signature[],
): Signed {
  const [signature] = signatures
  assert(signature && signatures.length === 1, 'a TRON transaction of ours has one signature')
  const bytes = signatureBytes(signature)
  const signer = signerOf(body, bytes)
  assert(signer === from, 'a transaction signed by another than its sender', { from, signer })
  return { raw: transactionBytes(body, bytes), txnHash: hexOf(sha256(body)) }
}

/**
 * The effect of signed bytes, from the bytes alone: exactly one payment or delegation, or null.
 * Pure. Of the fee they bound only the energy; the chain prices bandwidth and activation.
 */
export function decodeTransaction(chainId: ChainId, raw: Uint8Array): Decoded {
  const outer = readMessage(raw)
  assert(outer !== null, 'bytes that are no transaction')
  const body = bytesOf(outer, 1)
  const signature = bytesOf(outer, 2)
  const isCanonical = Buffer.compare(transactionBytes(body, signature), raw) === 0
  assert(isCanonical, 'bytes that are not the one encoding of their transaction')
  const fields = readMessage(body)
  assert(fields !== null && isPlain(fields), 'a transaction with fields that we never write')
  const memo = Buffer.from(bytesOf(fields, 10)).toString('utf8')
  return {
    txnHash: hexOf(sha256(body)),
    chainId,
    from: signerOf(body, signature),
    nonce: null,
    maxFee: integerOf(fields, 18),
    memo: memo === '' ? null : memo,
    ...paymentOf(chainId, body),
  }
}

/**
 * Bytes of bandwidth that a transaction of this intent uses, including its signature and result.
 */
export function bandwidthOf(intent: Intent, feeLimit: bigint): bigint {
  const body = writeMessage([
    [1, new Uint8Array(2).fill(1)],
    [4, new Uint8Array(8).fill(1)],
    // Milliseconds of the present take six bytes.
    [8, BigInt(2 ** 41)],
    [10, new Uint8Array(Buffer.from(intent.memo ?? '', 'utf8'))],
    [11, contractMessage(intent)],
    [14, BigInt(2 ** 41)],
    [18, feeLimit],
  ])
  const RESULT_BYTES = 64
  return BigInt(transactionBytes(body, new Uint8Array(SIGNATURE_BYTES)).length + RESULT_BYTES)
}

function contractMessage(intent: Intent): Uint8Array {
  const { name, type, fields } = contractOfIntent(intent)
  const parameter = writeMessage([
    [1, new Uint8Array(Buffer.from(`${URL}${name}`, 'latin1'))],
    [2, writeMessage(fields)],
  ])
  return writeMessage([
    [1, type],
    [2, parameter],
  ])
}

function contractOfIntent(intent: Intent): { name: string; type: bigint; fields: Field[] } {
  const { tokenId, from, to, amount, delegation } = intent
  if (delegation !== undefined) return delegationContract(intent, delegation)
  const contract = contractOf(tokenId)
  const owner: Field = [1, bytes21(from)]
  if (contract === null) {
    const fields: Field[] = [owner, [2, bytes21(to)], [3, amount]]
    return { name: 'TransferContract', type: TRANSFER_TYPE, fields }
  }
  const fields: Field[] = [owner, [2, bytes21(contract)], [4, callData(to, amount)]]
  return { name: 'TriggerSmartContract', type: CALL_TYPE, fields }
}

/**
 * Exactly a transfer of coins, or exactly a token's `transfer` without coins, or energy that is
 * lent or taken back.
 */
function paymentOf(
  chainId: ChainId,
  body: Uint8Array,
): Pick<Decoded, 'to' | 'tokenId' | 'amount' | 'delegation'> {
  const contract = contractIn(body)
  if (!('owner' in contract)) {
    const delegated = delegationIn(body)
    if (delegated === null) return { to: '', tokenId: null, amount: 0n }
    const { to, act, stake } = delegated
    return { to, tokenId: nativeTokenId(chainId), amount: 0n, delegation: { act, stake } }
  }
  if (contract.kind === 'transfer') {
    return { to: fromHex41(contract.to), tokenId: nativeTokenId(chainId), amount: contract.amount }
  }
  const target = fromHex41(contract.contract)
  const transfer = contract.value === 0n ? decodeTransfer(`0x${hexOf(contract.data)}`) : null
  if (transfer === null) return { to: target, tokenId: null, amount: contract.value }
  const { to, amount } = transfer
  return { to: fromContractForm(to), tokenId: contractTokenId(chainId, target), amount }
}

/** Only the fields that `craftTransaction` writes, each once. */
function isPlain(fields: Message): boolean {
  const ours = new Set([1, 4, 8, 10, 11, 14, 18])
  return [...fields].every(([number, values]) => ours.has(number) && values.length === 1)
}

function transactionBytes(body: Uint8Array, signature: Uint8Array): Uint8Array {
  return writeMessage([
    [1, body],
    [2, signature],
  ])
}

function signatureBytes({ r, s, recovery }: Signature): Uint8Array {
  const compact = new secp256k1.Signature(r, s).toBytes('compact')
  return Uint8Array.from([...compact, recovery])
}

function signerOf(body: Uint8Array, signature: Uint8Array): Address {
  const recovery = signature[SIGNATURE_BYTES - 1]
  const isShaped = signature.length === SIGNATURE_BYTES && recovery !== undefined && recovery < 4
  assert(isShaped, 'a signature of another shape')
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
    assert(!parsed.hasHighS(), 'a signature whose s is in the upper half')
    const point = parsed.addRecoveryBit(recovery).recoverPublicKey(sha256(body))
    return tronAddressOf(point.toBytes(true))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    assert(false, 'the signature is invalid', { reason })
  }
}

function checkIntent(intent: Intent): void {
  const { chainId, tokenId, amount, from, to, delegation } = intent
  const contract = contractOf(tokenId)
  assert(tokenId.startsWith(`${chainId}/`), 'a token of another chain', { chainId, tokenId })
  const isPayment = contract !== null || tokenId === nativeTokenId(chainId)
  assert(isPayment, 'a token that the chain cannot have', { tokenId })
  if (delegation !== undefined) {
    assert(contract === null, 'a delegation of a token', { tokenId })
    return checkDelegation(intent, delegation)
  }
  const most = contract === null ? INT64_MAX : UINT256_MAX
  assert(amount > 0n && amount <= most, 'an amount that no transaction can carry')
  assert(to !== ZERO_ADDRESS && to !== from, 'a payment without a recipient, or to oneself', {
    from,
    to,
  })
}

function callData(to: Address, amount: bigint): Uint8Array {
  const hex = encodeTransfer(toContractForm(to), amount).slice(2)
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

function bytes21(address: Address): Uint8Array {
  return new Uint8Array(Buffer.from(toHex41(address), 'hex'))
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
