import type { Socket } from 'node:net'

/** A request as it came, whole. */
export interface Asked {
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

const HEAD_END = '\r\n\r\n'

/**
 * Reads the HTTP/1.1 requests of a connection and hands each over once it is whole. It takes bodies
 * of a stated length only, which all senders here have; a connection that says anything else is
 * ended. (With the server of Node the receiver took as much of a processor as the limit itself.)
 */
export function readRequests(socket: Socket, take: (asked: Asked) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  const whole = (): Asked | null => {
    const end = rest.indexOf(HEAD_END)
    if (end === -1) return null
    const { path, headers } = readHead(rest.toString('latin1', 0, end))
    const from = end + HEAD_END.length
    const to = from + lengthIn(headers)
    if (rest.length < to) return null
    const body = rest.subarray(from, to)
    rest = rest.subarray(to)
    return { path, headers, body }
  }
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    try {
      for (let asked = whole(); asked !== null; asked = whole()) take(asked)
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined)
    }
  })
}

function readHead(text: string): Pick<Asked, 'path' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n')
  const [method, path = '', version] = first.split(' ')
  if (method !== 'POST' || version !== 'HTTP/1.1') throw new Error(`not a webhook: ${first}`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`not a header: ${line}`)
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { path, headers }
}

function lengthIn(headers: Record<string, string>): number {
  const text = headers['content-length'] ?? ''
  if (headers['transfer-encoding'] !== undefined || !/^[0-9]+$/.test(text))
    throw new Error('a body without a stated length')
  return Number(text)
}

/** An acknowledgement, with the headers that a server of Node gives one. */
export function acknowledgement(at: number): string {
  const second = Math.floor(at / 1_000)
  if (second !== made.second) {
    const date = new Date(at).toUTCString()
    const lines = ['HTTP/1.1 200 OK', 'content-length: 0', `Date: ${date}`]
    const kept = ['Connection: keep-alive', 'Keep-Alive: timeout=120']
    made = { second, text: [...lines, ...kept].join('\r\n') + HEAD_END }
  }
  return made.text
}

let made = { second: 0, text: '' }
