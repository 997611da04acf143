import { openAlarm } from '../alarm.ts'
import type { Clock, Millis } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Log } from '../../base/log.ts'
import { type Backoff, backoffMs } from '../../base/retry.ts'
import { safeName } from '../http.ts'
import type { NodeOptions } from '../options.ts'
import { type Socket, openSocket } from '../socket.ts'
import { isJson } from './read.ts'

/** The dependencies of the listener. */
interface DoorbellDeps {
  clock: Clock
  random: Random
  log: Log
}

/** A node with a WebSocket. */
interface Heard {
  url: string
  headers: Readonly<Record<string, string>>
}

const AGAIN: Backoff = { firstMs: 500, maxMs: 60_000, attemptsMax: Number.POSITIVE_INFINITY }
/** A ledger closes every few seconds: a connection that is silent for this long is dead. */
const SILENCE_MS = 60_000
/** The bell rings at most this often, however many ledgers a node reports. */
const REST_MS = 100

/**
 * Listens to the nodes with a WebSocket (`ws`) and calls back when one reports a validated ledger.
 * This is only a hint: ledgers are read as usual, and polling continues without it. A connection
 * that ends or is silent is reopened after growing delays. Returns a function that stops it.
 */
export function listenToLedgers(
  nodes: readonly NodeOptions[],
  deps: DoorbellDeps,
  onLedger: () => void,
): () => void {
  const over = new AbortController()
  const ring = calmly(deps.clock, onLedger, over.signal)
  for (const { ws: url, headers = {} } of nodes) {
    if (url !== undefined) void keepListening(deps, { url, headers }, { ring, signal: over.signal })
  }
  return () => over.abort()
}

async function keepListening(
  deps: DoorbellDeps,
  node: Heard,
  { ring, signal }: { ring: () => void; signal: AbortSignal },
): Promise<void> {
  const { clock, random, log } = deps
  for (let failures = 0; !signal.aborted; ) {
    const heard = await listenOnce(clock, node, { ring, signal })
    if (signal.aborted) return
    failures = heard ? 1 : failures + 1
    const pauseMs = backoffMs(AGAIN, failures, random)
    log.info({ node: safeName(node.url), heard, pauseMs }, 'a node is not heard any more')
    await clock.sleep(pauseMs, signal)
  }
}

/**
 * Runs until the connection ends, is silent, or is stopped. Returns whether it reported any ledger.
 */
async function listenOnce(
  clock: Clock,
  node: Heard,
  { ring, signal }: { ring: () => void; signal: AbortSignal },
): Promise<boolean> {
  const ended = new AbortController()
  const stirred = openAlarm()
  let heard = false
  const end = () => {
    ended.abort()
    stirred.ring()
  }
  signal.addEventListener('abort', end)
  const socket = openSocket(node, {
    onOpen: subscribe,
    onText: (text) => {
      if (!isLedgerClosed(text)) return
      heard = true
      stirred.ring()
      ring()
    },
    onEnd: end,
  })
  for (let last = clock.now(); !ended.signal.aborted; ) {
    await stirred.sleep(clock, SILENCE_MS, ended.signal)
    if (clock.now() - last >= SILENCE_MS) break
    last = clock.now()
  }
  signal.removeEventListener('abort', end)
  socket.close()
  return heard
}

function subscribe(socket: Socket): void {
  socket.send(JSON.stringify({ id: 1, command: 'subscribe', streams: ['ledger'] }))
}

/** Other messages of a node are ignored. */
function isLedgerClosed(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text)
    return isJson(message) && message['type'] === 'ledgerClosed'
  } catch {
    return false
  }
}

/** Rings at once, then pauses; rings during the pause are joined into one after it. */
function calmly(clock: Clock, ring: () => void, signal: AbortSignal): () => void {
  let restsUntil: Millis = Number.NEGATIVE_INFINITY
  let isDue = false
  const now = () => {
    isDue = false
    restsUntil = clock.now() + REST_MS
    if (!signal.aborted) ring()
  }
  return () => {
    if (isDue) return
    const restMs = restsUntil - clock.now()
    if (restMs <= 0) now()
    else {
      isDue = true
      void clock.sleep(restMs, signal).then(now)
    }
  }
}
