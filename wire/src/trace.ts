import { type Static, Type } from 'typebox'

/**
 * Every answer to "why is this not credited", in the order in which a payment meets them. The codes
 * are stable; what is said beside them may be reworded.
 */
export const TRACE_CODES = {
  CHAIN_NOT_FOLLOWED: 'The chain has no nodes here, or was never reached: nothing is read of it.',
  NODE_AWAY: 'No node answers; what follows is from our own records alone.',
  TRANSACTION_NOT_FOUND: 'The nodes know no such transaction on this chain.',
  TRANSACTION_WAITS: 'The transaction waits for a block.',
  TRANSACTION_FOUND: 'The transaction stands in a block.',
  TRANSACTION_FAILED: 'The transaction failed, and moved nothing.',
  BEFORE_START: 'Its block lies before the first that was read of the chain.',
  NOT_YET_SCANNED: 'Its block is not read yet; `blocksBehind` and `secondsBehind` say how far off.',
  BLOCK_READ: 'Its block was read.',
  CHAIN_FROZEN: 'The chain is frozen: nothing is credited there until an operator has looked.',
  CHAIN_HALTED: 'The chain is halted: nothing is read of it until an operator has looked.',
  CHAIN_DISPUTED:
    'The nodes of the chain disagree about its blocks: nothing is credited there until they agree.',
  OWN_TRANSACTION: 'It moves money between your own addresses, which is no deposit.',
  OWN_WITHDRAWAL: 'It pays a withdrawal of yours.',
  NOTHING_FOR_YOU: 'Nothing in it pays an address of yours.',
  RECIPIENT_IS_USER: 'It pays the deposit address of a user of yours.',
  RECIPIENT_IS_SETTLEMENT: 'It pays your settlement address: it funds withdrawals.',
  RECIPIENT_IS_GAS: 'It pays your gas wallet: it funds fees.',
  OTHER_NETWORK: 'It came over another network than the address was issued for, which is no harm.',
  ZERO_VALUE: 'It moves nothing, which is no deposit.',
  TOKEN_NOT_LISTED: 'The token is none of those that are money here.',
  TOKEN_DISABLED: 'The token is off for new addresses; what arrives is credited all the same.',
  TAG_MISSING: 'It names no destination tag, so that nobody knows whose it is.',
  TAG_UNKNOWN: 'Its destination tag is no user’s.',
  NOT_DETECTED: 'Its block was read, and it was not found in it: an operator must read it again.',
  DETECTED: 'It was seen.',
  WAITING_FOR_CONFIRMATIONS:
    'It waits for `remaining` more blocks, about `seconds` seconds: to be read where `rule` is ' +
    '`depth`, and to be called final by the chain where it is `final`.',
  BEING_CONFIRMED: 'It has its confirmations, or is final, and is judged with the next block.',
  BELOW_MINIMUM: 'It waits until `missing` more base units have arrived at its address.',
  HELD: 'It is held until an operator has looked at it.',
  ORPHANED: 'Its block has left the chain.',
  CREDITED: 'It is credited.',
} as const

export type TraceCode = keyof typeof TRACE_CODES

export function isTraceCode(text: string): text is TraceCode {
  return Object.hasOwn(TRACE_CODES, text)
}

const CODES = Object.keys(TRACE_CODES).filter(isTraceCode)
const Code = Type.Enum(CODES, { description: 'Stable; what each means stands in the docs.' })

/** One thing that is known of a transaction, or of a payment in it. */
export const TraceStep = Type.Object({
  code: Code,
  message: Type.String({ description: 'The same for people, with what can be done.' }),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), {
    description: 'The figures of the message, by name.',
  }),
})
export type TraceStep = Static<typeof TraceStep>

/** One payment in a transaction that concerns the organization. */
export const TracedPayment = Type.Object({
  recipient: Type.String({ description: 'The address of yours that it pays.' }),
  senderAddress: Type.String({ description: 'Who sent it; empty where the chain names nobody.' }),
  tokenId: Type.Union([Type.String(), Type.Null()], {
    description: 'Null where no id can be written for the token.',
  }),
  amount: Type.String({ pattern: '^[0-9]+$', description: 'In base units.' }),
  externalUserId: Type.String({ description: 'Whose address it is; empty for one of your own.' }),
  depositId: Type.Union([Type.String(), Type.Null()], {
    description: 'The deposit that it became; null where it is none.',
  }),
  outcome: Code,
  steps: Type.Array(TraceStep, { description: 'In their order; the last one is the outcome.' }),
})
export type TracedPayment = Static<typeof TracedPayment>

/** Why the payments of a transaction are credited, or are not. */
export const PaymentTrace = Type.Object({
  chainId: Type.String({ description: 'The chain: a CAIP-2 id.' }),
  txnHash: Type.String({ description: 'The transaction, as the chain writes it.' }),
  outcome: Code,
  steps: Type.Array(TraceStep, { description: 'What holds for the transaction as a whole.' }),
  payments: Type.Array(TracedPayment, {
    description: 'Every payment in it that concerns you, and no other.',
  }),
})
export type PaymentTrace = Static<typeof PaymentTrace>
