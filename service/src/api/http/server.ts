import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import { type ErrorCode, OPERATION_NAMES, OPERATIONS } from '@sluice/wire'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Ids } from '../../base/id.ts'
import { mountDocs } from '../docs/mount.ts'
import { Outage } from '../../base/fault.ts'
import { badRequest, toFault } from './faults.ts'
import type { Log } from '../../base/log.ts'
import { countVisitor, refuseUnserved } from './limits.ts'
import type { ServerDeps } from './means.ts'
import { parseBody } from './parse-body.ts'
import { COUNT_MALFORMED, ROUTES } from '../routes.ts'
import { mountRoute } from './route.ts'
import { type Visits, openVisits, stampOf } from './visits.ts'

const BODY_BYTES_MAX = 64 * 1024
const PARAM_LENGTH_MAX = 4096
/** How long a request may take to arrive, in milliseconds. */
export interface ArrivalTimes {
  /** The whole of it. */
  request: number
  headers: number
  /** How often connections are looked at. */
  check: number
}

/** Whoever takes longer has the connection closed (V08). */
const ARRIVAL_MS_MAX: ArrivalTimes = { request: 30_000, headers: 10_000, check: 5_000 }
/** A reader that takes nothing for so long is gone. */
const IDLE_MS_MAX = 60_000
/** What a caller may name a request by: nothing that could break a line or a header apart. */
const REQUEST_ID_SHAPE = /^[A-Za-z0-9._:/+=@-]{1,128}$/
const NO_ROUTE = '(none)'
/** Answers are read by programs: nothing in them may be loaded, run or framed. */
const CONTENT_POLICY = {
  useDefaults: false,
  directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a bug in this route is told; INTERNAL_ERROR where it is left out. */
    failure?: ErrorCode
    /** Counts a malformed request, where only the route's work counts any other. */
    countMalformed?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  }
}

/**
 * The door: every operation of the wire, over HTTP, and the documentation. Not listening yet. HEAD
 * is answered for health and documentation alone; any other method and path that is no operation is
 * NOT_FOUND, so that a HEAD on deposit-address makes no account.
 */
export function openServer(given: ServerDeps, arrival = ARRIVAL_MS_MAX): FastifyInstance {
  const means = { ...given, readiness: oneAtATime(given.readiness) }
  const visits = openVisits(means)
  const server = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: arrival.request,
    connectionTimeout: IDLE_MS_MAX,
    http: {
      headersTimeout: arrival.headers,
      connectionsCheckingInterval: arrival.check,
      // Node would answer without a body: refuseHostless tells it as any other fault.
      requireHostHeader: false,
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id'], means.ids),
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, querystringParser: () => ({}) },
    frameworkErrors: (unread, request, reply) => {
      visits.begin(request, reply, NO_ROUTE)
      const error = overLimit(means, request, reply) ?? unread
      answerFault(means.log, visits, { error, request, reply })
    },
    clientErrorHandler: (error, socket) => answerUnread(means.ids, error, socket),
  })
  server.addHook('onRequest', async (request, reply) => {
    visits.begin(request, reply, request.routeOptions.url ?? NO_ROUTE)
    refuseHostless(request)
    forgetTypeOfNothing(request)
    refuseWhileSkewed(means, request)
  })
  server.addHook('preParsing', async (request, reply) => {
    // Before a body is read: whatever it is, nobody serves this.
    if (request.is404) refuseUnserved(means, request, reply)
  })
  hangUpAtStop(server)
  server.register(helmet, { contentSecurityPolicy: CONTENT_POLICY, frameguard: { action: 'deny' } })
  acceptJsonOnly(server)
  server.setErrorHandler(async (unread, request, reply) => {
    const error = await orTooMany(unread, request, reply)
    answerFault(means.log, visits, { error, request, reply })
  })
  server.setNotFoundHandler(async (request, reply) => refuseUnserved(means, request, reply))
  for (const name of OPERATION_NAMES) {
    const countMalformed = COUNT_MALFORMED[name]
    mountRoute(server, means, visits, { name, handlers: ROUTES, countMalformed })
  }
  mountDocs(server, means)
  // An expectation nobody knows is met with the ordinary answer, not with a 417.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response))
  return server
}

/**
 * Who stops waits for what is under way, and not for clients that would keep their connection for
 * the next request: one that idles is closed at the stop, one that answers now, after its answer.
 */
function hangUpAtStop(server: FastifyInstance): void {
  let isStopping = false
  server.addHook('preClose', async () => {
    isStopping = true
  })
  server.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  // The head of a long list may have gone out before the stop.
  server.addHook('onResponse', async () => {
    if (isStopping) server.server.closeIdleConnections()
  })
}

/** However many ask at once, the question is asked once: /readyz is open to all. */
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

/** A path that could not be read is counted as one that nobody serves. */
function overLimit(means: ServerDeps, request: FastifyRequest, reply: FastifyReply): unknown {
  try {
    countVisitor(means, request, reply)
    return null
  } catch (error) {
    return error
  }
}

/** What is malformed may be told as one too many of its kind. */
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

/** From HTTP/1.1 on a request names the host that it is meant for (RFC 9112, section 3.2). */
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

/** Clients name a type with requests that have no body: who sends nothing sends nothing wrong. */
function forgetTypeOfNothing({ headers }: FastifyRequest): void {
  const isNothing = headers['transfer-encoding'] === undefined
  if (isNothing && (headers['content-length'] ?? '0') === '0') delete headers['content-type']
}

function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity')
        throw badRequest('content-encoding', 'The body may not be compressed.')
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
  log[fault.level]({ requestId, err: error }, 'a request could not be answered')
  reply
    .code(fault.status)
    .headers(fault.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(fault.body))
}

/** A request whose path could not be read has no route that could say. */
function failureOf(request: FastifyRequest): { failure?: ErrorCode } {
  const { failure } = request.routeOptions.config
  return failure === undefined ? {} : { failure }
}

/**
 * A request that is no HTTP, or took too long to come: told as every other malformed one, then hung
 * up on.
 */
function answerUnread(ids: Ids, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const requestId = ids.next()
  const { body } = toFault(badRequest('request', 'The request could not be read.'), { requestId })
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
