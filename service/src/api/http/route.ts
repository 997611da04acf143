import type { Readable } from 'node:stream'
import { type ErrorCode, OPERATIONS, type Operation, type OperationName } from '@sluice/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { assert } from '../../base/assert.ts'
import { type Millis, inTime } from '../../base/clock.ts'
import { Outage } from '../../base/fault.ts'
import type { Caller } from '../../orgs/caller.ts'
import { WORK_MS_MAX } from '../../store/database.ts'
import { badRequest, toFault } from './faults.ts'
import { admit } from './guard.ts'
import { countRequest, limitKindOf, refuseUnserved } from './limits.ts'
import type { ServerMeans } from './means.ts'
import { parseQuery } from './parse-query.ts'
import { peerOf } from './peer-of.ts'
import type { Visits } from './visits.ts'

/**
 * How long a caller waits to be known, in milliseconds; then for the work, `WORK_MS_MAX`. Together
 * less than what closes the connection.
 */
const ADMIT_MS_MAX = 12_000

type Declared<Name extends OperationName, Part extends string> = (typeof OPERATIONS)[Name] extends {
  [K in Part]: infer Schema extends TSchema
}
  ? Static<Schema>
  : Record<string, never>

type Responses<Name extends OperationName> = (typeof OPERATIONS)[Name]['responses']
type Answer<Name extends OperationName> = Static<
  Extract<Responses<Name>[keyof Responses<Name>], TSchema>
>

/**
 * What a route is given: the house's means, who asks, and the request's parts in the shapes that
 * were declared.
 */
export interface Asked<Name extends OperationName> extends ServerMeans {
  caller: (typeof OPERATIONS)[Name]['credential'] extends 'none' ? null : Caller
  query: Declared<Name, 'query'>
  params: Declared<Name, 'params'>
  body: Declared<Name, 'body'>
  /** Where the request came from, as limits know it. */
  peer: string
  /** The two-factor code of the body, else of the header `x-totp-code`; null without either. */
  totpCode: string | null
  /** 200 unless it is set. */
  setStatus: (status: keyof Responses<Name> & number) => void
  setHeaders: (headers: Readonly<Record<string, string>>) => void
}

type CountMalformed = (
  means: ServerMeans,
  peer: string,
  setHeaders: (headers: Readonly<Record<string, string>>) => void,
) => Promise<void>

/** One operation, ready to be put on a server. */
export interface Route {
  name: OperationName
  mount(server: FastifyInstance, means: ServerMeans, visits: Visits): void
}

/**
 * Binds an operation of the wire to the work that answers it. The credential is looked at before
 * anything else of the request; then path, query and body are brought into their declared shapes,
 * or refused with BAD_REQUEST. A bug is told as `failure`, INTERNAL_ERROR where it is left out.
 * `countMalformed` counts a request that was refused with BAD_REQUEST, where only the work counts
 * any other; it may refuse instead.
 */
export function route<Name extends OperationName>(
  name: Name,
  work: (asked: Asked<Name>) => Promise<Answer<Name> | Readable>,
  { failure, countMalformed }: { failure?: ErrorCode; countMalformed?: CountMalformed } = {},
): Route {
  const operation: Operation = OPERATIONS[name]
  const mount: Route['mount'] = (server, means, visits) => {
    server.route({
      method: operation.method,
      url: operation.path,
      exposeHeadRoute: operation.credential === 'none',
      config: {
        ...(failure !== undefined && { failure }),
        ...(countMalformed !== undefined && {
          countMalformed: (request, reply) =>
            countMalformed(means, peerOf(means, request), (headers) => void reply.headers(headers)),
        }),
      },
      onRequest: async (request, reply) => {
        // `/chains/` is no chain with an empty name, but a path that nobody serves.
        if (Object.values(Object(request.params)).includes(''))
          refuseUnserved(means, request, reply)
        if (operation.credential === 'none') return
        const count = (caller: Caller | null) =>
          countRequest(
            means.limits,
            {
              kind: limitKindOf(operation),
              who: caller?.userId ?? peerOf(means, request),
              isKnown: caller !== null,
            },
            (headers) => void reply.headers(headers),
          )
        const admitted = admit(means, operation, request.headers, count)
        visits.admit(request, await orAway(means, request, ADMIT_MS_MAX, admitted))
      },
      handler: async (request, reply) => {
        const caller = visits.callerOf(request)
        const setStatus = (status: number) => void reply.code(status)
        const parts = parseParts<Name>(operation, request, caller)
        const setHeaders = (headers: Readonly<Record<string, string>>) =>
          void reply.headers(headers)
        const sent = { peer: peerOf(means, request), totpCode: codeIn(request) }
        const asked = { ...means, ...parts, ...sent, setStatus, setHeaders }
        const answer = await orAway(means, request, WORK_MS_MAX, work(asked))
        reply.type('application/json; charset=utf-8')
        return answer
      },
    })
  }
  return { name, mount }
}

/**
 * A database that hangs keeps its connections open, and says nothing: whoever waits is told that it
 * is away. What was asked for may come to pass all the same, as where an answer is lost; what goes
 * wrong with it then is logged as any other fault.
 */
function orAway<T>(
  { clock, log }: ServerMeans,
  { id: requestId }: FastifyRequest,
  ms: Millis,
  work: Promise<T>,
): Promise<T> {
  const tell = (error: unknown) => {
    const { level } = toFault(error, { requestId })
    log[level]({ requestId, err: error }, 'a request failed after it was answered with 503')
  }
  const late = () => {
    work.catch(tell)
    throw new Outage('operation', `no answer in ${ms} ms`)
  }
  return inTime(clock, { ms, work, late })
}

type Parts<Name extends OperationName> = Pick<Asked<Name>, 'caller' | 'query' | 'params' | 'body'>

/** The one place where the wire's shapes are claimed, each just after it was checked. */
function parseParts<Name extends OperationName>(
  operation: Operation,
  request: FastifyRequest,
  caller: Caller | null,
): Parts<Name> {
  assert((caller === null) === (operation.credential === 'none'), 'a route without its caller')
  const query =
    operation.ignoresQuery === true ? {} : parseQuery(queryIn(request), namesIn(operation.query))
  check(operation.query, query, 'query')
  check(operation.params, request.params, 'path')
  const body = operation.bodyMayBeMissing ? (request.body ?? {}) : request.body
  check(operation.body, body, 'body')
  return { caller, query, params: request.params, body } as Parts<Name>
}

function codeIn({ body, headers }: FastifyRequest): string | null {
  const sent: unknown = Object(body)['totpCode'] ?? headers['x-totp-code']
  return typeof sent === 'string' ? sent : null
}

function queryIn({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : (url.slice(at + 1).split('#')[0] ?? '')
}

function namesIn(schema: TSchema | undefined): readonly string[] {
  return schema === undefined || !isObject(schema) ? [] : Object.keys(schema.properties)
}

function isObject(schema: TSchema): schema is TObject {
  return 'properties' in schema
}

function check(schema: TSchema | undefined, value: unknown, part: string): void {
  if (schema === undefined || Value.Check(schema, value)) return
  const errors = Value.Errors(schema, value)
  const [first] = errors
  const missing = first?.keyword === 'required' ? first.params.requiredProperties[0] : undefined
  const field = missing ?? first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const says = missing === undefined ? wrongWith(errors) : 'is missing'
  throw badRequest(field || part, `${field || `The ${part}`} ${says}.`)
}

/** Of a field that may be of several types, all are named. */
function wrongWith(errors: ReturnType<typeof Value.Errors>): string {
  const [first] = errors
  const types = errors.flatMap((error) =>
    error.keyword === 'type' && error.instancePath === first?.instancePath
      ? [error.params.type].flat()
      : [],
  )
  return types.length === 0 ? (first?.message ?? '') : `must be of the type ${types.join(' or ')}`
}
