import { bytesOf, integerOf, messageOf, readMessage } from './protobuf.ts'
import type { Message } from './protobuf.ts'

/**
 * The one contract of a transaction, as far as it moves coins. Addresses are 21 bytes in hex.
 * `unread` may move coins but has a form that java-tron would not execute.
 */
export type TronContract =
  | { kind: 'transfer'; owner: string; to: string; amount: bigint }
  | { kind: 'call'; owner: string; contract: string; value: bigint; data: Uint8Array }
  | { kind: 'other' | 'unread' }

const TRANSFER = 1n
const CALL = 31n
/** The number of a type is read as 32 bits. */
const KIND_BITS = 32
const ADDRESS = /^41[0-9a-f]{40}$/

/**
 * Reads the contract of a transaction from its signed bytes, whose hash is its id, not from the
 * JSON of the same answer. TRC-10 assets and all others are `other` (T02). Never throws on any
 * signed bytes.
 */
export function contractIn(raw: Uint8Array): TronContract {
  const message = readMessage(raw)
  if (message === null || countOf(message, 11) > 1) return { kind: 'unread' }
  const contract = messageOf(message, 11)
  const parameter = contract === null ? null : messageOf(contract, 2)
  if (contract === null || parameter === null) return { kind: 'unread' }
  const type = BigInt.asIntN(KIND_BITS, integerOf(contract, 1))
  const url = Buffer.from(bytesOf(parameter, 1)).toString('latin1')
  const isTransfer = type === TRANSFER && url.endsWith('/protocol.TransferContract')
  const isCall = type === CALL && url.endsWith('/protocol.TriggerSmartContract')
  return isTransfer || isCall
    ? paymentIn(messageOf(parameter, 2), isTransfer ? 'transfer' : 'call')
    : { kind: 'other' }
}

function paymentIn(value: Message | null, kind: 'transfer' | 'call'): TronContract {
  if (value === null) return { kind: 'unread' }
  const owner = hexOf(bytesOf(value, 1))
  const other = hexOf(bytesOf(value, 2))
  const amount = integerOf(value, 3)
  if (!ADDRESS.test(owner) || !ADDRESS.test(other) || amount < 0n) return { kind: 'unread' }
  if (kind === 'transfer') return { kind, owner, to: other, amount }
  return { kind, owner, contract: other, value: amount, data: bytesOf(value, 4) }
}

/** The number of messages in a field. */
function countOf(message: Message, number: number): number {
  return (message.get(number) ?? []).filter((value) => value instanceof Uint8Array).length
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
