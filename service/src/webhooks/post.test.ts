import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { freePort, startReceiver, testCertificate } from '@sluice/simulator'
import type { Behaviour, Receiver } from '@sluice/simulator'
import { afterEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { Deadlines } from './deadlines.ts'
import type { Answer } from './delivery.ts'
import { openPoster } from './post.ts'
import type { Poster } from './post.ts'
import type { Resolve } from './target.ts'

const BODY = Buffer.from('{"type":"account.created"}')
const NAME = 'hooks.acme.com'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

describe('a POST to a receiver', () => {
  test('a POST has exactly the given bytes and headers', async () => {
    const { poster } = openHere()
    const receiver = await receive()
    const url = new URL('/hook?tenant=7', receiver.url)
    const headers = { 'content-type': 'application/json', 'webhook-id': 'x' }
    const answer = await poster.send({ url, headers, body: BODY })
    expect(answer).toEqual({ status: 200, headers: {}, body: '', error: '' })
    const [got] = receiver.received
    expect(got).toMatchObject({ method: 'POST', path: '/hook?tenant=7', headers })
    expect(got?.raw.equals(BODY)).toBe(true)
  })

  test('two successive POSTs share one connection', async () => {
    const { poster } = openHere()
    const receiver = await receive()
    await send(poster, receiver)
    await send(poster, receiver)
    expect([receiver.received.length, receiver.connections]).toEqual([2, 1])
  })

  test.each([301, 302, 303, 304, 305, 307, 308])(
    'a redirect with status %i is not followed [H03]',
    async (status) => {
      const { poster } = openHere()
      const inner = await receive()
      const receiver = await receive({ do: 'redirect', to: `${inner.url}/admin`, status })
      expect(await send(poster, receiver)).toMatchObject({ status, error: '' })
      expect([receiver.received.length, inner.connections]).toEqual([1, 0])
    },
  )

  test('at most 16 KiB of an endless answer are read, and it is accepted [H05]', async () => {
    const { poster } = openHere()
    const receiver = await receive({ do: 'bomb', bytes: Number.MAX_SAFE_INTEGER })
    expect(await send(poster, receiver)).toEqual({
      status: 200,
      headers: {},
      body: '.'.repeat(16_384),
      error: '',
    })
    receiver.behave({ do: 'answer', status: 200 })
    expect(await send(poster, receiver)).toMatchObject({ status: 200, body: '', error: '' })
    expect(receiver.received).toHaveLength(2)
  })

  test('a compressed answer is not decompressed [H05]', async () => {
    const { poster } = openHere()
    const receiver = await receive({ do: 'bomb', bytes: 1_000_000, gzip: true })
    const answer = await send(poster, receiver)
    expect(answer).toMatchObject({ status: 200, error: '' })
    expect(Buffer.byteLength(answer?.body ?? '')).toBeLessThan(3 * 16_384)
    expect(answer?.body.startsWith('\u001f')).toBe(true)
  })

  test('a header with a thousand encodings is harmless [H05]', async () => {
    const { poster } = openHere()
    const headers = { 'content-encoding': Array.from({ length: 1_000 }, () => 'gzip').join(', ') }
    const receiver = await receive({ do: 'answer', status: 200, headers, body: 'ok' })
    expect(await send(poster, receiver)).toMatchObject({ status: 200, body: 'ok', error: '' })
  })

  test('headers of a refusal are stored up to the maximum, without cookies', async () => {
    const { poster } = openHere()
    const headers = { 'X-Reason': 'full', 'Set-Cookie': 'session=secret' }
    const receiver = await receive({ do: 'answer', status: 503, headers, body: 'no' })
    const refused = await send(poster, receiver)
    expect(refused?.headers).toMatchObject({ 'x-reason': 'full', 'set-cookie': '(withheld)' })
    expect(JSON.stringify(refused)).not.toContain('secret')
    const long = { 'x-first': 'kept', 'x-long': 'x'.repeat(9_000) }
    receiver.behave({ do: 'answer', status: 503, headers: long })
    const cut = await send(poster, receiver)
    expect(cut?.headers).toMatchObject({ 'x-first': 'kept' })
    expect(cut?.headers).not.toHaveProperty('x-long')
  })

  test('characters that cannot be stored are replaced', async () => {
    const { poster } = openHere()
    const receiver = await receive({ do: 'answer', status: 500, body: 'a\0b' })
    expect(await send(poster, receiver)).toMatchObject({ status: 500, body: 'a\uFFFDb' })
  })

  test.each([
    [200, ''],
    [503, expect.stringContaining('other side closed')],
  ])('a truncated body does not change the result of a %i [H04]', async (status, error) => {
    const { poster } = openHere()
    const { port, opened } = await listenMute()
    const url = new URL(`http://127.0.0.1:${port}/`)
    const answer = poster.send({ url, headers: {}, body: BODY })
    const socket = await opened
    await readBack(socket)
    socket.end(`HTTP/1.1 ${status} Said\r\ncontent-length: 5\r\n\r\nok`)
    expect(await answer).toMatchObject({ status, body: 'ok', error })
  })

  test('a closed connection and a closed port are reported as answers', async () => {
    const { poster } = openHere()
    const receiver = await receive({ do: 'close' })
    expect(await send(poster, receiver)).toMatchObject({
      status: null,
      error: expect.stringMatching(/other side closed/),
    })
    const nobody = new URL(`http://127.0.0.1:${await freePort()}/`)
    const answer = await poster.send({ url: nobody, headers: {}, body: BODY })
    expect(answer).toMatchObject({
      status: null,
      error: expect.stringMatching(/^connect: .*ECONNREFUSED/),
    })
  })
})

describe('the deadline of a POST', () => {
  test('the deadline of a POST covers DNS', async () => {
    const { poster, clock } = openHere({ resolve: () => new Promise(() => undefined) })
    const url = new URL(`http://${NAME}/`)
    const answer = poster.send({ url, headers: {}, body: BODY })
    expect(await late(answer, clock)).toMatchObject({ status: null, body: '', error: LATE })
  })

  test('the deadline of a POST covers the TLS handshake', async () => {
    const { poster, clock } = openHere()
    const { port, opened } = await listenMute()
    const url = new URL(`https://127.0.0.1:${port}/`)
    const answer = poster.send({ url, headers: {}, body: BODY })
    const socket = await opened
    expect(await late(answer, clock)).toMatchObject({ status: null, body: '', error: LATE })
    await gone(socket)
  })

  test('the deadline of a POST covers the wait for the headers', async () => {
    const { poster, clock } = openHere()
    const receiver = await receive({ do: 'hang' })
    const answer = send(poster, receiver)
    await receiver.waitFor((received) => received.length === 1)
    expect(await late(answer, clock)).toMatchObject({ status: null, body: '', error: LATE })
  })

  test.each([
    [200, 'acknowledges', ''],
    [201, 'acknowledges', ''],
    [299, 'acknowledges', ''],
    [302, 'is late', LATE],
    [500, 'is late', LATE],
  ])('the deadline covers a slow body: a %i before it %s [H04]', async (status, _what, error) => {
    const { poster, clock } = openHere()
    const { port, opened } = await listenMute()
    const answer = poster.send({
      url: new URL(`http://127.0.0.1:${port}/`),
      headers: {},
      body: BODY,
    })
    const socket = await opened
    socket.write(`HTTP/1.1 ${status} Said\r\ncontent-length: 100\r\n\r\n.`)
    await readBack(socket)
    expect(await late(answer, clock)).toMatchObject({ status, body: '.', error })
    await gone(socket)
  })

  test('an informational status (103) is not an answer', async () => {
    const { poster, clock } = openHere()
    const { port, opened } = await listenMute()
    const url = new URL(`http://127.0.0.1:${port}/`)
    const answer = poster.send({ url, headers: {}, body: BODY })
    const socket = await opened
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')
    await readBack(socket)
    expect(await late(answer, clock)).toMatchObject({ status: null, body: '', error: LATE })
  })

  test('an answer before the deadline is not truncated later', async () => {
    const { poster, clock } = openHere()
    const receiver = await receive()
    await send(poster, receiver)
    await clock.advance(15_000)
    receiver.behave({ do: 'hang' })
    const answer = send(poster, receiver)
    await receiver.waitFor((received) => received.length === 2)
    await clock.advance(29_999)
    expect(await Promise.race([answer, Promise.resolve('still waiting')])).toBe('still waiting')
    await clock.advance(1)
    expect(await answer).toMatchObject({ error: LATE })
  })

  test('closing aborts running POSTs without an answer', async () => {
    const { poster, deadlines } = openHere()
    const receiver = await receive({ do: 'hang' })
    const answer = send(poster, receiver)
    await receiver.waitFor((received) => received.length === 1)
    deadlines.close()
    expect(await answer).toBeNull()
    expect(await send(poster, receiver)).toBeNull()
  })
})

describe('TLS to a receiver', () => {
  test('an untrusted certificate is refused before the request is sent', async () => {
    const { poster } = openHere({ resolve: home })
    const receiver = await receiveTls(NAME)
    const answer = await sendTls(poster, receiver)
    expect(answer).toMatchObject({
      status: null,
      error: expect.stringMatching(/^TLS: DEPTH_ZERO_SELF_SIGNED_CERT/),
    })
    expect(receiver.received).toEqual([])
  })

  test('a certificate for another name is refused', async () => {
    const tls = testCertificate(['other.acme.com'])
    const { poster } = openHere({ resolve: home, ca: tls.cert })
    const receiver = await receiveTls(NAME, tls)
    const answer = await sendTls(poster, receiver)
    expect(answer).toMatchObject({
      status: null,
      error: expect.stringMatching(/^TLS: ERR_TLS_CERT_ALTNAME_INVALID/),
    })
    expect(receiver.received).toEqual([])
  })

  test('the certificate is checked against the name, not against the address', async () => {
    const tls = testCertificate([NAME])
    const { poster } = openHere({ resolve: home, ca: tls.cert })
    const receiver = await receiveTls(NAME, tls)
    expect(await sendTls(poster, receiver)).toMatchObject({ status: 200, error: '' })
    expect(receiver.received[0]?.headers['host']).toBe(`${NAME}:${receiver.port}`)
  })
})

const LATE = 'no whole answer within 30000 ms'
const home: Resolve = async () => ['127.0.0.1']

/** A poster with a stopped clock that may connect to this machine. */
function openHere(options: { resolve?: Resolve; ca?: string } = {}) {
  const clock = new ManualClock()
  const deadlines = new Deadlines(clock, 30_000)
  const poster = openPoster({
    rules: { allowHttp: true, allowPrivate: true, devOrigins: [] },
    resolve: home,
    deadlines,
    deadlineMs: 30_000,
    answerBytesMax: 16_384,
    ...options,
  })
  ends.push(
    () => deadlines.close(),
    () => poster.close(),
  )
  return { poster, clock, deadlines }
}

async function receive(behaviour?: Behaviour): Promise<Receiver> {
  const receiver = await startReceiver()
  if (behaviour) receiver.behave(behaviour)
  ends.push(() => receiver.stop())
  return receiver
}

async function receiveTls(name: string, tls = testCertificate([name])): Promise<Receiver> {
  const receiver = await startReceiver({ tls })
  ends.push(() => receiver.stop())
  return receiver
}

function send(poster: Poster, receiver: Receiver): Promise<Answer | null> {
  return poster.send({ url: new URL(receiver.url), headers: {}, body: BODY })
}

function sendTls(poster: Poster, receiver: Receiver): Promise<Answer | null> {
  return poster.send({ url: new URL(`https://${NAME}:${receiver.port}/`), headers: {}, body: BODY })
}

/** Advances past the deadline and returns the answer. */
async function late(answer: Promise<Answer | null>, clock: ManualClock): Promise<Answer | null> {
  await clock.advance(29_999)
  expect(await Promise.race([answer, Promise.resolve('still waiting')])).toBe('still waiting')
  await clock.advance(1)
  return answer
}

/** A listener that sends no data by itself; `opened` is its first connection. */
async function listenMute(): Promise<{ port: number; opened: Promise<Socket> }> {
  const server = createServer()
  const opened = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  ends.push(() => void server.close())
  return { port, opened }
}

/** Waits until the other side has read the request completely. */
async function readBack(socket: Socket): Promise<void> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.includes(BODY.toString())) break
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
}

async function gone(socket: Socket): Promise<void> {
  socket.resume()
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
}
