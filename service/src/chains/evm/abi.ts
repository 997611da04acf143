import type { Address } from '../port.ts'
import { brandEvmAddress } from './address.ts'

/** A call without arguments: the first four bytes of the hash of the function's signature. */
export const DECIMALS_CALL = '0x313ce567'
export const SYMBOL_CALL = '0x95d89b41'
export const SUPPLY_CALL = '0x18160ddd'

const BALANCE_OF = '0x70a08231'
const TRANSFER = '0xa9059cbb'
/** Selector, an address in a word, an amount in a word: exactly 68 bytes. */
const TRANSFER_SHAPE = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/
const WORD_DIGITS = 64
const SYMBOL_BYTES_MAX = 128
const CONTROL_CHARACTERS = /\p{Cc}/u

/** The call `balanceOf(address)`. */
export function encodeBalanceOf(holder: Address): string {
  return `${BALANCE_OF}${holder.slice(2).padStart(WORD_DIGITS, '0')}`
}

/** The call `transfer(address,uint256)`. */
export function encodeTransfer(to: Address, amount: bigint): string {
  const words = [to.slice(2), amount.toString(16)].map((one) => one.padStart(WORD_DIGITS, '0'))
  return `${TRANSFER}${words.join('')}`
}

/** Reads the call `transfer(address,uint256)`; null for any other bytes, longer ones too. */
export function decodeTransfer(data: string): { to: Address; amount: bigint } | null {
  const [, to, amount] = TRANSFER_SHAPE.exec(data.toLowerCase()) ?? []
  if (to === undefined || amount === undefined) return null
  return { to: brandEvmAddress(`0x${to}`), amount: BigInt(`0x${amount}`) }
}

/** The first word of an answer as an unsigned number; null if the answer is shorter than a word. */
export function decodeUint(answer: string): bigint | null {
  const word = answer.slice(2, 2 + WORD_DIGITS)
  return word.length === WORD_DIGITS ? BigInt(`0x${word}`) : null
}

/**
 * A text as Solidity returns it, or in the 32 bytes that early tokens use instead (MKR). Null for
 * another form, an empty answer, and texts that no symbol needs: over 128 bytes or with control
 * characters.
 */
export function decodeText(answer: string): string | null {
  const bytes = Buffer.from(answer.slice(2), 'hex')
  const content = bytes.length === 32 ? bytes : stringBytes(bytes)
  if (content === null) return null
  const text = utf8(trimZeros(content))
  return text === null || text === '' || CONTROL_CHARACTERS.test(text) ? null : text
}

/** An offset, at the offset a length, then the bytes. */
function stringBytes(bytes: Buffer): Buffer | null {
  const offset = smallWord(bytes, 0)
  const length = offset === null ? null : smallWord(bytes, offset)
  if (offset === null || length === null || length > SYMBOL_BYTES_MAX) return null
  const start = offset + 32
  return start + length <= bytes.length ? bytes.subarray(start, start + length) : null
}

/** A word that is an offset into the answer, so it must be below its length. */
function smallWord(bytes: Buffer, at: number): number | null {
  if (at + 32 > bytes.length) return null
  const value = BigInt(`0x${bytes.subarray(at, at + 32).toString('hex')}`)
  return value <= BigInt(bytes.length) ? Number(value) : null
}

function trimZeros(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
