import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '@sluice/simulator'
import { listenSomewhere } from '../../test/adapters/scripted-node.ts'
import { systemClock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { openHttp, RETRY_AFTER_MAX_MS, safeName, Unfinished } from './http.ts'
import type { Http } from './http.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A node that answers as the listener says, and a client. */
async function nodeThat(listener: RequestListener, timeoutMs = 20_000) {
  const server = createServer(listener)
  const port = await listenSomewhere(server)
  const http: Http = openHttp({ clock: systemClock, timeoutMs })
  open.push({ close: () => http.close() }, { close: () => server.closeAllConnections() }, server)
  const url = `http://127.0.0.1:${port}`
  const post = (bytesMax = 1_000) => http.node({ url }).post({ body: '{}', bytesMax })
  return { url, http, post }
}

async function outageOf(work: Promise<unknown>): Promise<Outage> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Outage)
  return error instanceof Outage ? error : new Outage('none', 'none')
}

function encode(text: string, codings: string): Buffer {
  const encoders: Record<string, (body: Buffer) => Buffer> = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  }
  return codings
    .toLowerCase()
    .split(', ')
    .reduce<Buffer>((body, coding) => encoders[coding]?.(body) ?? body, Buffer.from(text))
}

describe('a node that misbehaves', () => {
  test('one that never answers is an outage within the deadline [N08]', async () => {
    const { post } = await nodeThat(() => undefined, 150)
    const outage = await outageOf(post())
    expect(outage.message).toContain('no answer within 150 ms')
    expect(outage).toBeInstanceOf(Unfinished)
  })

  test('one that stalls within its body is an outage within the deadline [N08]', async () => {
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(200, { 'content-length': '500' }).write('{"half":')
    }, 150)
    expect((await outageOf(post())).message).toContain('no answer within 150 ms')
  })

  test('an endless answer is an outage within the deadline [N08]', async () => {
    const { post } = await nodeThat((_request, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    }, 200)
    expect((await outageOf(post(1_000_000))).message).toContain('no answer within 200 ms')
  })

  test('one that is not there is an outage that names it', async () => {
    const http = openHttp({ clock: systemClock, timeoutMs: 20_000 })
    open.push(http)
    const url = `http://127.0.0.1:${await freePort()}`
    const outage = await outageOf(http.node({ url }).post({ body: '{}', bytesMax: 1 }))
    expect(outage.message).toBe(`${url}: cannot be reached (ECONNREFUSED)`)
    expect(outage).not.toBeInstanceOf(Unfinished)
  })

  test('one that resets the connection is an outage', async () => {
    const { post } = await nodeThat((request) => request.socket.resetAndDestroy())
    await outageOf(post())
  })

  test('one that ends before its body does is an outage', async () => {
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(200, { 'content-length': '500' })
      response.write('{', () => response.socket?.destroy())
    })
    await outageOf(post())
  })

  test('a reply of 50 MB is refused before it is held [N09]', async () => {
    const chunk = Buffer.alloc(1_000_000, 0x20)
    let sent = 0
    const { post } = await nodeThat((_request, response) => {
      const more = () => {
        while (sent < 50 && !response.destroyed) {
          sent += 1
          if (!response.write(chunk)) return
        }
        response.end()
      }
      response.on('drain', more).on('error', () => undefined)
      more()
    })
    expect((await outageOf(post(1_000_000))).message).toContain('more than 1000000 bytes')
    expect(sent).toBeLessThan(50)
  })

  test('a length that is announced too long is refused unread [N09]', async () => {
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(200, { 'content-length': '50000000' }).write(' ')
    })
    const outage = await outageOf(post())
    expect(outage.message).toContain('more than 1000 bytes')
    expect(outage).toBeInstanceOf(Unfinished)
  })

  test.each([
    'Identity',
    'IDENTITY, identity',
    '',
    'gzip',
    'X-GZip',
    'deflate',
    'br',
    'gzip, identity',
    'deflate, gzip',
  ])('reads a reply with the content coding "%s"', async (coding) => {
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(encode('{"ok":1}', coding))
    })
    expect((await post()).body.toString()).toBe('{"ok":1}')
  })

  test.each([
    ['zstd', 'unknown content coding'],
    ['gzip, toString', 'unknown content coding'],
    ['gzip', 'broken content coding'],
  ])('fails on a reply that cannot be decoded as "%s"', async (coding, says) => {
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(Buffer.from('1f8b', 'hex'))
    })
    expect((await outageOf(post())).message).toContain(says)
  })

  test('fails on a reply that decodes to more than its limit [N09]', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000))
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    expect(await outageOf(post(10_000))).toBeInstanceOf(Unfinished)
  })

  test('reads a reply that comes byte by byte', async () => {
    const { post } = await nodeThat((_request, response) => {
      for (const byte of '{"ok":1}') response.write(byte)
      response.end()
    })
    expect((await post()).body.toString()).toBe('{"ok":1}')
  })

  test('redirects are not followed', async () => {
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    })
    expect((await outageOf(post())).message).toContain('302')
  })
})

describe('a node that is busy', () => {
  const busy = async (status: number, headers: Record<string, string>) => {
    const { post } = await nodeThat((_request, response) => {
      response.writeHead(status, headers).end('slow down')
    })
    return outageOf(post())
  }

  test('503 without Retry-After asks for no certain pause [N07]', async () => {
    expect((await busy(503, {})).retryAfterMs).toBeNull()
  })

  test.each([{}, { 'retry-after': 'soon' }])(
    'N07 429 that does not say how long (%j) is left alone for a second',
    async (headers) => {
      expect((await busy(429, headers)).retryAfterMs).toBe(1_000)
    },
  )

  test.each([
    ['7', 7_000],
    ['0', 0],
    ['999999999', RETRY_AFTER_MAX_MS],
  ])('Retry-After of %s s is understood [N07]', async (seconds, ms) => {
    expect((await busy(429, { 'retry-after': seconds })).retryAfterMs).toBe(ms)
  })

  test('Retry-After as a date is understood [N07]', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString()
    const { retryAfterMs } = await busy(503, { 'retry-after': at })
    expect(retryAfterMs).toBeGreaterThan(50_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test('Retry-After that says nothing asks for no certain pause [N07]', async () => {
    expect((await busy(503, { 'retry-after': 'soon' })).retryAfterMs).toBeNull()
  })
})

describe('a request to a node', () => {
  test('has its path, query, credentials and headers, and accepts no compression', async () => {
    const seen: IncomingMessage[] = []
    const { url, http } = await nodeThat((request, response) => {
      seen.push(request)
      response.end('{"ok":true}')
    })
    const withKey = `${url.replace('//', '//us%40er:p%3Aw@')}/v3/key?x=1`
    const node = http.node({ url: withKey, headers: { 'x-api-key': 'k' } })
    const reply = await node.post({ body: '{}', bytesMax: 100 })
    expect(reply).toEqual({ status: 200, body: Buffer.from('{"ok":true}') })
    await node.post({ path: '/wallet/getnowblock', body: '{}', bytesMax: 100 })
    const basic = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`
    expect(seen.map(({ url: path }) => path)).toEqual([
      '/v3/key?x=1',
      '/v3/key/wallet/getnowblock?x=1',
    ])
    expect(seen[0]?.headers).toMatchObject({
      authorization: basic,
      'x-api-key': 'k',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    })
  })

  test('user and password of a file are those that stand there since the node began', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cookie-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const cookieFile = join(folder, '.cookie')
    let wanted = 'Basic '
    const { url, http } = await nodeThat((request, response) => {
      response.writeHead(request.headers.authorization === wanted ? 200 : 401).end('{}')
    })
    const node = http.node({ url, cookieFile })
    const post = () => node.post({ body: '{}', bytesMax: 10 })
    const starts = (pair: string) => {
      writeFileSync(cookieFile, pair)
      wanted = `Basic ${Buffer.from(pair.trim()).toString('base64')}`
    }
    expect((await outageOf(post())).message).toContain('cookie file cannot be read (ENOENT)')
    starts('__cookie__:first\n')
    expect((await post()).status).toBe(200)
    starts('__cookie__:second')
    expect((await post()).status).toBe(401)
    expect((await post()).status).toBe(200)
    starts('none')
    await post()
    expect((await outageOf(post())).message).toContain('holds no user and password')
  })

  test('is a GET without a body if it has only a path', async () => {
    const { url, http } = await nodeThat((request, response) => {
      response.end(`${request.method} ${request.url} ${request.headers['content-length'] ?? '-'}`)
    })
    const reply = await http.node({ url: `${url}/key/` }).get?.('/rest/x.bin', 100)
    expect(reply?.body.toString()).toBe('GET /key/rest/x.bin -')
  })

  test('connections carry many exchanges', async () => {
    const sockets = new Set<unknown>()
    const { post } = await nodeThat((request, response) => {
      sockets.add(request.socket)
      response.end('{}')
    })
    for (let round = 0; round < 20; round += 1) await post()
    expect(sockets.size).toBeLessThan(5)
  })
})

describe('names of nodes', () => {
  test('hold no credentials, path or query', async () => {
    expect(safeName('https://user:secret@node.example:8443/v3/key?token=x#y')).toBe(
      'https://node.example:8443',
    )
    expect(safeName('no url, with a secret')).toBe('a node whose URL is malformed')
    const { url, http } = await nodeThat(() => undefined, 50)
    const outage = await outageOf(
      http.node({ url: `${url}/secret?secret` }).post({ body: '{}', bytesMax: 1 }),
    )
    expect(JSON.stringify([outage.message, outage.what, outage.stack])).not.toContain('secret')
  })

  test('of other protocols are refused', () => {
    const http = openHttp({ clock: systemClock, timeoutMs: 50 })
    open.push(http)
    for (const url of ['ws://127.0.0.1', 'file:///etc/passwd', 'nonsense']) {
      expect(() => http.node({ url })).toThrow(Outage)
    }
  })
})
