import { freePort, verifyWebhook } from '@sluice/simulator'
import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { type Asked, acknowledgement, readRequests } from './read-requests.ts'

/** Requests of the parent to the receiver. */
export interface ReceiverOrder {
  /** Secrets by organization id, for the check of signatures. */
  secrets?: Record<string, string>
  /** Report each detected deposit to the parent when it arrives. */
  tell?: boolean
  /** Forget all that came. */
  reset?: true
  /** How many requests are only to warm both sides up: the clock starts after them. */
  warmUp?: number
  /** Say what came. */
  count?: true
}

export interface Count {
  /** Requests that were answered, and how many different events they were. */
  requests: number
  distinct: number
  /** Of those looked at, every fiftieth. */
  badSignatures: number
  /** The end of the warm-up: the first request if there is none. */
  firstAt: number
  lastAt: number
  /** Answered requests by path. */
  byPath: Record<string, number>
}

export type ReceiverNews =
  | { ready: true; port: number }
  | { count: Count }
  | { warm: true }
  | { detected: number; chainId: string; at: number }

const CHECK_EVERY = 50

// The program of a child process: `serve-receiver.ts`, with key and certificate in the environment.
// A path with `hang` in it is never answered.
let secrets: Record<string, string> = {}
let tells = false
let warmUp = 0
let count = freshCount()
let seen = new Set<string>()
const tell = (news: ReceiverNews) => void process.send?.(news)
const tls = { key: process.env['BENCH_TLS_KEY'], cert: process.env['BENCH_TLS_CERT'] }
const server = createServer(tls, (socket) => {
  socket.setNoDelay(true)
  // The sender has closed the connection, as at the end of each side.
  socket.on('error', () => undefined)
  readRequests(socket, (asked) => take(asked, socket))
})
const port = await freePort()
server.listen(port, '127.0.0.1', () => tell({ ready: true, port }))
process.on('disconnect', () => process.exit(0))
process.on('message', (order: ReceiverOrder) => {
  if (order.secrets) secrets = order.secrets
  if (order.tell !== undefined) tells = order.tell
  if (order.warmUp !== undefined) warmUp = order.warmUp
  if (order.reset) {
    count = freshCount()
    seen = new Set()
  }
  if (order.count) tell({ count: { ...count, distinct: seen.size } })
})

function take({ path, headers, body }: Asked, socket: Socket): void {
  if (path.includes('hang')) return
  const at = Date.now()
  count.requests += 1
  if (count.requests <= Math.max(warmUp, 1)) count.firstAt = at
  if (count.requests === warmUp) tell({ warm: true })
  count.lastAt = at
  count.byPath[path] = (count.byPath[path] ?? 0) + 1
  seen.add(headers['webhook-id'] ?? '')
  if (count.requests % CHECK_EVERY === 1) checkSignature(headers, body)
  if (tells) reportDetected(body, at)
  socket.write(acknowledgement(at), 'latin1')
}

function checkSignature(headers: Asked['headers'], raw: Buffer): void {
  const { orgId } = JSON.parse(raw.toString()) as { orgId: string }
  const objection = verifyWebhook({ headers, raw }, secrets[orgId] ?? '')
  if (objection !== null) count.badSignatures += 1
}

function reportDetected(raw: Buffer, at: number): void {
  const { type, payload } = JSON.parse(raw.toString()) as {
    type: string
    payload: { blockNumber: number; chainId: string }
  }
  if (type !== 'deposit.detected') return
  tell({ detected: payload.blockNumber, chainId: payload.chainId, at })
}

function freshCount(): Count {
  return { requests: 0, distinct: 0, badSignatures: 0, firstAt: 0, lastAt: 0, byPath: {} }
}
