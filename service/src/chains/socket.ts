import type { Socket as Wire } from 'node:net'
import { Agent, WebSocket, buildConnector } from 'undici'
import { splitCredentials } from './http.ts'

/** A WebSocket connection, open or not yet. */
export interface Socket {
  send(text: string): void
  /** Ends it in any state, without further callbacks. */
  close(): void
}

export interface SocketCalls {
  onOpen: (socket: Socket) => void
  onText: (text: string) => void
  /** The connection ended, or failed. */
  onEnd: () => void
}

/** A longer message ends its connection. */
const TEXT_BYTES_MAX = 65_536
const CONNECT_MS = 10_000

/**
 * Connects to a node by WebSocket. Credentials in the URL become a basic authorization header, as
 * with `openHttp`.
 */
export function openSocket(
  { url, headers = {} }: { url: string; headers?: Readonly<Record<string, string>> },
  { onOpen, onText, onEnd }: SocketCalls,
): Socket {
  const { bare, credentials } = splitCredentials(url)
  const connect = buildConnector({ timeout: CONNECT_MS })
  let wire: Wire | null = null
  const dispatcher = new Agent({
    connections: 1,
    connect: (asked, done) =>
      connect(asked, (...made) => {
        wire = made[1]
        done(...made)
      }),
    webSocket: { maxPayloadSize: TEXT_BYTES_MAX, maxFragments: 64 },
  })
  const line = new WebSocket(bare, { dispatcher, headers: { ...credentials, ...headers } })
  let isOver = false
  const end = () => {
    if (isOver) return false
    isOver = true
    void dispatcher.destroy()
    // A peer that does not answer the close frame would keep the connection open.
    wire?.destroy()
    return true
  }
  const socket: Socket = {
    send: (text) => line.send(text),
    close: () => void end(),
  }
  const fail = () => void (end() && onEnd())
  line.addEventListener('open', () => void (isOver || onOpen(socket)))
  line.addEventListener('message', ({ data }) => {
    if (!isOver && typeof data === 'string') onText(data)
  })
  line.addEventListener('close', fail)
  line.addEventListener('error', fail)
  return socket
}
