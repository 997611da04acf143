import { Readable } from 'node:stream'
import { OPERATIONS, type Operation, type OperationName } from '@sluice/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { assert } from '../../base/assert.ts'
import { type Millis, inTime } from '../../base/clock.ts'
import { Outage } from '../../base/fault.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { Caller } from '../../orgs/caller.ts'
import { WORK_MS_MAX } from '../../store/database.ts'
import { toFault } from './faults.ts'
import { admit } from './guard.ts'
import { countRequest, limitKindOf, refuseUnserved } from './limits.ts'
import type { CallDeps, ServerDeps } from './deps.ts'
import { type Exporting, readExporting } from './exporting.ts'
import { parseQuery } from './parse-query.ts'
import { clientOf, peerOf } from './peer-of.ts'
import { checkPart, checkRequired, convertPart, namesOf, type ValuesOf } from './validate.ts'
import type { Visits } from './visits.ts'

/**
 * The limit for authentication, in milliseconds; the handler has `WORK_MS_MAX`. Their sum is below
 * the timeout that closes the connection.
 */
const ADMIT_MS_MAX = 12_000

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

type Declared<
  Name extends OperationName,
  Part extends 'query' | 'params' | 'body',
> = (typeof OPERATIONS)[Name] extends { [Key in Part]: infer Schema }
  ? ValuesOf<Schema>
  : Record<string, never>

type Responses<Name extends OperationName> = (typeof OPERATIONS)[Name]['responses']
type Answer<Name extends OperationName> = Static<
  Extract<Responses<Name>[keyof Responses<Name>], TSchema>
>

/** The server's dependencies, the caller and the validated request. */
export interface Call<Name extends OperationName> extends CallDeps {
  caller: (typeof OPERATIONS)[Name]['credential'] extends 'none' ? null : Caller
  query: Declared<Name, 'query'>
  params: Declared<Name, 'params'>
  body: Declared<Name, 'body'>
  /** The client's address, as rate limits identify it. */
  peer: string
  /** The one-time code of the body, else of the header `x-totp-code`; null without either. */
  totpCode: string | null
  /** Set if the request asks for a list as CSV or JSON Lines. */
  exporting: Exporting | null
  /** Aborts when the response has ended or the client has disconnected. */
  untilClosed: () => AbortSignal
  /** 200 by default. */
  setStatus: (status: keyof Responses<Name> & number) => void
  setHeaders: (headers: Readonly<Record<string, string>>) => void
}

/** Carries an operation out. */
type Handler<Name extends OperationName> = (call: Call<Name>) => Promise<Answer<Name> | Readable>

/** One handler for each operation of a group; the compiler reports a missing one. */
export type Handlers<Names extends OperationName> = { [Name in Names]: Handler<Name> }

/** Counts a request that BAD_REQUEST refuses before its handler runs; may refuse it instead. */
export type CountMalformed = (
  deps: ServerDeps,
  peer: string,
  setHeaders: (headers: Readonly<Record<string, string>>) => void,
) => Promise<void>

/**
 * Serves an operation of the wire. The credential is checked before anything else of the request;
 * then path, query and body are validated, or refused with BAD_REQUEST.
 */
export function mountRoute<Name extends OperationName>(
  server: FastifyInstance,
  deps: CallDeps,
  visits: Visits,
  { name, handlers, countMalformed }: MountedRoute<Name>,
): void {
  const operation: Operation = OPERATIONS[name]
  server.route({
    method: operation.method,
    url: operation.path,
    exposeHeadRoute: operation.credential === 'none',
    config: {
      ...(operation.failure !== undefined && { failure: operation.failure }),
      ...(countMalformed !== undefined && {
        countMalformed: (request, reply) =>
          countMalformed(deps, peerOf(deps, request), (headers) => void reply.headers(headers)),
      }),
    },
    onRequest: async (request, reply) => {
      // `/chains/` is not a chain with an empty name: no such endpoint.
      if (Object.values(Object(request.params)).includes('')) refuseUnserved(deps, request, reply)
      if (operation.credential === 'none') return
      const count = (caller: Caller | null) =>
        countRequest(
          deps.limits,
          {
            kind: limitKindOf(operation),
            who: caller?.userId ?? peerOf(deps, request),
            isKnown: caller !== null,
          },
          (headers) => void reply.headers(headers),
        )
      const { headers } = request
      const { address } = clientOf(deps, request)
      const admitted = admit(deps, operation, { headers, address }, count)
      visits.admit(request, await orOutage(deps, request, ADMIT_MS_MAX, admitted))
    },
    handler: async (request, reply) => {
      const parts = parseParts<Name>(operation, request, {
        caller: visits.callerOf(request),
        catalogue: deps.catalogue,
      })
      const exporting = readExporting(operation.export, request.headers.accept, deps.catalogue)
      const call = {
        ...deps,
        ...parts,
        exporting,
        peer: peerOf(deps, request),
        totpCode: codeIn(request),
        untilClosed: () => untilClosed(reply),
        setStatus: (status: number) => void reply.code(status),
        setHeaders: (headers: Readonly<Record<string, string>>) => void reply.headers(headers),
      }
      const answer = await orOutage(deps, request, WORK_MS_MAX, handlers[name](call))
      reply.headers(exporting?.headers ?? JSON_HEADERS)
      if (answer instanceof Readable) resetIfCut(answer, request)
      return answer
    },
  })
}

/** In HTTP/1.0 the end of a connection ends the response, so an error must not end it properly. */
function resetIfCut(answer: Readable, { raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.0') answer.once('error', () => raw.socket.resetAndDestroy())
}

function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}

interface MountedRoute<Name extends OperationName> {
  name: Name
  handlers: Handlers<Name>
  countMalformed: CountMalformed | undefined
}

/**
 * Ends the wait for a database that hangs without closing its connections. The work may still
 * complete, as when a response is lost; its errors are then logged.
 */
function orOutage<T>(
  { clock, log }: ServerDeps,
  { id: requestId }: FastifyRequest,
  ms: Millis,
  work: Promise<T>,
): Promise<T> {
  const late = () => {
    work.catch((error: unknown) => {
      const { level } = toFault(error, { requestId })
      log[level]({ requestId, err: error }, 'request failed after its 503 response')
    })
    throw new Outage('operation', `no response within ${ms} ms`)
  }
  return inTime(clock, { ms, work, late })
}

type Parts<Name extends OperationName> = Pick<Call<Name>, 'caller' | 'query' | 'params' | 'body'>

/** The only place that asserts the types of the wire, directly after validation. */
function parseParts<Name extends OperationName>(
  operation: Operation,
  request: FastifyRequest,
  { caller, catalogue }: { caller: Caller | null; catalogue: Catalogue },
): Parts<Name> {
  assert(
    (caller === null) === (operation.credential === 'none'),
    'caller does not match the credential of the operation',
  )
  const { query: querySchema, params: pathSchema, body: bodySchema } = operation
  const texts =
    operation.ignoresQuery === true ? {} : parseQuery(queryIn(request), namesOf(querySchema))
  const received = operation.bodyMayBeMissing ? (request.body ?? {}) : request.body
  checkRequired(querySchema, texts)
  checkPart(pathSchema, request.params, 'path')
  checkPart(bodySchema, received, 'body')
  const params = convertPart(pathSchema, Object(request.params), { catalogue })
  const query = convertPart(querySchema, texts, { catalogue, isQuery: true })
  const body = convertPart(bodySchema, Object(received), { catalogue })
  return { caller, query, params, body } as Parts<Name>
}

function codeIn({ body, headers }: FastifyRequest): string | null {
  const sent: unknown = Object(body)['totpCode'] ?? headers['x-totp-code']
  return typeof sent === 'string' ? sent : null
}

function queryIn({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : (url.slice(at + 1).split('#')[0] ?? '')
}
