import { type ErrorCode, OPERATIONS, type Operation, type OperationName } from '@sluice/wire'

/** What is said of an operation besides its shapes. */
export interface Notes {
  tag: Tag
  description: string
  /** What it refuses with beyond what every operation may. */
  codes: readonly ErrorCode[]
}

/** The parts of the interface, in their order. */
export const TAGS = {
  Authentication: 'People sign in; servers have an API key.',
  Organization: 'The organization and its settings.',
  Deposits: 'Deposit addresses, and what was paid to them.',
  Withdrawals: 'Payments to addresses outside, and their approvals.',
  Catalogue: 'Chains and tokens.',
  Balances: 'What the organization holds.',
  Events: 'What was told to the webhook, and how that went.',
  Health: 'For load balancers and monitors. Not limited.',
} as const

export type Tag = keyof typeof TAGS

const LIST =
  'Complete and newest first without `limit` and `cursor`, however long it is: it is streamed. ' +
  'With one of them, a page; `nextCursor` leads to the next.'
const FILTERED: readonly ErrorCode[] = ['INVALID_USER_ID']
const APPROVAL: readonly ErrorCode[] = [
  'INVALID_TOTP',
  'WITHDRAWAL_NOT_FOUND',
  'WITHDRAWAL_NOT_PENDING',
  'WITHDRAWAL_ALREADY_PROCESSED',
]

export const NOTES = {
  postLogin: {
    tag: 'Authentication',
    description:
      'The access token is valid for `expiresIn` seconds and ends earlier with a change of the ' +
      'password, of the two-factor secret or of the person. Ten failures in a row lock the name ' +
      'for 15 minutes.',
    codes: ['UNAUTHORIZED', 'INVALID_TOTP', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
  },
  getProfile: {
    tag: 'Authentication',
    description: 'The person whose session this is, with the role that says what they may do.',
    codes: [],
  },
  patchApiKey: {
    tag: 'Authentication',
    description:
      'The new key is shown this once. Requests with the one before are refused. Takes a fresh ' +
      'two-factor code.',
    codes: ['INVALID_TOTP'],
  },
  getOrganisation: {
    tag: 'Organization',
    description:
      'The secret that signs deliveries is whole for the API key, and for an admin who sends a ' +
      'fresh two-factor code in the header `x-totp-code`; others see its last four characters.',
    codes: ['INVALID_TOTP'],
  },
  patchWebhook: {
    tag: 'Organization',
    description:
      'It must lead to a public address over HTTPS; `details.reason` says what is wrong. What ' +
      'waits to be delivered goes to the new URL. A person sends a fresh two-factor code.',
    codes: ['INVALID_TOTP', 'INVALID_WEBHOOK_URL'],
  },
  patchSigningSecret: {
    tag: 'Organization',
    description:
      '`x-webhook-signature` is made with the new secret at once; `webhook-signature` carries ' +
      'signatures of both for 24 hours. A person sends a fresh two-factor code.',
    codes: ['INVALID_TOTP'],
  },
  patchMinWithdrawalSigners: {
    tag: 'Organization',
    description:
      '1 to the number of people who may approve. Withdrawals that were created keep what they ' +
      'needed then. A person sends a fresh two-factor code.',
    codes: ['INVALID_TOTP', 'INVALID_MIN_SIGNERS'],
  },
  getDepositAddress: {
    tag: 'Deposits',
    description:
      'One for each end user and chain; it takes every token of the chain. 201 where it was made ' +
      'by this request, 200 where it was there. On XRPL payments must carry the destination tag.',
    codes: [
      'INVALID_CHAIN',
      'CHAIN_NOT_ENABLED',
      'INVALID_TOKEN',
      'INVALID_TOKEN_CHAIN',
      'TOKEN_NOT_ENABLED',
      'INVALID_USER_ID',
      'FAILED_TO_CREATE_DEPOSIT_ACCOUNT',
    ],
  },
  getPayments: {
    tag: 'Deposits',
    description: `Of all end users on all chains. ${LIST}`,
    codes: FILTERED,
  },
  getUserDeposits: {
    tag: 'Deposits',
    description:
      `${LIST} Of the users \`.\` and \`..\` ask with \`GET /payments?userId=\`: most clients ` +
      'take such a part out of a path, encoded or not.',
    codes: FILTERED,
  },
  getPaymentsTrace: {
    tag: 'Deposits',
    description:
      'For support: paste the hash that your user has. `steps` tells what holds for the ' +
      'transaction, `payments` what became of each payment in it that concerns you.',
    codes: ['INVALID_CHAIN'],
  },
  getAccounts: { tag: 'Deposits', description: LIST, codes: FILTERED },
  getWithdrawals: { tag: 'Withdrawals', description: LIST, codes: FILTERED },
  postWithdrawals: {
    tag: 'Withdrawals',
    description:
      'The amount is set aside at once. With one signer it is paid without more ado, else it ' +
      'waits for approvals. A lost answer is no harm: the same `reference` again is ' +
      '`DUPLICATE_REFERENCE` with the id of the withdrawal there is, and `sameParameters`. A ' +
      'refused request does not use up its reference.',
    codes: [
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
    ],
  },
  getWithdrawal: {
    tag: 'Withdrawals',
    description:
      'Not wrapped, with its token. Read it before you approve: it is shown as it was asked for, ' +
      'or refused (`INTERNAL_ERROR`, `details.reason` `tampered`) where somebody changed it in ' +
      'the database; lists are not compared.',
    codes: ['WITHDRAWAL_NOT_FOUND'],
  },
  deleteWithdrawal: {
    tag: 'Withdrawals',
    description: 'While it is `Pending` or `PendingApproval`; what was set aside is free again.',
    codes: ['WITHDRAWAL_NOT_FOUND', 'WITHDRAWAL_NOT_PENDING'],
  },
  postWithdrawalApprove: {
    tag: 'Withdrawals',
    description:
      'The last approval that is needed makes it `Pending`. Approving twice changes nothing, and ' +
      'who asked for it is its first approver.',
    codes: APPROVAL,
  },
  postWithdrawalReject: {
    tag: 'Withdrawals',
    description: 'It becomes `Cancelled`, and what was set aside is free again.',
    codes: APPROVAL,
  },
  postWithdrawalsApprove: {
    tag: 'Withdrawals',
    description: 'Those that could not be approved stand in `refused`, with the reason.',
    codes: ['INVALID_TOTP'],
  },
  getChains: { tag: 'Catalogue', description: 'With what each needs to be final.', codes: [] },
  getChain: {
    tag: 'Catalogue',
    description: 'Whether or not it is enabled.',
    codes: ['INVALID_CHAIN'],
  },
  getTokens: {
    tag: 'Catalogue',
    description: 'With their smallest deposit and largest withdrawal.',
    codes: ['INVALID_CHAIN'],
  },
  getGasStation: {
    tag: 'Balances',
    description: 'Of the chains that have them: EVM chains and TRON. Asked of the chain itself.',
    codes: [],
  },
  getPortfolio: {
    tag: 'Balances',
    description:
      'One entry for each token and account. What is available, reserved, unconfirmed and ' +
      'unswept is the organization’s on that chain, and stands with its settlement account.',
    codes: [],
  },
  getEvents: {
    tag: 'Events',
    description:
      'A webhook may be down; this never forgets. To follow all that happens, ask with `after` ' +
      `and the last \`sequence\` you have: oldest first, without gaps. Else: ${LIST}`,
    codes: [],
  },
  getEvent: {
    tag: 'Events',
    description: 'With what was sent in each attempt, and what came back.',
    codes: [],
  },
  postEventRedeliver: {
    tag: 'Events',
    description:
      'At once, to the URL that is set now, whatever its delivery has come to. What is being ' +
      'sent at this moment is left to that, and what still waits for a URL that was replaced ' +
      'goes there. The `webhook-id` stays, so that a receiver knows what it had.',
    codes: ['INVALID_WEBHOOK_URL'],
  },
  postEventsRedeliver: {
    tag: 'Events',
    description: 'The filters of `GET /events`, at least one. `count` says how many are sent.',
    codes: ['INVALID_WEBHOOK_URL'],
  },
  postWebhookTest: {
    tag: 'Events',
    description:
      'A `webhook.test` event, signed as every other, sent once. `GET /events/{id}` shows how ' +
      'that went.',
    codes: ['INVALID_WEBHOOK_URL'],
  },
  getHealth: { tag: 'Health', description: 'Also by HEAD.', codes: [] },
  getReadiness: {
    tag: 'Health',
    description:
      '503 without the database, its schema or the keys. A chain that lags makes it `degraded`, ' +
      'which is 200. Also by HEAD.',
    codes: [],
  },
} as const satisfies Record<OperationName, Notes>

const KNOWN: readonly ErrorCode[] = ['UNAUTHORIZED', 'INVALID_API_KEY', 'INVALID_TOKEN']

/**
 * Everything that an operation may refuse with, each code with its status. INVALID_TOKEN is the
 * access token's at 401, a token id's at 422.
 */
export function refusalsOf(
  name: OperationName,
  statusOf: (code: ErrorCode) => number,
): { status: number; code: ErrorCode }[] {
  const operation: Operation = OPERATIONS[name]
  const { codes }: Notes = NOTES[name]
  const isOpen = operation.credential === 'none'
  const isForAll = operation.permission === 'read' && operation.credential === 'either'
  const own = codes.map((code) => ({ status: statusOf(code), code }))
  const common: ErrorCode[] = [
    'BAD_REQUEST',
    ...(isOpen || isForAll ? [] : (['FORBIDDEN'] as const)),
    ...(operation.params === undefined ? [] : (['NOT_FOUND'] as const)),
    ...(isOpen ? [] : (['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'] as const)),
    'INTERNAL_ERROR',
  ]
  return [
    ...(isOpen ? [] : KNOWN.map((code) => ({ status: 401, code }))),
    ...own,
    ...common.map((code) => ({ status: statusOf(code), code })),
  ].toSorted((a, b) => a.status - b.status)
}
