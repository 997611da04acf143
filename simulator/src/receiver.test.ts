import { createHmac } from 'node:crypto'
import { request as requestTls } from 'node:https'
import { afterEach, describe, expect, test } from 'vitest'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'
import { testCertificate } from './test-certificate.ts'
import { verifyWebhook } from './verify-webhook.ts'

const open: Receiver[] = []
const start = async (options?: ReceiverOptions) => {
  const receiver = await startReceiver(options)
  open.push(receiver)
  return receiver
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.stop()))
})

const post = (url: string, body = '{"a":1}', signal: AbortSignal | null = null) =>
  fetch(url, { method: 'POST', body, headers: { 'X-Test': 'yes' }, redirect: 'manual', signal })

describe('the receiver', () => {
  test('the receiver keeps headers and the exact bytes of the body', async () => {
    const receiver = await start()
    const body = '{"name":"Zoë €", "n" : 1}\n'
    expect((await post(`${receiver.url}/hook`, body)).status).toBe(200)
    expect(receiver.received).toMatchObject([{ method: 'POST', path: '/hook', body }])
    expect(receiver.received[0]?.raw).toEqual(Buffer.from(body))
    expect(receiver.received[0]?.headers['x-test']).toBe('yes')
    expect(receiver.received[0]?.receivedAt).toBeTypeOf('number')
    expect(receiver.connections).toBe(1)
  })

  test('the receiver follows its script, then its default behaviour', async () => {
    const receiver = await start()
    receiver.script(
      { do: 'answer', status: 503, headers: { 'retry-after': '5' }, body: 'later' },
      { do: 'redirect', to: 'http://127.0.0.1/secret' },
      { do: 'bomb', bytes: 200_000 },
      { do: 'bomb', bytes: 300_000, gzip: true },
    )
    receiver.behave({ do: 'answer', status: 204 })
    const busy = await post(receiver.url)
    expect([busy.status, busy.headers.get('retry-after'), await busy.text()]).toEqual([
      503,
      '5',
      'later',
    ])
    const moved = await post(receiver.url)
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://127.0.0.1/secret'])
    expect((await (await post(receiver.url)).arrayBuffer()).byteLength).toBe(200_000)
    expect((await (await post(receiver.url)).arrayBuffer()).byteLength).toBe(300_000)
    expect((await post(receiver.url)).status).toBe(204)
    expect((await post(receiver.url)).status).toBe(204)
  })

  test('the receiver hangs, drips and closes', async () => {
    const receiver = await start()
    receiver.script({ do: 'close' }, { do: 'drip', everyMs: 5 }, { do: 'hang' })
    await expect(post(receiver.url)).rejects.toThrow('fetch failed')
    const dripping = await post(receiver.url)
    expect(dripping.status).toBe(200)
    const reader = dripping.body?.getReader()
    expect((await reader?.read())?.value).toEqual(Uint8Array.of(46))
    await reader?.cancel()
    const leaving = new AbortController()
    const hung = post(receiver.url, '{}', leaving.signal)
    await receiver.waitFor((received) => received.length === 3)
    leaving.abort()
    await expect(hung).rejects.toThrow('aborted')
  })

  test('the receiver speaks TLS with a test certificate', async () => {
    const tls = testCertificate()
    const receiver = await start({ tls })
    expect(receiver.url).toMatch(/^https:/)
    const status = await new Promise((resolve, reject) => {
      const call = requestTls(receiver.url, { method: 'POST', ca: tls.cert }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.on('error', reject)
      call.end('{}')
    })
    expect(status).toBe(200)
    await expect(post(receiver.url)).rejects.toThrow('fetch failed')
  })

  test('the receiver verifies with the secret of its start, or another', async () => {
    const receiver = await start({ secret: SECRET })
    await fetch(receiver.url, { method: 'POST', body: BODY, headers: signed(BODY) })
    const [webhook] = receiver.received
    if (webhook === undefined) throw new Error('nothing received')
    expect(receiver.verify(webhook)).toBeNull()
    expect(receiver.verify(webhook, { secret: 'whsec_AAAA' })).toBe('WRONG_SIGNATURE')
  })
})

/** The secret, the message and the signature that the Standard Webhooks libraries test with. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = '{"test": 2432232314}'
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const signed = (body: string) => ({
  ...HEADERS,
  'x-webhook-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
})

describe('a webhook verified by independent code [H07]', () => {
  const request = (headers: Record<string, string>, body = BODY) => ({
    headers,
    raw: Buffer.from(body),
  })

  test('the published example verifies', () => {
    const now = 1_614_265_330_000
    expect(verifyWebhook(request(signed(BODY)), SECRET, { now })).toBeNull()
  })

  test('one of several signatures is enough', () => {
    const several = `v1,AAAA v2,zzz ${HEADERS['webhook-signature']}`
    const headers = { ...signed(BODY), 'webhook-signature': several }
    expect(verifyWebhook(request(headers), SECRET)).toBeNull()
  })

  test('verification names a changed byte, id, time, digest or a missing header', () => {
    const check = (headers: Record<string, string>, body?: string, now?: number) =>
      verifyWebhook(request(headers, body), SECRET, now === undefined ? {} : { now })
    const good = signed(BODY)
    expect(check(good, `${BODY} `)).toBe('WRONG_SIGNATURE')
    expect(check({ ...good, 'webhook-id': 'msg_other' })).toBe('WRONG_SIGNATURE')
    expect(check({ ...good, 'webhook-timestamp': '1614265331' })).toBe('WRONG_SIGNATURE')
    expect(check({ ...good, 'x-webhook-signature': 'aa' })).toBe('WRONG_HEX_SIGNATURE')
    expect(check(HEADERS)).toBe('MISSING_HEADER')
    expect(check(good, BODY, 1_614_265_330_000 + 301_000)).toBe('TIMESTAMP_OUT_OF_TOLERANCE')
    expect(check(good, BODY, 1_614_265_330_000 - 301_000)).toBe('TIMESTAMP_OUT_OF_TOLERANCE')
  })
})
