/**
 * Every error code of the interface (section 7.3) with its status (decisions, section 4) and its
 * message, which says what happened and what to do. Nowhere else in the product stands a status or
 * a message of an error.
 */
export const ERRORS = {
  BAD_REQUEST: [
    400,
    'The request is malformed. Compare its body and parameters with the documentation.',
  ],
  MISSING_DESTINATION_TAG: [400, 'The recipient requires a destination tag. Give it as memo.'],
  UNAUTHORIZED: [
    401,
    'Credentials are missing or invalid. Send the header x-api-key or a bearer token.',
  ],
  INVALID_API_KEY: [401, 'The API key is unknown or has been rotated. Use the current key.'],
  INVALID_TOTP: [
    401,
    'The two-factor code is wrong, expired or used before. Enter the current code.',
  ],
  FORBIDDEN: [403, 'These credentials may not do this. details.required names the permission.'],
  NOT_FOUND: [404, 'There is nothing under this method and path.'],
  WITHDRAWAL_NOT_FOUND: [404, 'No withdrawal of your organization has this id.'],
  INVALID_TOKEN: [422, 'The token id is not known here. GET /tokens lists those that are.'],
  INVALID_CHAIN: [
    422,
    'The chain id is not known here. details.supportedChains lists those that are.',
  ],
  CHAIN_NOT_ENABLED: [422, 'The chain is not enabled for your organization.'],
  TOKEN_NOT_ENABLED: [422, 'The token is not enabled for your organization.'],
  INVALID_TOKEN_CHAIN: [422, 'The token does not belong to the chain.'],
  INVALID_USER_ID: [422, 'The user id must have 1 to 255 characters and no control characters.'],
  DUPLICATE_DEPOSIT: [422, 'The deposit has been recorded before.'],
  INVALID_ADDRESS: [422, 'The address is not valid for the chain.'],
  INVALID_RECIPIENT_ADDRESS: [422, 'The recipient is not a valid address of the chain.'],
  INVALID_AMOUNT: [422, 'The amount must be a string of decimal digits above zero, in base units.'],
  INSUFFICIENT_BALANCE: [422, 'The available balance does not cover the amount and its fees.'],
  INSUFFICIENT_CONFIRMED_BALANCE: [
    422,
    'Part of the balance is not confirmed yet. Try again later.',
  ],
  INSUFFICIENT_GAS: [422, 'The gas wallet cannot pay the fees. Send native currency to it.'],
  INSUFFICIENT_APPROVALS: [422, 'More approvals are needed before this can be processed.'],
  DUPLICATE_REFERENCE: [
    422,
    'The reference is taken. details.existingWithdrawalId names its withdrawal.',
  ],
  WITHDRAWAL_NOT_PENDING: [422, 'The withdrawal is no longer pending.'],
  WITHDRAWAL_ALREADY_PROCESSED: [422, 'The withdrawal has been processed and cannot be changed.'],
  WITHDRAWAL_BELOW_MINIMUM: [422, 'The amount is below the minimum of the token.'],
  WITHDRAWAL_ABOVE_MAXIMUM: [422, 'The amount is above the maximum of the token.'],
  INVALID_WEBHOOK_URL: [422, 'The webhook URL must be a public HTTPS address.'],
  INVALID_MIN_SIGNERS: [
    422,
    'The number of signers must be between 1 and the number of signers you have.',
  ],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests. Try again after the seconds in Retry-After.'],
  INTERNAL_ERROR: [
    500,
    'Something failed on our side. Quote details.requestId when you report it.',
  ],
  FAILED_TO_CREATE_DEPOSIT_ACCOUNT: [500, 'The deposit address could not be made. Try again.'],
  SERVICE_UNAVAILABLE: [503, 'A part this request needs is away. Try again shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof ERRORS

/**
 * INVALID_TOKEN has two meanings (section 5): in the table above an unknown token id, here an
 * access token that is expired or invalid, which is a matter of credentials and so a 401
 * (decisions, section 4).
 */
export const INVALID_SESSION = [
  401,
  'The access token is expired or invalid. Sign in again.',
] as const satisfies readonly [status: number, message: string]

/** The body of every error (section 7.1). */
export interface ErrorBody {
  error: ErrorCode
  message: string
  statusCode: number
  details?: Record<string, unknown>
}
