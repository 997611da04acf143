import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import { type ErrorCode, OPERATION_NAMES, OPERATIONS } from '@sluice/wire'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Ids } from '../../base/id.ts'
import { mountDashboard } from '../dashboard/mount.ts'
import { mountDocs } from '../docs/mount.ts'
import { Outage } from '../../base/fault.ts'
import { badRequest, toFault } from './faults.ts'
import type { Log } from '../../base/log.ts'
import { countVisitor, refuseUnserved } from './limits.ts'
import type { ServerDeps } from './deps.ts'
import { parseBody } from './parse-body.ts'
import { COUNT_MALFORMED, ROUTES } from '../routes.ts'
import { openEventWatch } from '../../webhooks/watch-events.ts'
import { mountRoute } from './route.ts'
import { type Visits, openVisits, stampOf } from './visits.ts'

const BODY_BYTES_MAX = 64 * 1024
const PARAM_LENGTH_MAX = 4096
/** How long a request may take to arrive, in milliseconds. */
export interface ArrivalTimes {
  /** The whole request. */
  request: number
  headers: number
  /** The interval between checks of connections. */
  check: number
}

/** Slower connections are closed (V08). */
const ARRIVAL_MS_MAX: ArrivalTimes = { request: 30_000, headers: 10_000, check: 5_000 }
/** A client that reads no bytes for this time is disconnected. */
const IDLE_MS_MAX = 60_000
/** Request ids of callers: characters that cannot break a log line or a header. */
const REQUEST_ID_SHAPE = /^[A-Za-z0-9._:/+=@-]{1,128}$/
const NO_ROUTE = '(none)'
/** Responses are for programs: browsers must not load, run or frame them. */
const CONTENT_POLICY = {
  useDefaults: false,
  directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The code of a bug in this route; INTERNAL_ERROR by default. */
    failure?: ErrorCode
    /** Counts a malformed request if the route's handler counts valid ones. */
    countMalformed?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  }
}

/**
 * The HTTP server of all operations of the wire and of the documentation. Not listening yet. HEAD
 * is supported for health and documentation only; other unknown methods and paths are NOT_FOUND,
 * so a HEAD on deposit-address creates no account.
 */
export function openServer(dependencies: ServerDeps, arrival = ARRIVAL_MS_MAX): FastifyInstance {
  const eventWatch = openEventWatch(dependencies)
  const deps = { ...dependencies, eventWatch, readiness: oneAtATime(dependencies.readiness) }
  const visits = openVisits(deps)
  const server = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: arrival.request,
    connectionTimeout: IDLE_MS_MAX,
    http: {
      headersTimeout: arrival.headers,
      connectionsCheckingInterval: arrival.check,
      // Node would respond without a body; refuseHostless returns the usual error body.
      requireHostHeader: false,
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id'], deps.ids),
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, querystringParser: () => ({}) },
    frameworkErrors: (unread, request, reply) => {
      visits.begin(request, reply, NO_ROUTE)
      const error = overLimit(deps, request, reply) ?? unread
      answerFault(deps.log, visits, { error, request, reply })
    },
    clientErrorHandler: (error, socket) => answerUnread(deps.ids, error, socket),
  })
  server.addHook('onRequest', async (request, reply) => {
    visits.begin(request, reply, request.routeOptions.url ?? NO_ROUTE)
    refuseHostless(request)
    dropTypeWithoutBody(request)
    refuseWhileSkewed(deps, request)
  })
  server.addHook('preParsing', async (request, reply) => {
    // An unknown endpoint is refused before its body is read.
    if (request.is404) refuseUnserved(deps, request, reply)
  })
  closeIdleAtStop(server)
  server.addHook('preClose', async () => eventWatch.close())
  server.register(helmet, { contentSecurityPolicy: CONTENT_POLICY, frameguard: { action: 'deny' } })
  acceptJsonOnly(server)
  server.setErrorHandler(async (unread, request, reply) => {
    const error = await orTooMany(unread, request, reply)
    answerFault(deps.log, visits, { error, request, reply })
  })
  server.setNotFoundHandler(async (request, reply) => refuseUnserved(deps, request, reply))
  for (const name of OPERATION_NAMES) {
    const countMalformed = COUNT_MALFORMED[name]
    mountRoute(server, deps, visits, { name, handlers: ROUTES, countMalformed })
  }
  mountDocs(server, deps)
  mountDashboard(server, deps)
  // An unknown expectation gets the ordinary response, not a 417.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response))
  return server
}

/**
 * A stop waits for requests in progress but not for kept-alive connections: idle ones are closed at
 * the stop, busy ones after their response.
 */
function closeIdleAtStop(server: FastifyInstance): void {
  let isStopping = false
  server.addHook('preClose', async () => {
    isStopping = true
  })
  server.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  // The headers of a long list may have been sent before the stop.
  server.addHook('onResponse', async () => {
    if (isStopping) server.server.closeIdleConnections()
  })
}

/** Concurrent calls share one check, because /readyz is public. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | null = null
  return () =>
    (asking ??= ask().finally(() => {
      asking = null
    }))
}

function requestIdOf(inbound: string | string[] | undefined, ids: Ids): string {
  return typeof inbound === 'string' && REQUEST_ID_SHAPE.test(inbound) ? inbound : ids.next()
}

/** A malformed path is counted as an unknown endpoint. */
function overLimit(deps: ServerDeps, request: FastifyRequest, reply: FastifyReply): unknown {
  try {
    countVisitor(deps, request, reply)
    return null
  } catch (error) {
    return error
  }
}

/** A malformed request may be refused as one request too many. */
async function orTooMany(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { countMalformed } = request.routeOptions.config
  const isMalformed = toFault(error, { requestId: request.id }).body.error === 'BAD_REQUEST'
  if (countMalformed === undefined || !isMalformed) return error
  return countMalformed(request, reply).then(
    () => error,
    (instead: unknown) => instead,
  )
}

/** HTTP/1.1 requires the header host (RFC 9112, section 3.2). */
function refuseHostless({ headers, raw }: FastifyRequest): void {
  if (headers.host !== undefined || raw.httpVersion === '1.0') return
  throw badRequest('host', 'The header host is missing.')
}

/** With a wrong clock, one-time codes, expiry and every stored timestamp would be wrong. */
function refuseWhileSkewed({ isClockSkewed }: ServerDeps, request: FastifyRequest): void {
  if (!isClockSkewed()) return
  const mayCreate = request.routeOptions.url === OPERATIONS.getDepositAddress.path
  if (mayCreate || (request.method !== 'GET' && request.method !== 'HEAD'))
    throw new Outage('clock', "differs from the database's by more than 5 s: changes are refused")
}

/** Some clients send a content type without a body; it is ignored. */
function dropTypeWithoutBody({ headers }: FastifyRequest): void {
  const isUnchunked = headers['transfer-encoding'] === undefined
  if (isUnchunked && (headers['content-length'] ?? '0') === '0') delete headers['content-type']
}

function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity')
        throw badRequest('content-encoding', 'Request body must not be compressed.')
      return parseBody(body)
    },
  )
}

function answerFault(
  log: Log,
  visits: Visits,
  { error, request, reply }: { error: unknown; request: FastifyRequest; reply: FastifyReply },
): void {
  const requestId = request.id
  const fault = toFault(error, { requestId, ...failureOf(request) })
  visits.refuse(request, fault.body.error)
  log[fault.level]({ requestId, err: error }, 'request failed')
  reply
    .code(fault.status)
    .headers(fault.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(fault.body))
}

/** A request with a malformed path has no route. */
function failureOf(request: FastifyRequest): { failure?: ErrorCode } {
  const { failure } = request.routeOptions.config
  return failure === undefined ? {} : { failure }
}

/** Returns the usual error body to a request that is not HTTP or is too slow, and disconnects. */
function answerUnread(ids: Ids, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const requestId = ids.next()
  const { body } = toFault(badRequest('request', 'The request is not valid HTTP.'), { requestId })
  const text = JSON.stringify(body)
  const headers = {
    ...stampOf(requestId),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.write(['HTTP/1.1 400 Bad Request', ...lines, '', text].join('\r\n'))
  socket.destroy(error)
}
