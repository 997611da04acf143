import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { freePort } from '@sluice/simulator'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { type Entry, type Place, streamList } from './http/paging.ts'

const BATCH = 1_000
const BATCHES = 200
/** A record as wide as they get: a whole list of these is some 400 MB. */
const VIEW = 'x'.repeat(2_000)
/** The buffers of the kernel and of ours hold some 10 MB of the 400, at 2 MB a batch. */
const AHEAD_MAX = 20

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

test('a long list is not read far ahead when the client stops reading', async () => {
  const { counted, socket } = await listTo()
  socket.pause()
  await untilStill(counted)
  expect(counted.reads).toBeGreaterThan(0)
  expect(counted.reads).toBeLessThan(AHEAD_MAX)
  // The rest arrives when the client reads on.
  const text = await endOf(socket)
  expect(counted.reads).toBe(BATCHES + 1)
  expect(text.endsWith(']}\r\n0\r\n\r\n')).toBe(true)
})

test('a long list is not read on when the client disconnects', async () => {
  const { counted, socket } = await listTo()
  socket.pause()
  await untilStill(counted)
  const before = counted.reads
  socket.destroy()
  await once(socket, 'close')
  await untilStill(counted)
  expect(counted.reads).toBeLessThanOrEqual(before + 1)
})

interface Counted {
  reads: number
}

/** A list that is served over a real socket, and its client. */
async function listTo(): Promise<{ counted: Counted; socket: Socket }> {
  const counted = { reads: 0 }
  const server = fastify()
  server.get('/', () => streamList('all', reader(counted)))
  opened.push(server)
  const port = await listenLow(server)
  const socket = connect(port, '127.0.0.1')
  opened.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return { counted, socket }
}

function reader(counted: Counted) {
  return async (after: Place | null, limit: number): Promise<Entry<string>[]> => {
    counted.reads += 1
    const from = after === null ? BATCHES * BATCH : after.createdAt
    return Array.from({ length: Math.min(limit, from) }, (_, at) => {
      const createdAt = from - at - 1
      return { place: { createdAt, id: String(createdAt) }, view: VIEW }
    })
  }
}

/** Waits until a count stays the same for a while. */
async function untilStill(counted: Counted): Promise<void> {
  for (let before = -1; before !== counted.reads || before === 0; ) {
    before = counted.reads
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** The last characters of the complete response. */
async function endOf(socket: Socket): Promise<string> {
  let tail = ''
  socket.on('data', (chunk) => {
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 20))).slice(-20)
  })
  socket.resume()
  await once(socket, 'end')
  return tail
}

async function listenLow(server: FastifyInstance): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const port = await freePort()
    try {
      await server.listen({ host: '127.0.0.1', port })
      return port
    } catch (error) {
      if (tries > 20) throw error
    }
  }
}
