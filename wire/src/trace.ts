import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { EXAMPLE_DEPOSIT as DEPOSIT, EXAMPLE_ACCOUNT } from './deposits.ts'
import { AT, ETHER, SEPOLIA } from './examples.ts'
import { text, textOrNull } from './fields.ts'
import { CHAIN_ID, TXN_HASH } from './parameters.ts'

/**
 * Every reason why a payment is not credited, in the order of its way into the ledger. The codes
 * are stable; their texts may change.
 */
export const TRACE_CODES = {
  CHAIN_NOT_FOLLOWED: 'The chain has no nodes, or was never reached: it is not scanned.',
  NODE_AWAY: 'No node answers; the steps that follow are from our own records.',
  TRANSACTION_NOT_FOUND: 'The nodes do not know this transaction on this chain.',
  TRANSACTION_WAITS: 'The transaction is not in a block yet.',
  TRANSACTION_FOUND: 'The transaction is in a block.',
  TRANSACTION_FAILED: 'The transaction failed and moved no tokens.',
  BEFORE_START: 'Its block is below the first block that was scanned.',
  NOT_YET_SCANNED:
    'Its block is not scanned yet; `blocksBehind` and `secondsBehind` say how far the scan is.',
  BLOCK_READ: 'Its block was scanned.',
  CHAIN_FROZEN: 'The chain is frozen: deposits are credited after an operator resumes it.',
  CHAIN_HALTED: 'The chain is halted: it is scanned after an operator resumes it.',
  CHAIN_DISPUTED:
    'The nodes of the chain disagree about its blocks: deposits are credited once they agree.',
  OWN_TRANSACTION: 'It moves tokens between your own addresses, which is not a deposit.',
  OWN_WITHDRAWAL: 'It pays one of your withdrawals.',
  NOTHING_FOR_YOU: 'It pays none of your addresses.',
  RECIPIENT_IS_USER: 'It pays the deposit address of one of your users.',
  RECIPIENT_IS_SETTLEMENT: 'It pays your settlement address: it funds withdrawals.',
  RECIPIENT_IS_GAS: 'It pays your gas wallet: it funds fees.',
  OTHER_NETWORK: 'It arrived on another network than the address was issued for; it is credited.',
  ZERO_VALUE: 'Its amount is zero, which is not a deposit.',
  TOKEN_NOT_LISTED: 'The token is not in the catalogue.',
  TOKEN_DISABLED: 'The token is disabled for new addresses; deposits of it are still credited.',
  TAG_MISSING: 'It has no destination tag, so it cannot be attributed to a user.',
  TAG_UNKNOWN: 'Its destination tag belongs to no user.',
  NOT_DETECTED: 'Its block was scanned and it was not found: an operator must rescan the block.',
  DETECTED: 'It was detected.',
  WAITING_FOR_CONFIRMATIONS:
    'It waits for `remaining` more blocks, about `seconds` seconds: until they are scanned if ' +
    '`rule` is `depth`, until the chain calls its block final if `rule` is `final`.',
  BEING_CONFIRMED: 'It has its confirmations, or is final; it is judged with the next block.',
  BELOW_MINIMUM: 'It waits until `missing` more base units arrive at its address.',
  HELD: 'It is held for an operator.',
  ORPHANED: 'Its block left the chain.',
  CREDITED: 'It is credited.',
} as const

export type TraceCode = keyof typeof TRACE_CODES

export function isTraceCode(code: string): code is TraceCode {
  return Object.hasOwn(TRACE_CODES, code)
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
  depositId: textOrNull('The deposit; null without a deposit.'),
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
