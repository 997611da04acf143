import { SluiceAnswerError, SluiceError } from './errors.ts'
import type { ErrorCode } from './generated.ts'
import { readRetryAfter } from './retry.ts'

const EXCERPT_LENGTH = 200

/** An answer as it came over the network, read to its end. */
export interface RawAnswer {
  status: number
  headers: { get(name: string): string | null }
  text: string
}

/**
 * Returns the body of a successful answer: 2xx or one of the `accepted` statuses. Throws a
 * SluiceError for a refusal of the service, and a SluiceAnswerError for any other answer.
 */
export function readAnswer(
  answer: RawAnswer,
  context: { baseUrl: string; now: number; accepted?: readonly number[] },
): unknown {
  const body = parseJson(answer.text)
  const isSuccess = answer.status >= 200 && answer.status < 300
  if ((isSuccess || context.accepted?.includes(answer.status)) && isRecord(body)) return body
  throw toError(answer, body, context)
}

function toError(
  answer: RawAnswer,
  body: unknown,
  { baseUrl, now }: { baseUrl: string; now: number },
): SluiceError | SluiceAnswerError {
  const { status, headers, text } = answer
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), now)
  if (!isErrorBody(body)) {
    const excerpt = text.slice(0, EXCERPT_LENGTH)
    const message = `answer ${status} is not from Sluice: ${JSON.stringify(excerpt)}`
    return new SluiceAnswerError({ status, message, excerpt, retryAfterSeconds })
  }
  const details = isRecord(body.details) ? body.details : {}
  return new SluiceError({
    code: body.error as ErrorCode,
    message: `${body.error}: ${body.message}`,
    status,
    details,
    requestId: textOf(details['requestId']) ?? headers.get('x-request-id'),
    docUrl: absolute(textOf(details['docUrl']), baseUrl),
    retryAfterSeconds,
  })
}

function isErrorBody(body: unknown): body is { error: string; message: string; details?: unknown } {
  return isRecord(body) && typeof body['error'] === 'string' && typeof body['message'] === 'string'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function absolute(url: string | null, baseUrl: string): string | null {
  return url?.startsWith('/') ? `${baseUrl}${url}` : url
}
