import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Door, listenLow, openDoor } from '../../test/support/door.ts'
import { openServer } from './http/server.ts'

/** Between two bytes: far less than the time limit of a request of any length. */
const DRIP_MS = 20
const SOON = { request: 400, headers: 200, check: 50 }

let door: Door
let port: number
beforeAll(async () => {
  door = await openDoor()
  const server = openServer(door.deps, SOON)
  port = Number(new URL(await listenLow({ ...door, server })).port)
  return () => server.close()
})
afterAll(() => door.close())

test.each([
  ['its first line', () => 'GET /', 'x'],
  ['its headers', () => 'GET /chains HTTP/1.1\r\nHost: x\r\nx-drip: ', 'x'],
  ['a body of some length', () => patch('content-length: 60000', '{"webhookUrl":"https://'), 'x'],
  ['a body in chunks', () => patch('transfer-encoding: chunked', ''), '1\r\n \r\n'],
])('a connection that drips %s is refused and closed [V08]', async (_what, head, bytes) => {
  const answers = (await drip(head(), bytes)).match(/^HTTP\/1\.1 \d{3} /gm)
  expect(answers).toEqual(['HTTP/1.1 400 '])
})

/** The beginning of a valid request. */
function patch(length: string, body: string): string {
  const type = 'content-type: application/json'
  const lines = ['PATCH /organisation/webhook HTTP/1.1', 'Host: x', type, length]
  return [...lines, `x-api-key: ${door.a.key}`, '', body].join('\r\n')
}

/** Sends bytes until the server closes the connection, and returns its response. */
function drip(head: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const dripping = setInterval(() => socket.writable && socket.write(bytes), DRIP_MS)
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    // A byte in flight when the server closes causes a reset.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(dripping)
      resolve(text)
    })
    socket.write(head)
  })
}
