import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const A = 1
const HEADER_BYTES = 12
const NAME_POINTER = 0xc00c

/** A DNS server on 127.0.0.1 that answers A with 127.0.0.1, and never answers `*.silent.test`. */
export interface NameServer {
  /** `address:port`, as resolvers take it. */
  address: string
  /** Names asked for, once for each question. */
  readonly asked: readonly string[]
}

/** Starts the server; it stops when the test ends. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = parseQuestion(query)
    asked.push(name)
    if (!name.endsWith('.silent.test'))
      socket.send(answerOf(query, { type, end }), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

/** RFC 1035, 4.1.2. `end` is the offset after the question. */
function parseQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** RFC 1035, 4.1.1 and 4.1.3: one record for A, none for other types and for `missing.test`. */
function answerOf(query: Buffer, { type, end }: { type: number; end: number }): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  const isFound = type === A && parseQuestion(query).name !== 'missing.test'
  header.writeUInt16BE(isFound ? 1 : 0, 6)
  const record = Buffer.alloc(16)
  record.writeUInt16BE(NAME_POINTER, 0)
  record.writeUInt16BE(A, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(4, 10)
  Buffer.from([127, 0, 0, 1]).copy(record, 12)
  const question = query.subarray(HEADER_BYTES, end)
  return Buffer.concat([header, question, ...(isFound ? [record] : [])])
}
