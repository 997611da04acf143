import {
  ERRORS,
  type ErrorBody,
  type ErrorCode,
  INVALID_SESSION,
  docUrlOf,
  messageOf,
} from '@sluice/wire'
import { codeOf, Outage, Refusal } from '../../base/fault.ts'
import { BadSession } from '../../orgs/caller.ts'

/** The response to an error, and the level at which its cause is logged. */
export interface Fault {
  status: number
  headers: Readonly<Record<string, string>>
  body: ErrorBody
  level: 'silent' | 'warn' | 'error'
}

/** The default of Retry-After, in seconds. */
const RETRY_AFTER_SECONDS = 5

/**
 * The response to a thrown error (section 7, decisions, 4). Refusals and outages have codes, errors
 * of the framework are BAD_REQUEST. Every other error is a bug: it returns `failure` and no
 * details.
 */
export function toFault(
  error: unknown,
  { requestId, failure = 'INTERNAL_ERROR' }: { requestId: string; failure?: ErrorCode },
): Fault {
  if (error instanceof Refusal) return refused(error, requestId)
  if (error instanceof BadSession) {
    const [status] = INVALID_SESSION
    const message = messageOf(INVALID_SESSION)
    return fault('INVALID_TOKEN', { status, message, details: { requestId }, level: 'silent' })
  }
  if (error instanceof Outage) {
    const headers = retryAfter(error.retryAfterMs)
    return fault('SERVICE_UNAVAILABLE', { details: { requestId }, headers, level: 'warn' })
  }
  const malformed = malformedBy(error)
  if (malformed !== null) return refused(malformed, requestId)
  return fault(failure, { details: { requestId }, level: 'error' })
}

/** A malformed request: `field` names the wrong part, `says` is the message. */
export function badRequest(
  field: string,
  says: string,
  details: Record<string, unknown> = {},
): Refusal {
  return new Refusal('BAD_REQUEST', { field, ...details }, says)
}

function refused({ code, says, details }: Refusal, requestId: string): Fault {
  const headers = { ...(ERRORS[code][0] === 503 && retryAfter(null)), ...waitOf(details) }
  const message = says ?? messageOf(ERRORS[code])
  return fault(code, { message, details: { ...details, requestId }, headers, level: 'silent' })
}

function fault(
  code: ErrorCode,
  response: {
    status?: number
    message?: string
    details: Record<string, unknown>
    headers?: Record<string, string>
    level: Fault['level']
  },
): Fault {
  const [statusOfCode] = ERRORS[code]
  const { status = statusOfCode, message = messageOf(ERRORS[code]), headers = {}, level } = response
  const details = { ...response.details, docUrl: docUrlOf(code) }
  return { status, headers, body: { error: code, message, statusCode: status, details }, level }
}

/** A refusal for a limited time sets Retry-After (decisions, section 4). */
function waitOf({ retryAfterSeconds }: Refusal['details']): Record<string, string> {
  return typeof retryAfterSeconds === 'number' ? retryAfter(retryAfterSeconds * 1000) : {}
}

function retryAfter(ms: number | null): Record<string, string> {
  const seconds = ms === null ? RETRY_AFTER_SECONDS : Math.max(1, Math.ceil(ms / 1000))
  return { 'retry-after': String(seconds) }
}

/** Errors of the framework; section 7.2 does not use its statuses 413, 414 and 415. */
function malformedBy(error: unknown): Refusal | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  const { statusCode } = error
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return badRequest('body', 'Request body is larger than 64 KiB.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return badRequest(
      'content-type',
      'Request body must be JSON, with the header content-type: application/json.',
    )
  if (code === 'FST_ERR_BAD_URL')
    return badRequest('path', 'Path contains an escape sequence that is not valid UTF-8.')
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return badRequest('path', 'A segment of the path is too long to be an id.')
  return badRequest('request', 'The request is not valid HTTP.')
}
