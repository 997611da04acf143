/**
 * Every error code of the interface (section 7.3): its status (decisions, section 4), what is wrong
 * and what to do. The error catalogue is generated from this table.
 */
export const ERRORS = {
  BAD_REQUEST: [400, 'The request is malformed.', 'details.field names the part that is wrong.'],
  MISSING_DESTINATION_TAG: [
    400,
    'The recipient requires a destination tag.',
    'Send it as memo, or send the X-address that includes it.',
  ],
  UNAUTHORIZED: [
    401,
    'Credentials are missing or invalid.',
    'Send the header x-api-key or a bearer token.',
  ],
  INVALID_API_KEY: [
    401,
    'The API key is unknown, revoked or expired.',
    'Use the current key; an admin creates a new one with PATCH /organisation/api-key.',
  ],
  INVALID_TOTP: [
    401,
    'The one-time code is wrong, expired or already used.',
    'Send the current code of the authenticator app; each code works once.',
  ],
  INVALID_PASSKEY: [
    401,
    'The passkey was not accepted.',
    'details.reason says why. Use the passkey again, or send a one-time code.',
  ],
  INVALID_INVITATION: [
    401,
    'The invitation is unknown, expired, withdrawn or already accepted.',
    'Ask an admin of your organization for a new invitation.',
  ],
  FORBIDDEN: [
    403,
    'These credentials lack a permission.',
    'details.required names the permission that is needed, details.scope the scope of an API key.',
  ],
  NOT_FOUND: [404, 'No such endpoint or record.', 'Check the method, the path and the id in it.'],
  WITHDRAWAL_NOT_FOUND: [
    404,
    'No withdrawal of your organization has this id.',
    'GET /withdrawals?reference= finds a withdrawal by your own reference.',
  ],
  INVALID_TOKEN: [422, 'The token id is unknown.', 'GET /tokens lists the known tokens.'],
  INVALID_CHAIN: [
    422,
    'The chain id is unknown.',
    'details.supportedChains lists the known chains.',
  ],
  CHAIN_NOT_ENABLED: [
    422,
    'The chain is not enabled for your organization.',
    'GET /chains?enabledOnly=false says who must enable it: an admin of your organization, or an ' +
      'operator of the service.',
  ],
  TOKEN_NOT_ENABLED: [
    422,
    'The token is not enabled for your organization.',
    'GET /tokens?enabledOnly=false says who must enable it: an admin of your organization, or an ' +
      'operator of the service.',
  ],
  INVALID_TOKEN_CHAIN: [
    422,
    'The token does not belong to the chain.',
    'Send the chain id at the beginning of the token id.',
  ],
  INVALID_USER_ID: [
    422,
    'The user id must be 1 to 255 printable characters.',
    'It must not be only white space and must not contain control characters.',
  ],
  DUPLICATE_DEPOSIT: [
    422,
    'The deposit is already recorded.',
    'No action is needed: it is counted once.',
  ],
  INVALID_ADDRESS: [
    422,
    'The address is not valid for the chain.',
    'Compare the address and its checksum with its source.',
  ],
  INVALID_RECIPIENT_ADDRESS: [
    422,
    'The recipient is not an address that can be paid on this chain.',
    'details.reason says what is wrong. Compare the address and its checksum with its source.',
  ],
  INVALID_AMOUNT: [
    422,
    'The amount must be a positive integer of base units.',
    'Send a string of decimal digits without sign, point or leading zeros, at most 2^256-1.',
  ],
  INSUFFICIENT_BALANCE: [
    422,
    'The available balance does not cover the amount and its fees.',
    'Compare details.available with details.required; withdraw less, or wait for deposits.',
  ],
  INSUFFICIENT_CONFIRMED_BALANCE: [
    422,
    'Part of the balance is not confirmed yet.',
    'Retry after the deposits are confirmed.',
  ],
  INSUFFICIENT_GAS: [
    422,
    'The gas wallet cannot pay the fees.',
    'Send native currency to the address that GET /gas-station returns.',
  ],
  INSUFFICIENT_APPROVALS: [
    422,
    'More approvals are needed before this can be processed.',
    'Other approvers must approve it.',
  ],
  DUPLICATE_REFERENCE: [
    422,
    'The reference is already used.',
    'details.existingWithdrawalId names its withdrawal. If details.sameParameters is true, this ' +
      'is your request from before a lost response; otherwise use another reference.',
  ],
  WITHDRAWAL_NOT_PENDING: [
    422,
    'The withdrawal is no longer pending.',
    'GET /withdrawals/<id> returns its status.',
  ],
  WITHDRAWAL_ALREADY_PROCESSED: [
    422,
    'The withdrawal is already processed and cannot be changed.',
    'GET /withdrawals/<id> returns its status.',
  ],
  WITHDRAWAL_NOT_REPLACEABLE: [
    422,
    'The transaction of the withdrawal cannot be replaced by one with a higher fee now.',
    'details.reason says why, as speedUp.reason of GET /withdrawals/<id> does.',
  ],
  WITHDRAWAL_BELOW_MINIMUM: [
    422,
    'The amount is below the minimum of the token.',
    'Withdraw at least details.minimum.',
  ],
  WITHDRAWAL_ABOVE_MAXIMUM: [
    422,
    'The amount is above the maximum of the token.',
    'Withdraw at most details.maximum at a time.',
  ],
  INVALID_WEBHOOK_URL: [
    422,
    'Events cannot be sent to the webhook URL.',
    'Set a public HTTPS URL; details.reason says what is wrong.',
  ],
  INVALID_MIN_SIGNERS: [
    422,
    'The number of signers is out of range.',
    'Send an integer from details.minimum to details.maximum, the number of signers.',
  ],
  LAST_ADMIN: [
    422,
    'The organization would be left without an admin who can sign in.',
    'Give another user the role admin first.',
  ],
  PASSKEYS_NOT_CONFIGURED: [
    422,
    'Passkeys are not set up on this installation.',
    'Send a one-time code. The operator of the service sets SLUICE_PUBLIC_URL.',
  ],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests.', 'Retry after the seconds in Retry-After.'],
  INTERNAL_ERROR: [
    500,
    'The service failed unexpectedly.',
    'Retry later, and include details.requestId in a report.',
  ],
  FAILED_TO_CREATE_DEPOSIT_ACCOUNT: [
    500,
    'The deposit address could not be created.',
    'Retry, and include details.requestId in a report.',
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'A dependency of this request is not available.',
    'Retry after the seconds in Retry-After. details.reason says what is missing, if it is known.',
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

/** The message of an error: what is wrong and what to do. */
export function messageOf([, happened, mend]: readonly [
  status: number,
  happened: string,
  mend: string,
]): string {
  return `${happened} ${mend}`
}

/** The address of a code in the error catalogue, relative to the base address. */
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
