import { openAlarm } from '../alarm.ts'
import type { Clock, Millis } from '../../base/clock.ts'
import type { Dice } from '../../base/dice.ts'
import type { Log } from '../../base/log.ts'
import { type Backoff, backoffMs } from '../../base/retry.ts'
import { safeName } from '../http.ts'
import type { NodeOptions } from '../options.ts'
import { type Socket, openSocket } from '../socket.ts'
import { isJson } from './read.ts'

/** What listening takes. */
export interface DoorbellMeans {
  clock: Clock
  dice: Dice
  log: Log
}

/** A node with a WebSocket. */
interface Heard {
  url: string
  headers: Readonly<Record<string, string>>
}

const AGAIN: Backoff = { firstMs: 500, maxMs: 60_000, attemptsMax: Number.POSITIVE_INFINITY }
/** A ledger closes every few seconds: a line that is silent for so long is dead. */
const SILENCE_MS = 60_000
/** However many ledgers a node tells of, the bell rings no more often. */
const REST_MS = 100

/**
 * Listens to the nodes that have a WebSocket (`ws`), and calls back when one says that a ledger was
 * validated. Only a hint to look: the ledger is asked for as ever, and whoever hears nothing looks
 * now and again. A line that ends, or is silent, is opened anew after a while, longer each time.
 * The answer ends it.
 */
export function listenToLedgers(
  nodes: readonly NodeOptions[],
  means: DoorbellMeans,
  onLedger: () => void,
): () => void {
  const over = new AbortController()
  const ring = calmly(means.clock, onLedger, over.signal)
  for (const { ws: url, headers = {} } of nodes) {
    if (url !== undefined)
      void keepListening(means, { url, headers }, { ring, signal: over.signal })
  }
  return () => over.abort()
}

async function keepListening(
  means: DoorbellMeans,
  node: Heard,
  { ring, signal }: { ring: () => void; signal: AbortSignal },
): Promise<void> {
  const { clock, dice, log } = means
  for (let failures = 0; !signal.aborted; ) {
    const heard = await listenOnce(clock, node, { ring, signal })
    if (signal.aborted) return
    failures = heard ? 1 : failures + 1
    const pauseMs = backoffMs(AGAIN, failures, dice)
    log.info({ node: safeName(node.url), heard, pauseMs }, 'a node is not heard any more')
    await clock.sleep(pauseMs, signal)
  }
}

/** Until the line ends, falls silent, or is no longer wanted. Whether it told of any ledger. */
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

/** Whatever else a node sends is not listened to. */
function isLedgerClosed(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text)
    return isJson(message) && message['type'] === 'ledgerClosed'
  } catch {
    return false
  }
}

/** Rings at once, and then not before some rest; what comes meanwhile is one ring after it. */
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
