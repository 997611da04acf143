import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, type Hex, toHex, word } from './hex.ts'

/**
 * Integers as bigint or number, addresses and bytes as hex, strings as text, T[] as arrays of
 * these.
 */
export type AbiValue = bigint | number | string | boolean | readonly AbiValue[]

/** topic0 of ERC-20's and ERC-721's `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = topicOf('Transfer(address,address,uint256)')

/** Call data: the selector of `name(type,…)` and the encoded values (Solidity's contract ABI). */
export function encodeCall(signature: string, values: readonly AbiValue[] = []): Hex {
  const types = /^\w+\((.*)\)$/.exec(signature)?.[1]
  if (types === undefined) throw new Error(`no signature: ${signature}`)
  const names = types === '' ? [] : types.split(',')
  return `${selectorOf(signature)}${encodeValues(names, values).slice(2)}`
}

/** First four bytes of the signature's hash. */
export function selectorOf(signature: string): Hex {
  return toHex(hashOf(signature).subarray(0, 4))
}

/** The event's topic0. */
export function topicOf(signature: string): Hex {
  return toHex(hashOf(signature))
}

/** An address as a topic: 32 bytes. */
export function addressTopic(address: string): Hex {
  return `0x${word(address)}`
}

/** Encoded values, as constructor arguments and event data have them. Tuples are not known here. */
export function encodeValues(types: readonly string[], values: readonly AbiValue[]): Hex {
  if (types.length !== values.length) throw new Error(`${types.length} types, not as many values`)
  let heads = ''
  let tails = ''
  for (const [index, type] of types.entries()) {
    const encoded = encodeValue(type, values[index] ?? 0)
    if (isDynamic(type)) {
      heads += word(types.length * 32 + tails.length / 2)
      tails += encoded
    } else heads += encoded
  }
  return `0x${heads}${tails}`
}

/** The first word of an answer as an integer. Throws if the answer is empty. */
export function decodeUint(data: string): bigint {
  if (data.length < 66) throw new Error(`no word in ${data}`)
  return BigInt(data.slice(0, 66))
}

/** Decodes an answer of type string. */
export function decodeString(data: string): string {
  const bytes = fromHex(data)
  const at = Number(decodeUint(data))
  const length = Number(decodeUint(toHex(bytes.subarray(at))))
  return Buffer.from(bytes.subarray(at + 32, at + 32 + length)).toString()
}

function encodeValue(type: string, value: AbiValue): string {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) throw new Error(`no list for ${type}`)
    const items = value.map(() => type.slice(0, -2))
    return word(value.length) + encodeValues(items, value).slice(2)
  }
  if (type === 'string') return encodeBytes(Buffer.from(String(value)))
  if (type === 'bytes') return encodeBytes(fromHex(String(value)))
  if (type === 'bool') return word(value === true ? 1 : 0)
  if (type === 'bytes32') return word(BigInt(String(value)))
  if (type === 'address') return word(String(value))
  if (/^uint\d*$/.test(type)) return word(BigInt(String(value)))
  throw new Error(`no encoding for ${type}`)
}

function encodeBytes(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes).toString('hex')
  return word(bytes.length) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
}

function isDynamic(type: string): boolean {
  return type.endsWith('[]') || type === 'string' || type === 'bytes'
}

function hashOf(signature: string): Uint8Array {
  return keccak_256(Buffer.from(signature))
}
