import type { ErrorCode } from './generated.ts'

/** The fields of `details` in addition to `requestId` and `docUrl`. */
export interface ErrorDetails {
  BAD_REQUEST: { field?: string }
  FORBIDDEN: { required?: string }
  DUPLICATE_REFERENCE: { existingWithdrawalId: string; sameParameters: boolean }
  INVALID_CHAIN: { providedChainId: string; supportedChains: string[] }
  INVALID_TOKEN_CHAIN: { tokenId: string; chainId: string; tokenChainId: string }
  INVALID_AMOUNT: { provided: string }
  INVALID_MIN_SIGNERS: { provided: number; minimum: number; maximum: number }
  INVALID_RECIPIENT_ADDRESS: { chainId: string; reason: string }
  INVALID_WEBHOOK_URL: { reason: string }
  INSUFFICIENT_BALANCE: { available: string; required: string }
  INSUFFICIENT_CONFIRMED_BALANCE: {
    chainId: string
    totalBalance: string
    confirmedBalance: string
    unconfirmedBalance: string
  }
  INSUFFICIENT_GAS: {
    chainId: string
    gasWalletBalance: string
    estimatedGasNeeded: string
    nativeToken: string
  }
  MISSING_DESTINATION_TAG: { chainId: string; toAddress: string }
  RATE_LIMIT_EXCEEDED: { retryAfterSeconds?: number }
  WITHDRAWAL_ABOVE_MAXIMUM: { provided: string; maximum: string }
  WITHDRAWAL_BELOW_MINIMUM: { provided: string; minimum: string }
  WITHDRAWAL_NOT_PENDING: { id: string; status: string }
}

/** The details of an error, by its code. */
export type DetailsOf<Code extends ErrorCode> = Readonly<Record<string, unknown>> &
  Readonly<Code extends keyof ErrorDetails ? ErrorDetails[Code] : unknown>

/** The service refused the request; `code` is the reason (section 7 of the interface). */
export class SluiceError extends Error {
  override readonly name = 'SluiceError'
  /** A newer service may send a code that is not in this list. */
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  /** Identifies the request in the service's log. */
  readonly requestId: string | null
  /** The page of the service's documentation that explains the code. */
  readonly docUrl: string | null
  /** The wait that the service requests before the next attempt. */
  readonly retryAfterSeconds: number | null

  constructor(fields: {
    code: ErrorCode
    message: string
    status: number
    details: Readonly<Record<string, unknown>>
    requestId: string | null
    docUrl: string | null
    retryAfterSeconds: number | null
  }) {
    super(fields.message)
    this.code = fields.code
    this.status = fields.status
    this.details = fields.details
    this.requestId = fields.requestId
    this.docUrl = fields.docUrl
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/**
 * No answer came: the network failed, or `timeoutMs` went by. Whether the service has done what it
 * was asked to do is not known. `cause` has what `fetch` threw.
 */
export class SluiceNetworkError extends Error {
  override readonly name = 'SluiceNetworkError'
  readonly reason: 'network' | 'timeout'

  constructor(reason: 'network' | 'timeout', message: string, cause: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/**
 * An answer came, and not from Sluice: a proxy's page, a redirect, half a body. Whether the service
 * has done what it was asked to do is not known.
 */
export class SluiceAnswerError extends Error {
  override readonly name = 'SluiceAnswerError'
  readonly status: number
  /** The beginning of what came. */
  readonly excerpt: string
  readonly retryAfterSeconds: number | null

  constructor(fields: {
    status: number
    message: string
    excerpt: string
    retryAfterSeconds: number | null
  }) {
    super(fields.message)
    this.status = fields.status
    this.excerpt = fields.excerpt
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/**
 * Whether something thrown is a refusal of the service and, with a code, whether it is that one;
 * its `details` then have their type.
 *
 *     if (isSluiceError(error, 'INSUFFICIENT_BALANCE')) show(error.details.available)
 */
export function isSluiceError(error: unknown): error is SluiceError
export function isSluiceError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is SluiceError & { code: Code; details: DetailsOf<Code> }
export function isSluiceError(error: unknown, ...codes: readonly ErrorCode[]): boolean {
  return error instanceof SluiceError && (codes.length === 0 || codes.includes(error.code))
}
