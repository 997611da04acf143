import { readAnswer, type RawAnswer } from './answer.ts'
import { checkCallLimits } from './call-limits.ts'
import { SluiceError, SluiceNetworkError } from './errors.ts'
import { OPERATIONS } from './generated.ts'
import type { Answer, CallOptions, Input, OperationName } from './operation.ts'
import { bodyOf, checkCredential, urlOf } from './request.ts'
import { isRepeatable, leavesDoubt, waitBeforeRetry } from './retry.ts'

/** A credential, or what gives the one that is valid now; it is asked before each attempt. */
export type Credential = string | (() => string | Promise<string>)

/** As much of `fetch` as the client uses. */
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
}>

/** What became of one attempt, for logs and measures. */
export interface RequestReport {
  operation: OperationName
  method: string
  url: string
  /** 0 for the first, 1 for the first retry. */
  attempt: number
  durationMs: number
  /** Null where no answer came. */
  status: number | null
  requestId: string | null
}

/** Where a client sends its requests, and how. */
export interface Means {
  baseUrl: string
  credential: { kind: 'apiKey' | 'accessToken'; value: Credential } | null
  fetch: Fetch
  retries: number
  timeoutMs: number
  onRequest: ((report: RequestReport) => void) | null
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  random: () => number
}

/** What only some operations need. */
export interface Extras<Name extends OperationName> {
  /** Statuses beside 2xx whose bodies are answers too. */
  accepted?: readonly number[]
  /**
   * Reads a refusal that follows an attempt whose outcome is not known: null where it is one, else
   * what that attempt has done after all.
   */
  recover?: (refusal: SluiceError) => Promise<Answer<Name> | null>
  /** Whether somebody may have asked the same before this call. */
  startsInDoubt?: boolean
}

/** Carries an operation out: the one way from the client to the service. */
export type Ask = <Name extends OperationName>(
  name: Name,
  input?: Input,
  options?: CallOptions,
  extras?: Extras<Name>,
) => Promise<Answer<Name>>

/** These are asked by nobody in particular, so no credential is shown to them. */
const OPEN: ReadonlySet<string> = new Set(['postLogin', 'getHealth', 'getReadiness'])

/** Ties the way to the service to a client's means. */
export function openTransport(means: Means): Ask {
  return async (name, input = {}, given = {}, extras = {}) => {
    const [method] = OPERATIONS[name]
    const { signal, retries = means.retries, timeoutMs = means.timeoutMs } = given
    checkCallLimits({ timeoutMs, retries })
    const options = { signal, timeoutMs }
    const most = isRepeatable(name, method) ? retries : 0
    let isInDoubt = extras.startsInDoubt ?? false
    for (let attempt = 0; ; attempt += 1) {
      try {
        signal?.throwIfAborted()
        return await send(means, { name, input, options, attempt, accepted: extras.accepted ?? [] })
      } catch (error) {
        if (signal?.aborted) throw error
        const found = isInDoubt ? await recovered(error, extras) : null
        if (found !== null) return found
        isInDoubt ||= leavesDoubt(error)
        const waitMs = attempt < most ? waitBeforeRetry(error, attempt, means.random()) : null
        if (waitMs === null) throw error
        await means.sleep(waitMs, signal)
      }
    }
  }
}

function recovered<Name extends OperationName>(
  error: unknown,
  { recover }: Extras<Name>,
): Promise<Answer<Name> | null> | null {
  return error instanceof SluiceError && recover !== undefined ? recover(error) : null
}

/** What of a call's options goes for each of its attempts. */
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
  means: Means,
  { name, input, options, attempt, accepted }: Attempt<Name>,
): Promise<Answer<Name>> {
  const { baseUrl } = means
  const [method, template] = OPERATIONS[name]
  const url = urlOf(baseUrl, template, input)
  // Whoever gives a call up while its credential is fetched has nothing sent, and hears why.
  const heed = () => options.signal?.throwIfAborted()
  const headers = OPEN.has(name) ? {} : await credentialHeader(means).finally(heed)
  const request = { method, url, headers: { ...headers, ...input.headers }, body: input.body }
  const startedAt = performance.now()
  const report = (answer: RawAnswer | null) => {
    const requestId = answer?.headers.get('x-request-id') ?? null
    const durationMs = performance.now() - startedAt
    const status = answer?.status ?? null
    tell(means, { operation: name, method, url, attempt, durationMs, status, requestId })
  }
  const answer = await exchange(means, request, options).catch((error: unknown) => {
    report(null)
    throw error
  })
  report(answer)
  return toAnswer(readAnswer(answer, { baseUrl, now: Date.now(), accepted }))
}

function toAnswer<Name extends OperationName>(body: unknown): Answer<Name> {
  return body as Answer<Name>
}

async function credentialHeader({ credential }: Means): Promise<Record<string, string>> {
  if (credential === null) return {}
  const { kind, value } = credential
  const text = checkCredential(kind, typeof value === 'function' ? await value() : value)
  return kind === 'apiKey' ? { 'x-api-key': text } : { authorization: `Bearer ${text}` }
}

/** Whoever listens must not turn an answer into an error. */
function tell({ onRequest }: Means, report: RequestReport): void {
  try {
    onRequest?.(report)
  } catch {
    // What went wrong there is theirs; the answer to the request is the caller's.
  }
}

interface Request {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** One request and the whole of its answer, within the time of one attempt. */
async function exchange(
  means: Means,
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
    const answer = await means.fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers, ...type },
      ...content,
      // Elsewhere nobody shall be shown the credential.
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
