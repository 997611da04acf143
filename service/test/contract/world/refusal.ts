import { expect } from 'vitest'
import type { Answer } from './ask.ts'

/** Every code of section 7.3 and of decisions, section 4, with its status there. */
export const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  MISSING_DESTINATION_TAG: 400,
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  INVALID_TOTP: 401,
  INVALID_PASSKEY: 401,
  INVALID_INVITATION: 401,
  FORBIDDEN: 403,
  WITHDRAWAL_NOT_FOUND: 404,
  NOT_FOUND: 404,
  INVALID_TOKEN: 422,
  INVALID_CHAIN: 422,
  CHAIN_NOT_ENABLED: 422,
  TOKEN_NOT_ENABLED: 422,
  INVALID_USER_ID: 422,
  DUPLICATE_DEPOSIT: 422,
  INSUFFICIENT_BALANCE: 422,
  INVALID_ADDRESS: 422,
  INVALID_RECIPIENT_ADDRESS: 422,
  INVALID_AMOUNT: 422,
  INVALID_TOKEN_CHAIN: 422,
  DUPLICATE_REFERENCE: 422,
  WITHDRAWAL_NOT_PENDING: 422,
  WITHDRAWAL_NOT_REPLACEABLE: 422,
  WITHDRAWAL_BELOW_MINIMUM: 422,
  WITHDRAWAL_ABOVE_MAXIMUM: 422,
  INSUFFICIENT_APPROVALS: 422,
  WITHDRAWAL_ALREADY_PROCESSED: 422,
  INSUFFICIENT_GAS: 422,
  INSUFFICIENT_CONFIRMED_BALANCE: 422,
  INVALID_WEBHOOK_URL: 422,
  INVALID_MIN_SIGNERS: 422,
  LAST_ADMIN: 422,
  PASSKEYS_NOT_CONFIGURED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  FAILED_TO_CREATE_DEPOSIT_ACCOUNT: 500,
  SERVICE_UNAVAILABLE: 503,
}

/** INVALID_TOKEN has two meanings (section 5, rule 5). */
export const INVALID_SESSION_STATUS = 401

/** Violations of section 7.1 and decisions, section 4; empty for a valid answer. */
export function wrongsOfRefusal({ status, headers, json }: Answer): string[] {
  const { error, message, statusCode, details } = json
  const known = STATUS_BY_CODE[String(error)]
  const isSession = error === 'INVALID_TOKEN' && status === INVALID_SESSION_STATUS
  const { requestId, docUrl } = Object(details) as Record<string, unknown>
  const others = Object.keys(json).filter(
    (key) => !['error', 'message', 'statusCode', 'details'].includes(key),
  )
  const laws: [holds: boolean, law: string][] = [
    [known !== undefined, `${String(error)} is a code`],
    [known === status || isSession, `${String(error)} has the status ${status}`],
    [statusCode === status, 'statusCode repeats the status'],
    [typeof message === 'string' && message.length >= 10, 'there is a message'],
    [others.length === 0, `there is no ${others.join()}`],
    [requestId === headers['x-request-id'], 'details.requestId repeats x-request-id'],
    [docUrl === `/docs/errors#${String(error)}`, 'details.docUrl names the anchor'],
    [isJson(headers['content-type']), 'it is JSON'],
    [status !== 429 || /^[1-9]\d*$/.test(headers['retry-after'] ?? ''), 'Retry-After is there'],
  ]
  return laws.filter(([holds]) => !holds).map(([, law]) => law)
}

function isJson(type: string | undefined): boolean {
  return type?.startsWith('application/json') === true
}

/** The answer is a refusal with this code, as documented in every part. */
export function expectRefusal(
  answer: Answer,
  code: string,
  details: Record<string, unknown> = {},
): void {
  const { status, json } = answer
  expect({ status, json }).toMatchObject({ json: { error: code } })
  expect(wrongsOfRefusal(answer)).toEqual([])
  expect(json['details']).toMatchObject(details)
}
