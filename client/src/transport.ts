import { readAnswer, type RawAnswer } from './answer.ts'
import { checkCallLimits } from './call-limits.ts'
import { SluiceError, SluiceNetworkError } from './errors.ts'
import { OPERATIONS } from './generated.ts'
import type { Answer, CallOptions, Input, OperationName } from './operation.ts'
import { bodyOf, checkCredential, urlOf } from './request.ts'
import { isRepeatable, leavesDoubt, waitBeforeRetry } from './retry.ts'

/** A credential, or a function that returns the current one before each attempt. */
export type Credential = string | (() => string | Promise<string>)

/** The part of `fetch` that the client uses. */
export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    redirect: 'manual'
    signal: AbortSignal
  },
) => Promise<{
  status: number
  headers: { get(name: string): string | null }
  text(): Promise<string>
  /** Needed by exports only. */
  body?: ReadableStream<Uint8Array> | null
}>

/** The outcome of one attempt, for logs and metrics. */
export interface RequestReport {
  operation: OperationName
  method: string
  url: string
  /** 0 for the first, 1 for the first retry. */
  attempt: number
  durationMs: number
  /** Null if there was no answer. */
  status: number | null
  requestId: string | null
}

/** The settings and dependencies of a client. */
export interface Deps {
  baseUrl: string
  credential: { kind: 'apiKey' | 'accessToken'; value: Credential } | null
  fetch: Fetch
  retries: number
  timeoutMs: number
  onRequest: ((report: RequestReport) => void) | null
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  random: () => number
}

/** Options that only some operations need. */
export interface Extras<Name extends OperationName> {
  /** Statuses outside 2xx that are successful answers. */
  accepted?: readonly number[]
  /**
   * Checks a refusal after an attempt of unknown outcome: returns the answer of that attempt if it
   * succeeded, else null.
   */
  recover?: (refusal: SluiceError) => Promise<Answer<Name> | null>
  /** Whether an earlier call may have requested the same. */
  startsInDoubt?: boolean
}

/** Carries out an operation. All requests to the service use it. */
export type Ask = <Name extends OperationName>(
  name: Name,
  input?: Input,
  options?: CallOptions,
  extras?: Extras<Name>,
) => Promise<Answer<Name>>

/** Operations without a credential. */
const OPEN: ReadonlySet<string> = new Set([
  'postLogin',
  'postInvitation',
  'postInvitationAccept',
  'getHealth',
  'getReadiness',
])

/** Returns the function that sends a client's requests and retries them. */
export function openTransport(deps: Deps): Ask {
  return async (name, input = {}, limits = {}, extras = {}) => {
    const [method] = OPERATIONS[name]
    const { signal, retries = deps.retries, timeoutMs = deps.timeoutMs } = limits
    checkCallLimits({ timeoutMs, retries })
    const options = { signal, timeoutMs: timeoutMs + waitMsIn(input) }
    const most = isRepeatable(name, method) ? retries : 0
    let isInDoubt = extras.startsInDoubt ?? false
    for (let attempt = 0; ; attempt += 1) {
      try {
        signal?.throwIfAborted()
        return await send(deps, { name, input, options, attempt, accepted: extras.accepted ?? [] })
      } catch (error) {
        if (signal?.aborted) throw error
        const found = isInDoubt ? await recovered(error, extras) : null
        if (found !== null) return found
        isInDoubt ||= leavesDoubt(error)
        const waitMs = attempt < most ? waitBeforeRetry(error, attempt, deps.random()) : null
        if (waitMs === null) throw error
        await deps.sleep(waitMs, signal)
      }
    }
  }
}

/** A wait that the request asks the service for; the timeout begins after it. */
function waitMsIn({ query = {} }: Input): number {
  return Number(query['wait'] ?? 0) * 1_000
}

function recovered<Name extends OperationName>(
  error: unknown,
  { recover }: Extras<Name>,
): Promise<Answer<Name> | null> | null {
  return error instanceof SluiceError && recover !== undefined ? recover(error) : null
}

/** The options of a call that apply to each attempt. */
interface AttemptOptions {
  signal: AbortSignal | undefined
  timeoutMs: number
}

interface Attempt<Name extends OperationName> {
  name: Name
  input: Input
  options: AttemptOptions
  attempt: number
  accepted: readonly number[]
}

async function send<Name extends OperationName>(
  deps: Deps,
  { name, input, options, attempt, accepted }: Attempt<Name>,
): Promise<Answer<Name>> {
  const { baseUrl } = deps
  const [method, template] = OPERATIONS[name]
  const url = urlOf(baseUrl, template, input)
  // A call that is aborted while its credential is fetched sends no request.
  const throwIfAborted = () => options.signal?.throwIfAborted()
  const headers = OPEN.has(name) ? {} : await credentialHeader(deps).finally(throwIfAborted)
  const request = { method, url, headers: { ...headers, ...input.headers }, body: input.body }
  const startedAt = performance.now()
  const report = (answer: RawAnswer | null) => {
    const requestId = answer?.headers.get('x-request-id') ?? null
    const durationMs = performance.now() - startedAt
    const status = answer?.status ?? null
    notify(deps, { operation: name, method, url, attempt, durationMs, status, requestId })
  }
  const answer = await exchange(deps, request, options).catch((error: unknown) => {
    report(null)
    throw error
  })
  report(answer)
  return toAnswer(readAnswer(answer, { baseUrl, now: Date.now(), accepted }))
}

function toAnswer<Name extends OperationName>(body: unknown): Answer<Name> {
  return body as Answer<Name>
}

/** The header of the client's credential; none without one. */
export async function credentialHeader({ credential }: Deps): Promise<Record<string, string>> {
  if (credential === null) return {}
  const { kind, value } = credential
  const text = checkCredential(kind, typeof value === 'function' ? await value() : value)
  return kind === 'apiKey' ? { 'x-api-key': text } : { authorization: `Bearer ${text}` }
}

/** An error of the callback must not turn an answer into an error. */
function notify({ onRequest }: Deps, report: RequestReport): void {
  try {
    onRequest?.(report)
  } catch {
    // The answer to the request is returned anyway.
  }
}

interface Request {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** Sends one request and reads its whole answer, within the timeout of one attempt. */
async function exchange(
  deps: Deps,
  { method, url, headers, body }: Request,
  { signal, timeoutMs }: AttemptOptions,
): Promise<RawAnswer> {
  const limit = new AbortController()
  const abort = () => limit.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  const content = body === undefined ? {} : { body: bodyOf(body) }
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json' }
  try {
    const answer = await deps.fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers, ...type },
      ...content,
      // The credential must not be sent to another address.
      redirect: 'manual',
      signal: limit.signal,
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (error) {
    signal?.throwIfAborted()
    const reason = limit.signal.aborted ? 'timeout' : 'network'
    const what = reason === 'timeout' ? `no answer within ${timeoutMs} ms` : 'no answer'
    throw new SluiceNetworkError(reason, `${what}: ${method} ${url.split('?')[0]}`, error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
