import { formatTokenId, parseChainId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import { Transaction } from 'micro-eth-signer'
import { assert } from '../../base/assert.ts'
import type { Address, Decoded, Intent, Reservation, Signature, Signed, Unsigned } from '../port.ts'
import { nonceOf } from '../reservation.ts'
import { gasTermsOf, maxFeeOf } from '../spending.ts'
import type { GasTerms, Terms } from '../spending.ts'
import { decodeTransfer, encodeTransfer } from './abi.ts'
import { brandEvmAddress, checksumAddress, ZERO_ADDRESS } from './address.ts'
import { contractOf, nativeTokenId } from './block.ts'
import { keccak } from './keccak.ts'

/** A payment on an EVM chain: a call, often with a value and no data. */
export interface Call {
  to: Address
  value: bigint
  data: string
}

/** Fields of a transaction of any type. */
interface Fields {
  chainId: bigint | undefined
  nonce: bigint
  to: string
  value: bigint
  data: string
  hasAccessList: boolean
}

type Envelope = ReturnType<typeof Transaction.fromBytes>

const UINT256_MAX = 2n ** 256n - 1n

/** The payment of an intent as a call: the native coin by value, a token by its `transfer`. */
export function callOf({ tokenId, to, amount }: Intent): Call {
  const contract = contractOf(tokenId)
  if (contract === null) return { to, value: amount, data: '0x' }
  return { to: contract, value: 0n, data: encodeTransfer(to, amount) }
}

/**
 * The unsigned transaction of an intent: EIP-1559 (type 2), or EIP-155 under legacy terms. Pure. A
 * Bug if intent and terms do not match.
 */
export function craftTransaction(
  intent: Intent,
  quoted: Terms,
  reservation: Reservation,
): Unsigned {
  const terms = gasTermsOf(quoted)
  const nonce = nonceOf(reservation)
  checkIntent(intent)
  checkTerms(terms)
  assert(Number.isSafeInteger(nonce) && nonce >= 0, 'a nonce is a whole number', { nonce })
  const chainId = chainNumber(intent.chainId)
  const common = { chainId, nonce: BigInt(nonce), gasLimit: terms.gasLimit, ...callOf(intent) }
  const transaction =
    terms.family === 'eip155'
      ? Transaction.prepare(
          {
            ...common,
            type: 'eip1559',
            accessList: [],
            maxFeePerGas: terms.maxFeePerGas,
            maxPriorityFeePerGas: terms.maxPriorityFeePerGas,
          },
          false,
        )
      : Transaction.prepare({ ...common, type: 'legacy', gasPrice: terms.gasPrice }, false)
  const body = transaction.toBytes({ includeSignature: false })
  return { from: intent.from, digests: [keccak(body)], body }
}

/**
 * Joins a transaction with its signature. Pure. A Bug if another account than the sender signed.
 */
export function combineTransaction(
  { from, body }: Unsigned,
  signatures: readonly Signature[],
): Signed {
  const [signature] = signatures
  assert(signature && signatures.length === 1, 'an EVM transaction has one signature')
  const { r, s, recovery: yParity } = signature
  const unsigned = readEnvelope(body)
  const { v: _v, ...raw } = { v: undefined, ...unsigned.raw, r, s, yParity }
  const signed = new Transaction(unsigned.type, raw, { strict: false })
  const signer = senderOf(signed)
  assert(signer === from, 'a transaction signed by another than its sender', { from, signer })
  return { raw: signed.toBytes(), txnHash: signed.hash }
}

/** The effect of signed bytes, from the bytes alone. Pure. */
export function decodeTransaction(raw: Uint8Array): Decoded {
  const envelope = readEnvelope(raw)
  assert(envelope.isSigned, 'bytes without a signature')
  const canonical = Buffer.compare(envelope.toBytes(), raw) === 0
  assert(canonical, 'bytes that are not the one encoding of their transaction')
  const fields = fieldsOf(envelope)
  assert(fields.chainId !== undefined, 'a transaction that is good on every chain')
  const chainId = parseEvmChainId(fields.chainId)
  return {
    txnHash: envelope.hash,
    chainId,
    from: senderOf(envelope),
    nonce: Number(fields.nonce),
    maxFee: envelope.fee,
    ...paymentOf(chainId, fields),
  }
}

/** Exactly a native transfer without data, or exactly a token's `transfer` without value. */
function paymentOf(
  chainId: ChainId,
  { to: target, value, data, hasAccessList }: Fields,
): Pick<Decoded, 'to' | 'tokenId' | 'amount'> {
  const to: Address | '' = target === '0x' ? '' : brandEvmAddress(target.toLowerCase())
  const unknown = { to, tokenId: null, amount: value }
  if (to === '' || hasAccessList) return unknown
  if (data === '0x') return { to, tokenId: nativeTokenId(chainId), amount: value }
  const transfer = value === 0n ? decodeTransfer(data) : null
  return transfer === null ? unknown : { tokenId: contractTokenId(chainId, to), ...transfer }
}

function contractTokenId(chainId: ChainId, contract: Address): TokenId {
  const assetReference = checksumAddress(contract)
  return formatTokenId({ chainId, assetNamespace: 'erc20', assetReference })
}

function readEnvelope(bytes: Uint8Array): Envelope {
  try {
    return Transaction.fromBytes(bytes)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    assert(false, 'bytes that are no transaction', { reason })
  }
}

/** A signature with s in the upper half is invalid (EIP-2). */
function senderOf(signed: Envelope): Address {
  try {
    return brandEvmAddress(signed.recoverSender().address.toLowerCase())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    assert(false, 'the signature is invalid', { reason })
  }
}

function fieldsOf({ type, raw }: Envelope): Fields {
  const { chainId, nonce, to, value, data } = raw
  const known = type === 'eip1559' || type === 'legacy'
  const hasAccessList = !known || ('accessList' in raw && raw.accessList.length > 0)
  return { chainId, nonce, to, value, data, hasAccessList }
}

function checkIntent({ chainId, tokenId, amount, from, to }: Intent): void {
  assert(amount >= 0n && amount <= UINT256_MAX, 'an amount that no transaction can carry')
  assert(tokenId.startsWith(`${chainId}/`), 'a token of another chain', { chainId, tokenId })
  const isPayment = contractOf(tokenId) !== null || tokenId === nativeTokenId(chainId)
  assert(isPayment, 'a token that the chain cannot have', { tokenId })
  assert(to !== ZERO_ADDRESS, 'a payment to the zero address', { from })
  assert(amount > 0n || to === from, 'a payment of nothing to another account', { from, to })
}

function checkTerms(terms: GasTerms): void {
  const isSane =
    terms.family === 'eip155-legacy' || terms.maxPriorityFeePerGas <= terms.maxFeePerGas
  assert(isSane, 'a priority fee above the whole fee')
  assert(terms.gasLimit > 0n && maxFeeOf(terms) <= UINT256_MAX, 'terms that no chain can take')
}

function chainNumber(chainId: ChainId): bigint {
  const parts = parseChainId(chainId)
  assert(parts?.namespace === 'eip155', 'not an EVM chain', { chainId })
  return BigInt(parts.reference)
}

function parseEvmChainId(number: bigint): ChainId {
  return `eip155:${number}` as ChainId
}
