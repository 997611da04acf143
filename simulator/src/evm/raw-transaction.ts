import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigEndian, concat, fromHex, type Hex, quantity, toHex } from '../hex.ts'
import { type RlpItem, rlp, unrlp } from '../rlp.ts'
import { RpcFault, SERVER_ERROR } from './params.ts'
import type { TransactionJson } from './shapes.ts'

/** A transaction read from its signed bytes. */
export interface SignedTransaction {
  raw: Uint8Array
  hash: Hex
  from: Hex
  /** Null if it creates a contract. */
  to: Hex | null
  /** Null if it is valid on every chain. */
  chainId: bigint | null
  nonce: bigint
  gas: bigint
  value: bigint
  input: Hex
  /** wei for one gas, the base fee in it; for legacy transactions the price. */
  maxFee: bigint
  tip: bigint
  json: TransactionJson
}

const FEE_MARKET_TYPE = 2
const FEE_MARKET_FIELDS = 12
const LEGACY_FIELDS = 9
/** EIP-2: half of the order of secp256k1. */
const S_MAX = secp256k1.Point.Fn.ORDER / 2n

/**
 * Reads what eth_sendRawTransaction is given: types 0 and 2, whose signature says who sends. Throws
 * as geth does for anything else.
 */
export function readSigned(text: string): SignedTransaction {
  const raw = bytesIn(text)
  if (raw[0] === FEE_MARKET_TYPE) return readFeeMarket(raw)
  if ((raw[0] ?? 0) >= 0xc0) return readLegacy(raw)
  throw new RpcFault(SERVER_ERROR, 'transaction type not supported')
}

function readFeeMarket(raw: Uint8Array): SignedTransaction {
  const fields = fieldsIn(raw.subarray(1), FEE_MARKET_FIELDS)
  const [chainId, nonce, tip, maxFee, gas] = fields.slice(0, 5).map(integerIn)
  const message = concat([Uint8Array.of(FEE_MARKET_TYPE), rlp(fields.slice(0, 9))])
  const [parity = 0n, r = 0n, s = 0n] = fields.slice(9).map(integerIn)
  const signature = { r, s, parity: Number(parity) }
  const payment = paymentIn(fields.slice(5, 8))
  const numbers = { chainId, nonce, tip, maxFee, gas }
  const from = signerOf(message, signature)
  return {
    ...complete(raw, { ...payment, ...numbers, from }),
    json: {
      ...jsonOf({ ...payment, ...numbers, from }, signature),
      type: '0x2',
      accessList: [],
      maxFeePerGas: quantity(maxFee ?? 0n),
      maxPriorityFeePerGas: quantity(tip ?? 0n),
      yParity: quantity(parity),
      hash: toHex(keccak_256(raw)),
    },
  }
}

function readLegacy(raw: Uint8Array): SignedTransaction {
  const fields = fieldsIn(raw, LEGACY_FIELDS)
  const [nonce, price, gas] = fields.slice(0, 3).map(integerIn)
  const [v = 0n, r = 0n, s = 0n] = fields.slice(6).map(integerIn)
  const chainId = v >= 35n ? (v - 35n) / 2n : null
  const domain = chainId === null ? [] : [bigEndian(chainId), bigEndian(0), bigEndian(0)]
  const parity = Number(chainId === null ? v - 27n : (v - 35n) % 2n)
  const payment = paymentIn(fields.slice(3, 6))
  const numbers = { chainId, nonce, tip: price, maxFee: price, gas }
  const from = signerOf(rlp([...fields.slice(0, 6), ...domain]), { r, s, parity })
  return {
    ...complete(raw, { ...payment, ...numbers, from }),
    json: {
      ...jsonOf({ ...payment, ...numbers, from }, { r, s, parity }),
      type: '0x0',
      v: quantity(v),
      hash: toHex(keccak_256(raw)),
    },
  }
}

interface Parts {
  from: Hex
  to: Hex | null
  value: bigint
  input: Hex
  chainId: bigint | null | undefined
  nonce: bigint | undefined
  tip: bigint | undefined
  maxFee: bigint | undefined
  gas: bigint | undefined
}

function complete(raw: Uint8Array, parts: Parts): Omit<SignedTransaction, 'json'> {
  const { nonce = 0n, tip = 0n, maxFee = 0n, gas = 0n, chainId = null, ...rest } = parts
  return { ...rest, nonce, tip, maxFee, gas, chainId, raw, hash: toHex(keccak_256(raw)) }
}

function jsonOf(parts: Parts, { r, s, parity }: { r: bigint; s: bigint; parity: number }) {
  const { from, to, value, input, chainId, nonce = 0n, gas = 0n, maxFee = 0n } = parts
  return {
    ...(typeof chainId === 'bigint' ? { chainId: quantity(chainId) } : {}),
    nonce: quantity(nonce),
    from,
    to,
    value: quantity(value),
    input,
    gas: quantity(gas),
    gasPrice: quantity(maxFee),
    v: quantity(parity),
    r: quantity(r),
    s: quantity(s),
  }
}

function signerOf(message: Uint8Array, { r, s, parity }: { r: bigint; s: bigint; parity: number }) {
  if (s > S_MAX) throw new RpcFault(SERVER_ERROR, 'invalid transaction v, r, s values')
  try {
    const signature = new secp256k1.Signature(r, s, parity)
    const point = signature.recoverPublicKey(keccak_256(message))
    return toHex(keccak_256(point.toBytes(false).subarray(1)).subarray(12))
  } catch {
    throw new RpcFault(SERVER_ERROR, 'invalid transaction v, r, s values')
  }
}

function paymentIn([to, value, input]: RlpItem[]): { to: Hex | null; value: bigint; input: Hex } {
  const target = toHex(bytesOf(to))
  if (target !== '0x' && target.length !== 42) throw malformed()
  return {
    to: target === '0x' ? null : target,
    value: integerIn(value ?? new Uint8Array()),
    input: toHex(bytesOf(input)),
  }
}

function fieldsIn(bytes: Uint8Array, count: number): RlpItem[] {
  const list = decoded(bytes)
  if (list instanceof Uint8Array || list.length !== count) throw malformed()
  return [...list]
}

function decoded(bytes: Uint8Array): RlpItem {
  try {
    return unrlp(bytes)
  } catch {
    throw malformed()
  }
}

function bytesIn(text: string): Uint8Array {
  try {
    return fromHex(text)
  } catch {
    throw malformed()
  }
}

function integerIn(item: RlpItem): bigint {
  const bytes = bytesOf(item)
  if (bytes[0] === 0) throw malformed()
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes))
}

function bytesOf(item: RlpItem | undefined): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw malformed()
}

function malformed(): RpcFault {
  return new RpcFault(SERVER_ERROR, 'rlp: transaction is malformed')
}
