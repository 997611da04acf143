import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { Deposit, EXAMPLE_ACCOUNT, EXAMPLE_DEPOSIT } from './deposits.ts'
import { EventDelivery } from './event-log.ts'
import { AT } from './examples.ts'
import { text, textOrNull, timestamp } from './fields.ts'
import { Sweep } from './money-lists.ts'
import { DEPOSIT_ID } from './parameters.ts'

/** The delivery of the event that reports the credit. */
export const DepositNotification = Type.Object({
  eventId: text('The event; `GET /events/{id}` shows its attempts.'),
  timestamp: timestamp('When the event happened.'),
  delivery: EventDelivery,
})
export type DepositNotification = Static<typeof DepositNotification>

export const DepositSweep = Type.Pick(Sweep, ['id', 'status', 'txnHash', 'createdAt', 'updatedAt'])
export type DepositSweep = Static<typeof DepositSweep>

/** The single read of a deposit: everything that a timeline from detection to sweep shows. */
export const SingleDeposit = Type.Object({
  ...Deposit.properties,
  orgDepositAccountId: text('The account that was paid.'),
  recipientAddress: text('The address that was paid.'),
  destinationTag: textOrNull('The destination tag of its account (XRP); null on other chains.'),
  heldReason: textOrNull('Why it is held; null unless `status` is `Held`.'),
  detectedAt: timestamp('When it was detected.'),
  notification: Type.Union([DepositNotification, Type.Null()], {
    description:
      'The newest `deposit.confirmed` event, with its delivery to the default webhook endpoint; ' +
      'null before the first.',
  }),
  sweep: Type.Union([DepositSweep, Type.Null()], {
    description:
      'The sweep that moved it to the settlement address, or will move it; null without one. ' +
      'XRP and Bitcoin deposits are not swept.',
  }),
})
export type SingleDeposit = Static<typeof SingleDeposit>

const DEPOSIT: SingleDeposit = {
  ...EXAMPLE_DEPOSIT,
  orgDepositAccountId: EXAMPLE_ACCOUNT.orgDepositAccountId,
  recipientAddress: EXAMPLE_ACCOUNT.properties.address,
  destinationTag: null,
  heldReason: null,
  detectedAt: AT,
  notification: {
    eventId: '019ab4ef-6666-7000-8000-000000000006',
    timestamp: AT,
    delivery: {
      state: 'delivered',
      attemptCount: 1,
      lastStatus: 200,
      lastError: '',
      nextAttemptAt: null,
      finishedAt: AT,
    },
  },
  sweep: {
    id: '019ab4f2-1111-7000-8000-000000000001',
    status: 'Done',
    txnHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    createdAt: AT,
    updatedAt: AT,
  },
}

export const SINGLE_DEPOSIT_OPERATIONS = {
  getDeposit: {
    method: 'GET',
    path: '/deposits/:id',
    tag: 'Deposits',
    summary: 'Returns a deposit with its notification and its sweep',
    description:
      'The fields of the lists and the times of its way: detected, credited (`confirmedAt`), ' +
      'notified and swept. `GET /events?subjectId=` lists all of its events.',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ id: DEPOSIT_ID }),
    responses: { 200: Type.Object({ deposit: SingleDeposit }) },
    errors: [],
    example: { params: { id: DEPOSIT.id }, answers: { 200: { deposit: DEPOSIT } } },
  },
} as const satisfies Record<string, Operation>
