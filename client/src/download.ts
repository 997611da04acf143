import { type RawAnswer, readAnswer } from './answer.ts'
import { checkCallLimits } from './call-limits.ts'
import { SluiceAnswerError, SluiceNetworkError } from './errors.ts'
import { OPERATIONS } from './generated.ts'
import type { CallOptions, Input, OperationName } from './operation.ts'
import { urlOf } from './request.ts'
import { credentialHeader, type Deps } from './transport.ts'

/** A format of an export: CSV with a header line, or JSON Lines. */
export type ExportFormat = 'csv' | 'ndjson'

/** The options of an export; it is not repeated automatically. */
export type ExportOptions = Omit<CallOptions, 'retries'>

/** The bytes of an export as they arrive. Reading them fails if the export breaks off. */
export type ExportStream = ReadableStream<Uint8Array>

/** Starts the export of a list. All exports of a client use it. */
export type Download = (
  name: OperationName,
  format: ExportFormat,
  input?: Input,
  options?: ExportOptions,
) => Promise<ExportStream>

const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** Returns the function that starts a client's exports. `timeoutMs` is for their first byte. */
export function openDownload(deps: Deps): Download {
  return async (name, format, input = {}, { signal, timeoutMs = deps.timeoutMs } = {}) => {
    checkCallLimits({ timeoutMs, retries: 0 })
    const { baseUrl } = deps
    const [method, template] = OPERATIONS[name]
    const url = urlOf(baseUrl, template, input)
    const request = `${method} ${url.split('?')[0]}`
    const headers = { ...(await credentialHeader(deps)), accept: TYPES[format] }
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    const ended = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal])
    try {
      const answer = await deps.fetch(url, { method, headers, redirect: 'manual', signal: ended })
      const isExport = answer.headers.get('content-type')?.startsWith(TYPES[format]) === true
      if (answer.status === 200 && isExport && answer.body) return answer.body
      const { status, headers: answered } = answer
      return refuse({ status, headers: answered, text: await answer.text() }, baseUrl)
    } catch (error) {
      signal?.throwIfAborted()
      if (limit.signal.aborted)
        throw new SluiceNetworkError(
          'timeout',
          `no answer within ${timeoutMs} ms: ${request}`,
          error,
        )
      throw toNetworkError(error, request)
    } finally {
      clearTimeout(timer)
    }
  }
}

function refuse({ status, headers, text }: RawAnswer, baseUrl: string): never {
  readAnswer({ status, headers, text }, { baseUrl, now: Date.now() })
  const message = 'the service answered, but not with an export'
  throw new SluiceAnswerError({
    status,
    message,
    excerpt: text.slice(0, 200),
    retryAfterSeconds: null,
  })
}

/** `fetch` reports a failed connection as a TypeError. */
function toNetworkError(error: unknown, request: string): unknown {
  if (!(error instanceof TypeError)) return error
  return new SluiceNetworkError('network', `no answer: ${request}`, error)
}
