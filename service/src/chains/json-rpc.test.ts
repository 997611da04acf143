import { describe, expect, test } from 'vitest'
import { Outage } from '../base/fault.ts'
import { Declined, openJsonRpc, RpcRefusal } from './json-rpc.ts'
import type { RequestReport } from './json-rpc.ts'

interface SentCall {
  id: number
  method: string
}

/** A client whose node answers with the text that the script makes of the request. */
function rpcThat(script: (sent: never) => string, status = 200) {
  const reports: RequestReport[] = []
  let now = 0
  const clock = { now: () => (now += 5), sleep: () => Promise.resolve() }
  const http = {
    name: 'http://node',
    post: ({ body }: { body: string }) => {
      const { sent }: { sent: never } = JSON.parse(`{"sent":${body}}`)
      return Promise.resolve({ status, body: Buffer.from(script(sent)) })
    },
  }
  return { rpc: openJsonRpc(http, clock, (report) => reports.push(report)), reports }
}

const call = { method: 'eth_chainId', params: [] }
const answering = (answer: (sent: SentCall) => unknown) =>
  rpcThat((sent: SentCall) => JSON.stringify(answer(sent)))

describe('one call', () => {
  test('gives its result, null too', async () => {
    const { rpc } = answering(({ id }) => ({ jsonrpc: '2.0', id, result: id === 1 ? '0x1' : null }))
    expect([await rpc.call(call), await rpc.call(call)]).toEqual(['0x1', null])
  })

  test.each<[string, (sent: SentCall) => unknown]>([
    ['the id of another request', ({ id }) => ({ id: id + 1, result: '0x1' })],
    ['no id', () => ({ result: '0x1' })],
    ['neither result nor error', ({ id }) => ({ id })],
    ['a list', ({ id }) => [{ id, result: '0x1' }]],
    ['a number', () => 7],
    ['null', () => null],
  ])('an answer with %s is an outage [N09]', async (_what, answer) => {
    const { rpc } = answering(answer)
    const error = await rpc.call(call).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Outage)
    expect(error).not.toBeInstanceOf(RpcRefusal)
  })

  test.each([
    ['an HTML page', '<html><body>Bad gateway</body></html>'],
    ['half a JSON text', '{"jsonrpc":"2.0","id":1,"resu'],
    ['nothing', ''],
  ])('%s is an outage [N09]', async (_what, text) => {
    const { rpc } = rpcThat(() => text)
    await expect(rpc.call(call)).rejects.toThrow('http://node: answered no JSON-RPC')
  })

  test('a page with status 500 is an outage that names the status [N07]', async () => {
    const { rpc } = rpcThat(() => 'oops', 500)
    await expect(rpc.call(call)).rejects.toThrow('http://node: answered HTTP 500')
  })

  test.each([200, 400, 500])("an error with status %d is the node's refusal", async (status) => {
    const error = { code: -32601, message: 'method not found' }
    const { rpc } = rpcThat(({ id }: SentCall) => JSON.stringify({ id, error }), status)
    const thrown = await rpc.call(call).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(RpcRefusal)
    expect(thrown).toMatchObject({ code: -32601, said: 'method not found', method: 'eth_chainId' })
  })

  test.each([
    [{ code: -32005, message: 'limit exceeded' }, 1_000],
    [{ code: -32029, message: 'the plan allows no more' }, 1_000],
    [{ code: 429, message: 'compute units per second' }, 1_000],
    [{ code: -32000, message: 'Too Many Requests' }, 1_000],
    [{ code: -32000, message: 'header not found' }, null],
  ])('a refusal %j asks for a pause of %j ms [N07]', async (error, retryAfterMs) => {
    const { rpc } = answering(({ id }) => ({ id, error }))
    await expect(rpc.call(call)).rejects.toMatchObject({ retryAfterMs })
  })

  test('an error without an id is a refusal, since the node could not read so far', async () => {
    const { rpc } = answering(() => ({ id: null, error: { code: -32700, message: 'too large' } }))
    await expect(rpc.call(call)).rejects.toBeInstanceOf(RpcRefusal)
  })

  test('an error of an odd shape is a refusal too', async () => {
    const { rpc } = answering(({ id }) => ({ id, error: { code: 'x' } }))
    await expect(rpc.call(call)).rejects.toMatchObject({ code: 0 })
  })

  test('a refusal with control characters has printable ones [N09]', async () => {
    const message = `no\u0000 such\n\u001b[31m method`
    const { rpc } = answering(({ id }) => ({ id, error: { code: 5, message } }))
    const thrown = await rpc.call(call).catch((reason: unknown) => reason)
    expect(String(thrown)).toContain('eth_chainId: no such [31m method (5)')
    expect(thrown).toMatchObject({ said: 'no such [31m method' })
  })

  test('is reported with its method, outcome and time', async () => {
    const { rpc, reports } = answering(({ id }) =>
      id === 1 ? { id, result: 1 } : id === 2 ? { id, error: {} } : { id },
    )
    for (let round = 0; round < 3; round += 1) await rpc.call(call).catch(() => undefined)
    const about = { node: 'http://node', method: 'eth_chainId', ms: 5 }
    expect(reports).toEqual([
      { ...about, outcome: 'ok' },
      { ...about, outcome: 'refused' },
      { ...about, outcome: 'outage' },
    ])
  })
})

/** A node that answers a single call as the script answers the only call of a batch. */
function batchThat(answer: (sent: SentCall[]) => unknown, status = 200) {
  return rpcThat((sent: SentCall | SentCall[]) => {
    const answers = answer([sent].flat())
    const said = Array.isArray(sent) || !Array.isArray(answers) ? answers : answers[0]
    return JSON.stringify(said ?? null)
  }, status)
}

describe('an answer that is no JSON-RPC', () => {
  const thrownBy = (text: string, status = 200) =>
    rpcThat(() => text, status)
      .rpc.call(call)
      .catch((thrown: unknown) => thrown)

  test.each([
    ['a text', 'Too Many Requests'],
    ['a JSON text', '"rate limit reached"'],
    ['an error as text', '{"id":1,"error":"rate limit exceeded"}'],
    ['a code as text', '{"id":1,"error":{"code":"429","message":"units per second"}}'],
  ])('asks for a pause when it is %s about a rate limit [N07]', async (_what, text) => {
    expect(await thrownBy(text)).toMatchObject({ retryAfterMs: 1_000 })
  })

  test('is quoted in the error, without control characters', async () => {
    expect(String(await thrownBy('{"message":"no access","code":31}'))).toContain('"no access"')
    expect(String(await thrownBy('not\n allowed', 403))).toContain('HTTP 403: not allowed')
  })

  test.each([401, 404, 405, 501])('is a declined request with status %d', async (status) => {
    expect(await thrownBy('', status)).toBeInstanceOf(Declined)
  })

  test.each([500, 502, 504])('is no declined request with status %d', async (status) => {
    expect(await thrownBy('{"error":"bad gateway"}', status)).not.toBeInstanceOf(Declined)
    expect(await thrownBy('{"error":"bad gateway"}', status)).not.toBeInstanceOf(RpcRefusal)
  })
})

test('an answer with its id as text is the answer', async () => {
  const { rpc } = answering(({ id }) => ({ id: String(id), error: null, result: '0x1' }))
  expect(await rpc.call(call)).toBe('0x1')
})

describe('a batch', () => {
  const calls = [call, { method: 'eth_blockNumber', params: [] }]
  test('is answered in the order of the calls, in any order of the answers', async () => {
    const { rpc } = batchThat((sent) =>
      sent.toReversed().map(({ id, method }) => ({ id, result: method })),
    )
    const results = await rpc.batch(calls)
    expect(results).toEqual(['eth_chainId', 'eth_blockNumber'])
  })

  test('without calls is answered without a request', async () => {
    const { rpc } = rpcThat(() => 'never')
    expect(await rpc.batch([])).toEqual([])
  })

  test.each<[string, (sent: SentCall[]) => unknown]>([
    ['one answer missing', (sent) => sent.slice(1).map(({ id }) => ({ id, result: 1 }))],
    [
      'one error among results',
      (sent) =>
        sent.map(({ id }, at) =>
          at ? { id, result: 1 } : { id, error: { code: 1, message: 'no' } },
        ),
    ],
    ['ids of others', (sent) => sent.map(({ id }) => ({ id: id + 9, result: 1 }))],
    [
      'an error for the whole',
      () => ({ id: null, error: { code: -32600, message: 'no batches' } }),
    ],
    ['nulls', (sent) => sent.map(() => null)],
  ])('with %s is an outage [N09]', async (_what, answer) => {
    const { rpc } = batchThat(answer)
    await expect(rpc.batch(calls)).rejects.toBeInstanceOf(Outage)
    await expect(rpc.batchExactly(calls)).rejects.toBeInstanceOf(Outage)
  })

  test('returns the digits of numbers when exact numbers are requested', async () => {
    const { rpc } = rpcThat((sent: SentCall[]) => {
      const answers = sent.map(({ id, method }) => `{"id": ${id}, "result": ["${method}", 0.10]}`)
      return `[${answers.toReversed().join(', ')}]`
    })
    const results = [
      ['eth_chainId', '0.10'],
      ['eth_blockNumber', '0.10'],
    ]
    expect(await rpc.batchExactly(calls)).toEqual(results)
  })
})

describe('a batch whose calls stand alone', () => {
  const calls = [call, { method: 'eth_blockNumber', params: [] }]

  test('has a refusal in the place of the call that was refused', async () => {
    const { rpc, reports } = batchThat((sent) =>
      sent
        .map(({ id, method }) =>
          method === 'eth_blockNumber'
            ? { id, error: { code: 3, message: 'no' } }
            : { id, result: 7 },
        )
        .toReversed(),
    )
    const [first, second] = await rpc.settle(calls)
    expect(first).toBe(7)
    expect(second).toBeInstanceOf(RpcRefusal)
    expect(second).toMatchObject({ code: 3, method: 'eth_blockNumber' })
    expect(reports.map(({ outcome }) => outcome)).toEqual(['ok', 'refused'])
  })

  test.each([403, 500])('has refusals in their places with status %d too', async (status) => {
    const error = { code: -32002, message: 'not on your plan' }
    const { rpc } = batchThat((sent) => sent.map(({ id }) => ({ id, error })), status)
    const answers = await rpc.settle(calls)
    expect(answers).toMatchObject([{ code: -32002 }, { said: 'not on your plan' }])
    await expect(rpc.batch(calls)).rejects.toBeInstanceOf(RpcRefusal)
  })

  test.each<[string, (sent: SentCall[]) => unknown]>([
    ['results', (sent) => sent.map(({ id }) => ({ id, result: 1 }))],
    ['the refusals of others', () => [{ id: 99, error: { code: 1, message: 'no' } }]],
    ['nothing', () => []],
    ['words', () => ['forbidden']],
  ])('with %s under a status of failure is an outage [N07]', async (_what, answer) => {
    const { rpc } = batchThat(answer, 403)
    const thrown = await rpc.settle(calls).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(Outage)
    expect(thrown).not.toBeInstanceOf(RpcRefusal)
  })

  test('without calls is answered without a request', async () => {
    expect(await rpcThat(() => 'never').rpc.settle([])).toEqual([])
  })

  test.each<[string, (sent: SentCall[]) => unknown]>([
    ['one answer missing', (sent) => sent.slice(1).map(({ id }) => ({ id, result: 1 }))],
    ['no result', (sent) => sent.map(({ id }) => ({ id }))],
  ])('with %s is an outage [N09]', async (_what, answer) => {
    const { rpc } = batchThat(answer)
    await expect(rpc.settle(calls)).rejects.toBeInstanceOf(Outage)
  })
})

describe('an answer that is read by the caller', () => {
  test('comes with its bytes, the id it must name, and its result', async () => {
    const { rpc } = answering(({ id }) => ({ id, result: [id] }))
    const read = await rpc.read(call, 1_000, ({ id, body, result }) => [
      id,
      body?.toString(),
      result(),
    ])
    expect(read).toEqual([1, '{"id":1,"result":[1]}', [1]])
  })

  test('is refused as any other, and reported so', async () => {
    const { rpc, reports } = answering(({ id }) => ({ id, error: { code: 5, message: 'no' } }))
    const reading = rpc.read(call, 1_000, ({ result }) => result())
    await expect(reading).rejects.toBeInstanceOf(RpcRefusal)
    expect(reports).toMatchObject([{ outcome: 'refused' }])
  })

  test('has no bytes to read where the status is a failure', async () => {
    const { rpc } = rpcThat(({ id }: SentCall) => JSON.stringify({ id, result: 1 }), 500)
    expect(await rpc.read(call, 1_000, ({ body }) => body)).toBeNull()
    const reading = rpc.read(call, 1_000, ({ result }) => result())
    await expect(reading).rejects.toThrow('HTTP 500')
  })
})
