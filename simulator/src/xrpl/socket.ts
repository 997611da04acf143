import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** One client on a WebSocket (RFC 6455), text alone. */
export interface Socket {
  send(text: string): void
  close(): void
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10
const BYTES_MAX = 1_000_000

/** Answers the handshake of a client; its messages go to `onText`. */
export function acceptSocket(
  request: IncomingMessage,
  stream: Duplex,
  { onText, onEnd }: { onText: (text: string) => void; onEnd: () => void },
): Socket {
  const key = String(request.headers['sec-websocket-key'])
  const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64')
  stream.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  let held = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    if (held.length > BYTES_MAX) stream.destroy()
    for (let frame = readFrame(held); frame !== null; frame = readFrame(held)) {
      held = held.subarray(frame.length)
      if (frame.code === TEXT) onText(frame.payload.toString())
      else if (frame.code === PING) stream.write(frameOf(PONG, frame.payload))
      else if (frame.code === CLOSE) stream.end(frameOf(CLOSE, frame.payload))
    }
  })
  // A server's streams stay half open: a client that hung up would never be released.
  stream.on('end', () => stream.destroy())
  stream.on('close', onEnd)
  stream.on('error', () => stream.destroy())
  return {
    send: (text) => void stream.write(frameOf(TEXT, Buffer.from(text))),
    close: () => void stream.destroy(),
  }
}

interface Frame {
  code: number
  payload: Buffer
  /** Of the whole frame. */
  length: number
}

/** The first frame; null if incomplete. Clients mask their frames. */
function readFrame(bytes: Buffer): Frame | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] ?? 0) & 127
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0
  if (bytes.length < 2 + extra + 4) return null
  const size =
    extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  const from = 2 + extra + 4
  if (bytes.length < from + size) return null
  const mask = bytes.subarray(from - 4, from)
  const payload = Buffer.from(bytes.subarray(from, from + size))
  for (const [at, byte] of payload.entries()) payload[at] = byte ^ (mask[at % 4] ?? 0)
  return { code: (bytes[0] ?? 0) & 15, payload, length: from + size }
}

function frameOf(code: number, payload: Buffer): Buffer {
  const { length } = payload
  if (length < 126) return Buffer.concat([Buffer.from([128 | code, length]), payload])
  if (length < 65_536) {
    return Buffer.concat([Buffer.from([128 | code, 126, length >> 8, length & 255]), payload])
  }
  const head = Buffer.alloc(10)
  head[0] = 128 | code
  head[1] = 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}
