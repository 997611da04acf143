/**
 * Every error code of the interface (section 7.3): its status (decisions, section 4), what happened
 * and what to do. Nowhere else in the product stands a status or a message of an error; the error
 * catalogue is made from this table.
 */
export const ERRORS = {
  BAD_REQUEST: [
    400,
    'The request is malformed.',
    'details.field names the part. Compare body and parameters with the documentation.',
  ],
  MISSING_DESTINATION_TAG: [
    400,
    'The recipient requires a destination tag.',
    'Give it as memo, or give the X-address that carries it.',
  ],
  UNAUTHORIZED: [
    401,
    'Credentials are missing or invalid.',
    'Send the header x-api-key or a bearer token.',
  ],
  INVALID_API_KEY: [
    401,
    'The API key is unknown or has been rotated.',
    'Use the current key; an admin makes a new one with PATCH /organisation/api-key.',
  ],
  INVALID_TOTP: [
    401,
    'The two-factor code is wrong, expired or used before.',
    'Enter the code that is shown now; each works once.',
  ],
  FORBIDDEN: [
    403,
    'These credentials may not do this.',
    'details.required names the permission; ask somebody who has it.',
  ],
  NOT_FOUND: [
    404,
    'There is nothing here under this method and path.',
    'Check both, and the id in it, with the documentation.',
  ],
  WITHDRAWAL_NOT_FOUND: [
    404,
    'No withdrawal of your organization has this id.',
    'GET /withdrawals?reference= finds one by your own reference.',
  ],
  INVALID_TOKEN: [422, 'The token id is not known here.', 'GET /tokens lists those that are.'],
  INVALID_CHAIN: [
    422,
    'The chain id is not known here.',
    'details.supportedChains lists those that are.',
  ],
  CHAIN_NOT_ENABLED: [
    422,
    'The chain is not enabled for your organization.',
    'GET /chains lists those that are; an operator of the service can enable it.',
  ],
  TOKEN_NOT_ENABLED: [
    422,
    'The token is not enabled for your organization.',
    'GET /tokens lists those that are; an operator of the service can enable it.',
  ],
  INVALID_TOKEN_CHAIN: [
    422,
    'The token does not belong to the chain.',
    'Send the chain id that the token id begins with.',
  ],
  INVALID_USER_ID: [
    422,
    'The user id is none.',
    'Send 1 to 255 characters, not white space alone, without control characters.',
  ],
  DUPLICATE_DEPOSIT: [
    422,
    'The deposit has been recorded before.',
    'There is nothing to do: it is counted once.',
  ],
  INVALID_ADDRESS: [
    422,
    'The address is not valid for the chain.',
    'Check it, with its checksum, where it came from.',
  ],
  INVALID_RECIPIENT_ADDRESS: [
    422,
    'The recipient is not an address of the chain that can be paid.',
    'Check it, with its checksum, where it came from; details.reason says what is wrong.',
  ],
  INVALID_AMOUNT: [
    422,
    'The amount is not a whole number of base units above zero.',
    'Send a string of decimal digits, without a sign, a point or leading zeros, at most 2^256-1.',
  ],
  INSUFFICIENT_BALANCE: [
    422,
    'The available balance does not cover the amount and its fees.',
    'Compare details.available with details.required; withdraw less, or wait for deposits.',
  ],
  INSUFFICIENT_CONFIRMED_BALANCE: [
    422,
    'Part of the balance is not confirmed yet.',
    'Wait for confirmations, then try again.',
  ],
  INSUFFICIENT_GAS: [
    422,
    'The gas wallet cannot pay the fees.',
    'Send native currency to it; GET /gas-station has its address.',
  ],
  INSUFFICIENT_APPROVALS: [
    422,
    'More approvals are needed before this can be processed.',
    'Ask others who may to approve it.',
  ],
  DUPLICATE_REFERENCE: [
    422,
    'The reference is taken.',
    'details.existingWithdrawalId names its withdrawal. Where details.sameParameters is true it ' +
      'is the one you asked for, after a lost answer; else choose another reference.',
  ],
  WITHDRAWAL_NOT_PENDING: [
    422,
    'The withdrawal is no longer pending.',
    'GET /withdrawals/<id> says what has become of it.',
  ],
  WITHDRAWAL_ALREADY_PROCESSED: [
    422,
    'The withdrawal has been processed and cannot be changed.',
    'GET /withdrawals/<id> says what has become of it.',
  ],
  WITHDRAWAL_BELOW_MINIMUM: [
    422,
    'The amount is below the minimum of the token.',
    'Withdraw at least details.minimum.',
  ],
  WITHDRAWAL_ABOVE_MAXIMUM: [
    422,
    'The amount is above the maximum of the token.',
    'Withdraw at most details.maximum, or in parts.',
  ],
  INVALID_WEBHOOK_URL: [
    422,
    'The webhook URL is none that events can be sent to.',
    'Set a public HTTPS address; details.reason says what is wrong.',
  ],
  INVALID_MIN_SIGNERS: [
    422,
    'The number of signers is out of range.',
    'Send a whole number from details.minimum to details.maximum, the signers that you have.',
  ],
  RATE_LIMIT_EXCEEDED: [
    429,
    'Too many requests.',
    'Wait the seconds in Retry-After, then try again.',
  ],
  INTERNAL_ERROR: [
    500,
    'Something failed on our side.',
    'Try again later, and quote details.requestId when you report it.',
  ],
  FAILED_TO_CREATE_DEPOSIT_ACCOUNT: [
    500,
    'The deposit address could not be made.',
    'Try again; quote details.requestId when you report it.',
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'A part that this request needs is not available yet, or is away.',
    'Wait the seconds in Retry-After, then try again. If details.reason says what is missing, ' +
      'the message says what to do about it.',
  ],
} as const satisfies Record<string, readonly [status: number, happened: string, mend: string]>

export type ErrorCode = keyof typeof ERRORS

/**
 * INVALID_TOKEN has two meanings (section 5): in the table above an unknown token id, here an
 * access token that is expired or invalid, which is a matter of credentials and so a 401
 * (decisions, section 4).
 */
export const INVALID_SESSION = [
  401,
  'The access token is expired or invalid.',
  'Sign in again with POST /auth/login.',
] as const satisfies readonly [status: number, happened: string, mend: string]

/** What happened and what to do. */
export function messageOf([, happened, mend]: readonly [
  status: number,
  happened: string,
  mend: string,
]): string {
  return `${happened} ${mend}`
}

/** Where the error catalogue speaks of a code, relative to the base address. */
export function docUrlOf(code: ErrorCode): string {
  return `/docs/errors#${code}`
}

/** The body of every error (section 7.1). */
export interface ErrorBody {
  error: ErrorCode
  message: string
  statusCode: number
  details?: Record<string, unknown>
}
