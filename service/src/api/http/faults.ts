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

/**
 * What goes out for an error, and how loudly its cause is logged; a refusal's cause stands in its
 * code.
 */
export interface Fault {
  status: number
  headers: Readonly<Record<string, string>>
  body: ErrorBody
  level: 'silent' | 'warn' | 'error'
}

/** What a client is asked to wait where nobody knows better, in seconds. */
const RETRY_AFTER_SECONDS = 5

/**
 * The answer to whatever was thrown (section 7, decisions, 4). A refusal and an outage have their
 * codes; what the framework refuses is BAD_REQUEST; anything else is ours, told as `failure` and
 * with nothing of its inside.
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

/** A malformed request: `field` names the part of it that is wrong, `says` what it should be. */
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
  given: {
    status?: number
    message?: string
    details: Record<string, unknown>
    headers?: Record<string, string>
    level: Fault['level']
  },
): Fault {
  const [statusOfCode] = ERRORS[code]
  const { status = statusOfCode, message = messageOf(ERRORS[code]), headers = {}, level } = given
  const details = { ...given.details, docUrl: docUrlOf(code) }
  return { status, headers, body: { error: code, message, statusCode: status, details }, level }
}

/** Whoever refuses for a while says for how long (decisions, section 4). */
function waitOf({ retryAfterSeconds }: Refusal['details']): Record<string, string> {
  return typeof retryAfterSeconds === 'number' ? retryAfter(retryAfterSeconds * 1000) : {}
}

function retryAfter(ms: number | null): Record<string, string> {
  const seconds = ms === null ? RETRY_AFTER_SECONDS : Math.max(1, Math.ceil(ms / 1000))
  return { 'retry-after': String(seconds) }
}

/**
 * What the framework found wrong with a request; its statuses 413, 414 and 415 are none of section
 * 7.2.
 */
function malformedBy(error: unknown): Refusal | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  const { statusCode } = error
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return badRequest('body', 'The body is larger than 64 KiB. Send less.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return badRequest('content-type', 'The body must be JSON: content-type application/json.')
  if (code === 'FST_ERR_BAD_URL')
    return badRequest('path', 'The path has an escape that is no UTF-8. Escape the bytes of UTF-8.')
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return badRequest('path', 'A part of the path is too long: nothing has such an id.')
  return badRequest('request', 'The request could not be read. Send it as HTTP has it.')
}
