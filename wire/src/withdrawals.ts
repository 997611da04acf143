import { Type } from 'typebox'
import type { Operation } from './define.ts'
import { AT, ETHER, SEPOLIA, USER_ID } from './examples.ts'
import { SYMBOL, amount, columns } from './exports.ts'
import { text } from './fields.ts'
import {
  AMOUNT,
  CHAIN_ID,
  ChainFilter,
  HashFilter,
  INTERNAL_NOTE,
  LIST,
  MEMO,
  NextCursor,
  OPTIONAL_REFERENCE,
  OPTIONAL_USER_ID,
  Page,
  REASON,
  RECIPIENT,
  REFERENCE,
  RecipientFilter,
  ReferenceFilter,
  TOKEN_ID,
  TOTP_CODE,
  TimeFilter,
  TokenFilter,
  UserFilter,
  WITHDRAWAL_ID,
  WITHDRAWAL_IDS,
  search,
  someOf,
} from './parameters.ts'
import { PasskeyAssertion } from './passkeys.ts'
import {
  EXAMPLE_ESTIMATE,
  EXAMPLE_REVIEW,
  WithdrawalEstimate,
  WithdrawalReview,
} from './withdrawal-estimate.ts'
import {
  CancelledWithdrawal,
  SingleWithdrawal,
  SpeedUp,
  EXAMPLE_WITHDRAWAL as WITHDRAWAL,
  WITHDRAWAL_STATUSES,
  Withdrawal,
} from './withdrawal.ts'

/** A withdrawal that a request for several approvals did not approve. */
export const RefusedApproval = Type.Object({
  id: text('The withdrawal.'),
  error: text('The error code.'),
  message: text('What is wrong and what to do.'),
})

/** Section 4.3. */
export const WithdrawalRequest = Type.Object({
  chainId: CHAIN_ID,
  tokenId: TOKEN_ID,
  amount: AMOUNT,
  recipient: RECIPIENT,
  reference: REFERENCE,
  memo: MEMO,
  internalNote: INTERNAL_NOTE,
  externalUserId: OPTIONAL_USER_ID,
})
/** The same, without a reference as yet. */
export const EstimateRequest = Type.Object({
  ...WithdrawalRequest.properties,
  reference: OPTIONAL_REFERENCE,
})
const WithdrawalPath = Type.Object({ id: WITHDRAWAL_ID })

/** Decisions, section 6. */
export const ApprovalRequest = Type.Object({
  totpCode: Type.Optional(TOTP_CODE),
  assertion: Type.Optional(PasskeyAssertion),
})
export const RejectionRequest = Type.Object({ totpCode: TOTP_CODE, reason: REASON })
export const ApprovalsRequest = Type.Object({ ids: WITHDRAWAL_IDS, totpCode: TOTP_CODE })

const { id: ID } = WITHDRAWAL
const OTHER_ID = '019ab4f0-1111-7000-8000-000000000001'
/** Needs one more approval. */
const WAITING: Withdrawal = {
  ...WITHDRAWAL,
  status: 'PendingApproval',
  requiredApprovals: 2,
  requiredHumans: 1,
}
const SINGLE: SingleWithdrawal = {
  ...WITHDRAWAL,
  Token: ETHER,
  initiatorName: 'ann',
  eligibleApprovers: [],
  transactions: [],
  approvals: [
    { userId: USER_ID, name: 'ann', createdAt: AT, method: null, voidedAt: null, voidCause: null },
  ],
  cancellation: null,
  speedUp: { possible: false, reason: 'unsigned', requestedAt: null },
}
const SIGNED: Withdrawal = {
  ...WITHDRAWAL,
  status: 'Processing',
  txnHash: '0x9b1f4d8f2f8a4f6f3d6f1e0c7a5b3d2c1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b',
  waitingFor: 'confirmations',
  waitingSince: AT,
}
const CANCELLED = { status: 'Cancelled', txnError: `CANCELLED BY ${USER_ID}` } as const

const REQUEST = {
  chainId: SEPOLIA,
  tokenId: ETHER.id,
  amount: WITHDRAWAL.amount,
  recipient: WITHDRAWAL.recipient,
  reference: WITHDRAWAL.reference,
  internalNote: WITHDRAWAL.internalNote,
  externalUserId: WITHDRAWAL.externalUserId,
}

const CREATION_ERRORS = [
  'DUPLICATE_REFERENCE',
  'INVALID_USER_ID',
  'INVALID_CHAIN',
  'CHAIN_NOT_ENABLED',
  'INVALID_TOKEN',
  'INVALID_TOKEN_CHAIN',
  'TOKEN_NOT_ENABLED',
  'INVALID_AMOUNT',
  'INVALID_RECIPIENT_ADDRESS',
  'MISSING_DESTINATION_TAG',
  'WITHDRAWAL_BELOW_MINIMUM',
  'WITHDRAWAL_ABOVE_MAXIMUM',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_CONFIRMED_BALANCE',
  'INSUFFICIENT_GAS',
] as const

const APPROVAL_ERRORS = [
  'INVALID_TOTP',
  'WITHDRAWAL_NOT_FOUND',
  'WITHDRAWAL_NOT_PENDING',
  'WITHDRAWAL_ALREADY_PROCESSED',
] as const

export const WITHDRAWAL_OPERATIONS = {
  getWithdrawals: {
    method: 'GET',
    path: '/withdrawals',
    tag: 'Withdrawals',
    summary: 'Lists withdrawals, newest first',
    description: LIST,
    credential: 'either',
    permission: 'read',
    query: Type.Object({
      chainId: ChainFilter,
      status: someOf(
        'withdrawalStatuses',
        WITHDRAWAL_STATUSES,
        'Only withdrawals in this status, or in one of several separated by commas: ' +
          `${WITHDRAWAL_STATUSES.join(', ')}.`,
      ),
      tokenId: TokenFilter,
      recipient: RecipientFilter,
      txnHash: HashFilter,
      reference: ReferenceFilter,
      externalUserId: UserFilter,
      q: search(
        'Only withdrawals whose `id`, `reference`, `externalUserId`, `recipient` or `txnHash` ' +
          'equals this text.',
      ),
      ...TimeFilter,
      ...Page,
    }),
    responses: {
      200: Type.Object({ withdrawals: Type.Array(Withdrawal), nextCursor: NextCursor }),
    },
    export: {
      name: 'withdrawals',
      columns: [
        ...columns(
          'id',
          'createdAt',
          'status',
          'reference',
          'externalUserId',
          'chainId',
          'tokenId',
        ),
        SYMBOL,
        ...amount('amount'),
        ...columns('recipient', 'memo', 'txnHash'),
        ...amount('fee', 'coins'),
        ...columns('txnError', 'failureCode', 'initiator', 'approvers', 'requiredApprovals'),
        ...columns('requiredHumans', 'waitingFor', 'waitingSince', 'internalNote', 'updatedAt'),
      ],
    },
    errors: ['INVALID_USER_ID'],
    example: {
      query: { status: 'PendingApproval', limit: 50 },
      answers: { 200: { withdrawals: [WAITING], nextCursor: null } },
    },
  },
  postWithdrawals: {
    method: 'POST',
    path: '/withdrawals',
    tag: 'Withdrawals',
    summary: 'Creates a withdrawal and reserves its amount',
    description:
      'With one required approval it is paid at once, otherwise it waits for approvals. To ' +
      'repeat a request whose response was lost, send the same `reference` again: the answer is ' +
      '`DUPLICATE_REFERENCE` with the id of the existing withdrawal and `sameParameters`. A ' +
      'refused request does not use up its reference.',
    credential: 'either',
    permission: 'createWithdrawals',
    body: WithdrawalRequest,
    responses: { 201: Type.Object({ withdrawal: Withdrawal }) },
    errors: CREATION_ERRORS,
    example: {
      body: REQUEST,
      answers: { 201: { withdrawal: WITHDRAWAL } },
    },
  },
  postWithdrawalsEstimate: {
    method: 'POST',
    path: '/withdrawals/estimate',
    tag: 'Withdrawals',
    summary: 'Estimates a withdrawal without creating it',
    description:
      'Takes the body of `POST /withdrawals`; `reference` is optional. Returns the fee, the ' +
      'balance after it, the approvals that it would need, and warnings. Refuses with the codes ' +
      'of the creation in the same order, changes nothing and reserves nothing. If no node ' +
      'answers, the creation may still answer `SERVICE_UNAVAILABLE`.',
    credential: 'either',
    permission: 'createWithdrawals',
    body: EstimateRequest,
    responses: { 200: Type.Object({ estimate: WithdrawalEstimate }) },
    errors: CREATION_ERRORS,
    example: { body: REQUEST, answers: { 200: { estimate: EXAMPLE_ESTIMATE } } },
  },
  getWithdrawal: {
    method: 'GET',
    path: '/withdrawals/:id',
    tag: 'Withdrawals',
    summary: 'Returns a withdrawal',
    description:
      'Not wrapped, with its token. Read it before you approve it: a withdrawal that was changed ' +
      'in the database is refused (`INTERNAL_ERROR`, `details.reason` `tampered`). Lists are not ' +
      'checked.',
    credential: 'either',
    permission: 'read',
    params: WithdrawalPath,
    responses: { 200: SingleWithdrawal },
    errors: ['WITHDRAWAL_NOT_FOUND'],
    example: { params: { id: ID }, answers: { 200: SINGLE } },
  },
  getWithdrawalWarnings: {
    method: 'GET',
    path: '/withdrawals/:id/warnings',
    tag: 'Withdrawals',
    summary: 'Returns the warnings, fee and balance of a withdrawal that is not paid yet',
    description:
      'As `POST /withdrawals/estimate` returns them, for those who approve it: compared with the ' +
      'other withdrawals, and with the balance without its own reservation. Without warnings, ' +
      'fee and balance unless its status is `PendingApproval` or `Pending`.',
    credential: 'either',
    permission: 'read',
    params: WithdrawalPath,
    responses: { 200: WithdrawalReview },
    errors: ['WITHDRAWAL_NOT_FOUND'],
    example: { params: { id: ID }, answers: { 200: EXAMPLE_REVIEW } },
  },
  deleteWithdrawal: {
    method: 'DELETE',
    path: '/withdrawals/:id',
    tag: 'Withdrawals',
    summary: 'Cancels a withdrawal that is not being processed yet',
    description: 'Allowed in `Pending` and `PendingApproval`; releases the reserved balance.',
    credential: 'either',
    permission: 'createWithdrawals',
    params: WithdrawalPath,
    responses: { 200: Type.Object({ withdrawal: CancelledWithdrawal }) },
    errors: ['WITHDRAWAL_NOT_FOUND', 'WITHDRAWAL_NOT_PENDING'],
    example: {
      params: { id: ID },
      answers: { 200: { withdrawal: { id: ID, ...CANCELLED, updatedAt: AT } } },
    },
  },
  postWithdrawalSpeedUp: {
    method: 'POST',
    path: '/withdrawals/:id/speed-up',
    tag: 'Withdrawals',
    summary: 'Requests a higher fee for a withdrawal whose transaction is not included yet',
    description:
      'The service then replaces the transaction at once instead of after some blocks: it pays ' +
      'the same, at the current fee rate and at least an eighth (Bitcoin: a quarter) more, and ' +
      'never more than the fee cap. One request is good for one replacement; a repetition ' +
      'before it changes nothing. On Bitcoin it speeds up all withdrawals of the same ' +
      'transaction. While the gas wallet or the balance does not cover the higher fee, the ' +
      'request waits.',
    credential: 'either',
    permission: 'createWithdrawals',
    params: WithdrawalPath,
    responses: { 202: Type.Object({ withdrawal: Withdrawal, speedUp: SpeedUp }) },
    errors: ['WITHDRAWAL_NOT_FOUND', 'WITHDRAWAL_NOT_REPLACEABLE'],
    example: {
      params: { id: ID },
      answers: {
        202: {
          withdrawal: SIGNED,
          speedUp: { possible: true, reason: null, requestedAt: AT },
        },
      },
    },
  },
  postWithdrawalApprove: {
    method: 'POST',
    path: '/withdrawals/:id/approve',
    tag: 'Withdrawals',
    summary: 'Approves a withdrawal, with a one-time code or a passkey',
    description:
      'Send either `totpCode` or `assertion`: what `navigator.credentials.get` returned for the ' +
      'options of `GET /withdrawals/:id/passkey-options`, as JSON. The last required approval ' +
      'sets the status to `Pending`. A second approval by the same user changes nothing; the ' +
      'initiator counts as the first approver.',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: WithdrawalPath,
    body: ApprovalRequest,
    responses: { 200: Type.Object({ withdrawal: Withdrawal }) },
    errors: [...APPROVAL_ERRORS, 'INVALID_PASSKEY', 'PASSKEYS_NOT_CONFIGURED'],
    example: {
      params: { id: ID },
      body: { totpCode: '492039' },
      answers: { 200: { withdrawal: { ...WAITING, status: 'Pending' } } },
    },
  },
  postWithdrawalReject: {
    method: 'POST',
    path: '/withdrawals/:id/reject',
    tag: 'Withdrawals',
    summary: 'Rejects a withdrawal that waits for approvals, with a one-time code',
    description: 'Sets the status to `Cancelled` and releases the reserved balance.',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    params: WithdrawalPath,
    body: RejectionRequest,
    responses: { 200: Type.Object({ withdrawal: Withdrawal }) },
    errors: APPROVAL_ERRORS,
    example: {
      params: { id: ID },
      body: { totpCode: '492039', reason: 'The customer asked for another address.' },
      answers: { 200: { withdrawal: { ...WAITING, ...CANCELLED } } },
    },
  },
  postWithdrawalsApprove: {
    method: 'POST',
    path: '/withdrawals/approve',
    tag: 'Withdrawals',
    summary: 'Approves several withdrawals with one one-time code',
    description: '`refused` lists the withdrawals that were not approved, with the reason.',
    credential: 'bearer',
    permission: 'approveWithdrawals',
    body: ApprovalsRequest,
    responses: {
      200: Type.Object({
        withdrawals: Type.Array(Withdrawal),
        refused: Type.Array(RefusedApproval),
      }),
    },
    errors: ['INVALID_TOTP'],
    example: {
      body: { ids: [ID, OTHER_ID], totpCode: '492039' },
      answers: {
        200: {
          withdrawals: [{ ...WAITING, status: 'Pending' }],
          refused: [
            {
              id: OTHER_ID,
              error: 'WITHDRAWAL_NOT_FOUND',
              message: 'No withdrawal of your organization has this id.',
            },
          ],
        },
      },
    },
  },
} as const satisfies Record<string, Operation>
