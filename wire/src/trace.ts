import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { EXAMPLE_DEPOSIT as DEPOSIT, EXAMPLE_ACCOUNT } from './deposits.ts'
import { AT, ETHER, SEPOLIA } from './examples.ts'
import { text, textOrNull } from './fields.ts'
import { CHAIN_ID, TXN_HASH } from './parameters.ts'

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
const Code = Type.Enum(CODES, { description: 'A stable code; the documentation lists them all.' })

/** One fact about a transaction, or about a payment in it. */
export const TraceStep = Type.Object({
  code: Code,
  message: text('The fact in words, with what can be done.'),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), {
    description: 'The values in the message, by name.',
  }),
})
export type TraceStep = Static<typeof TraceStep>

export const TracedPayment = Type.Object({
  recipient: text('The address of the organization that is paid.'),
  senderAddress: text('The sender; empty if the chain names none.'),
  tokenId: textOrNull('The token; null if it has no id.'),
  amount: Type.String({ pattern: '^[0-9]+$', description: 'In base units.' }),
  externalUserId: text('The end user who owns the address; empty for an address of your own.'),
  depositId: textOrNull('The deposit; null if there is none.'),
  outcome: Code,
  steps: Type.Array(TraceStep, { description: 'In order; the last step is the outcome.' }),
})
export type TracedPayment = Static<typeof TracedPayment>

export const PaymentTrace = Type.Object({
  chainId: text('The chain: a CAIP-2 id.'),
  txnHash: text('The transaction, as the chain writes it.'),
  outcome: Code,
  steps: Type.Array(TraceStep, { description: 'The facts about the transaction as a whole.' }),
  payments: Type.Array(TracedPayment, {
    description: 'The payments in it that concern the organization.',
  }),
})
export type PaymentTrace = Static<typeof PaymentTrace>

const TRACE: PaymentTrace = {
  chainId: SEPOLIA,
  txnHash: DEPOSIT.txnHash,
  outcome: 'WAITING_FOR_CONFIRMATIONS',
  steps: [
    {
      code: 'TRANSACTION_FOUND',
      message: 'Included in block 9500000.',
      details: { blockNumber: 9_500_000, blockHash: DEPOSIT.blockHash },
    },
    {
      code: 'BLOCK_READ',
      message: 'Its block was scanned; the last scanned block is 9500001.',
      details: { blockNumber: 9_500_000, tip: 9_500_001 },
    },
  ],
  payments: [
    {
      recipient: EXAMPLE_ACCOUNT.properties.address,
      senderAddress: DEPOSIT.senderAddress,
      tokenId: ETHER.id,
      amount: DEPOSIT.amount,
      externalUserId: DEPOSIT.externalUserId,
      depositId: DEPOSIT.id,
      outcome: 'WAITING_FOR_CONFIRMATIONS',
      steps: [
        {
          code: 'RECIPIENT_IS_USER',
          message: 'Pays the deposit address of your user customer-42.',
          details: { externalUserId: DEPOSIT.externalUserId },
        },
        {
          code: 'DETECTED',
          message: 'Detected in block 9500000.',
          details: { blockNumber: 9_500_000, at: AT },
        },
        {
          code: 'WAITING_FOR_CONFIRMATIONS',
          message: '1 of 3 confirmations: 2 more blocks, about 24 s.',
          details: { rule: 'depth', confirmations: 1, required: 3, remaining: 2, seconds: 24 },
        },
      ],
    },
  ],
}

export const TRACE_OPERATIONS = {
  getPaymentsTrace: {
    method: 'GET',
    path: '/payments/trace',
    tag: 'Deposits',
    summary: 'Explains step by step why the payments of a transaction are credited or not',
    description:
      'For support requests. `steps` describes the transaction, `payments` each payment in it ' +
      'that concerns the organization.',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ chainId: CHAIN_ID, txnHash: TXN_HASH }),
    responses: { 200: Type.Object({ trace: PaymentTrace }) },
    errors: ['INVALID_CHAIN'],
    example: {
      query: { chainId: SEPOLIA, txnHash: DEPOSIT.txnHash },
      answers: { 200: { trace: TRACE } },
    },
  },
} as const satisfies Record<string, Operation>
