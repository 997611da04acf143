import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Outage } from '../base/fault.ts'
import { openJsonRpc, RpcRefusal } from './json-rpc.ts'
import type { HttpReply } from './http.ts'

interface Sent {
  id: number
  method: string
  params: [number]
}

/** How a node answers a batch that is too long for it. */
type Refuse = (sent: readonly Sent[], most: number) => Reply
interface Reply {
  status?: number
  body: unknown
}

const NODE = 'http://node'
const REVERTS = 13
const BYTES_MAX = 1_000
const clock = { now: () => 0, sleep: () => Promise.resolve() }
const callOf = (n: number) => ({ method: 'double', params: [n] })
const errorOf = (message: string, code = -32_000) => ({ code, message })
const answer = ({ id, params: [n] }: Sent) =>
  n === REVERTS
    ? { jsonrpc: '2.0', id, error: errorOf('execution reverted', 3) }
    : { jsonrpc: '2.0', id, result: 2 * n }
const each = (sent: readonly Sent[], error: unknown) => sent.map(({ id }) => ({ id, error }))

const REFUSALS: Record<string, Refuse> = {
  'a list with an error of the first id': ([first]) => ({
    body: [{ id: first?.id, error: errorOf('batch too large', -32_600) }],
  }),
  'an error of the first id': ([first]) => ({
    body: { id: first?.id, error: errorOf('batch too large', -32_600) },
  }),
  'an error with id null': (sent, most) => ({
    body: { id: null, error: errorOf(`batch limit ${most} exceeded: ${sent.length} given`) },
  }),
  'an error without id': () => ({ body: { error: errorOf('Invalid Request', -32_600) } }),
  'an empty list': () => ({ body: [] }),
  'HTTP 400, error as text': (sent, most) => ({
    status: 400,
    body: { error: `Batch limit ${most}, got ${sent.length}` },
  }),
  'HTTP 401, message': () => ({ status: 401, body: { message: 'upgrade to use batches' } }),
  'HTTP 403, text': () => ({ status: 403, body: 'Batch requests are not allowed' }),
  'HTTP 404, nothing': () => ({ status: 404, body: '' }),
  'HTTP 413, text': () => ({ status: 413, body: 'Request Entity Too Large' }),
  'HTTP 422, errors of each': (sent) => ({ status: 422, body: each(sent, errorOf('no batches')) }),
  'HTTP 500, page': () => ({ status: 500, body: '<html>500</html>' }),
  'HTTP 502, error as text': () => ({ status: 502, body: { error: 'bad gateway' } }),
  'an object without error': () => ({ body: { message: 'Batch of more requests', code: 31 } }),
  'a text': () => ({ body: '"not on your plan"' }),
  null: () => ({ body: 'null' }),
  'the first answers alone': (sent, most) => ({ body: sent.slice(0, most).map(answer) }),
  'the first answers, then errors without ids': (sent, most) => ({
    body: [
      ...sent.slice(0, most).map(answer),
      ...sent.slice(most).map(() => ({ id: null, error: errorOf('limit exceeded', -32_005) })),
    ],
  }),
  'the first answers, then errors with ids': (sent, most) => ({
    body: [
      ...sent.slice(0, most).map(answer),
      ...each(sent.slice(most), errorOf('response too large', -32_003)),
    ],
  }),
  'a rate limit for each': (sent) => ({
    status: 400,
    body: each(sent, errorOf('batch size exceeds rate limit', -32_005)),
  }),
  'answers of no request': (sent) => ({
    body: sent.map(({ id }) => ({ id: id + 999, result: 1 })),
  }),
  'no answer in time': () => {
    throw new Outage(NODE, 'no answer within 9000 ms')
  },
}

/** A node that doubles numbers, and the sizes of what it is sent: 0 for a single call. */
function nodeThat(reply: (sent: Sent | Sent[]) => Reply) {
  const sizes: number[] = []
  const http = {
    name: NODE,
    post: async ({ body }: { body: string }): Promise<HttpReply> => {
      const sent = JSON.parse(body) as Sent | Sent[]
      sizes.push(Array.isArray(sent) ? sent.length : 0)
      const { status = 200, body: said } = reply(sent)
      const text = typeof said === 'string' ? said : JSON.stringify(said)
      return { status, body: Buffer.from(text) }
    },
  }
  return { rpc: openJsonRpc(http, clock, () => undefined), sizes }
}

const limited = (most: number, refuse: Refuse) =>
  nodeThat((sent) => {
    if (!Array.isArray(sent)) return { body: answer(sent) }
    return sent.length > most || most === 1 ? refuse(sent, most) : { body: sent.map(answer) }
  })

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at + 100)
const doubles = (numbers: readonly number[]) => numbers.map((n) => 2 * n)

describe.each(Object.entries(REFUSALS))('a node that refuses batches by %s', (_name, refuse) => {
  test('answers every call with any limit [N08]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2, 3, 5, 10, 50),
        fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 4 }),
        async (most, counts) => {
          const { rpc, sizes } = limited(most, refuse)
          for (const count of counts) {
            const numbers = numbersTo(count)
            expect(await rpc.batch(numbers.map(callOf))).toEqual(doubles(numbers))
          }
          const calls = counts.reduce((sum, count) => sum + count, 0)
          expect(sizes.length).toBeLessThanOrEqual(calls + 40)
          expect(sizes).not.toContain(1)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('answers in every way of asking', async () => {
    const { rpc } = limited(3, refuse)
    const calls = numbersTo(7).map(callOf)
    const results = doubles(numbersTo(7))
    expect(await rpc.settle(calls)).toEqual(results)
    expect(await rpc.batchExactly(calls)).toEqual(results.map(String))
    const answers = await rpc.readTogether(calls, BYTES_MAX)
    expect(answers.map(({ result }) => result())).toEqual(results)
  })

  test('keeps the refusal of a single call in its place', async () => {
    const { rpc } = limited(3, refuse)
    const found = await rpc.settle([1, 2, REVERTS, 4, REVERTS, 6].map(callOf))
    expect(found).toMatchObject([2, 4, { code: 3 }, 8, { code: 3 }, 12])
    expect(found[2]).toBeInstanceOf(RpcRefusal)
  })

  test('is sent batches of a size that it takes once that is known', async () => {
    const { rpc, sizes } = limited(5, refuse)
    await rpc.batch(numbersTo(40).map(callOf))
    const before = sizes.length
    expect(await rpc.batch(numbersTo(5).map(callOf))).toEqual(doubles(numbersTo(5)))
    expect(sizes.slice(before).every((size) => size <= 5)).toBe(true)
  })
})

describe('a batch', () => {
  test('is one exchange when the node takes it', async () => {
    const { rpc, sizes } = limited(100, () => ({ body: '' }))
    await rpc.batch(numbersTo(100).map(callOf))
    expect(sizes).toEqual([100])
  })

  test('of one call is sent as a single call', async () => {
    const { rpc, sizes } = limited(100, () => ({ body: '' }))
    expect(await rpc.batch([callOf(4)])).toEqual([8])
    expect(await rpc.batchExactly([callOf(4)])).toEqual(['8'])
    expect(sizes).toEqual([0, 0])
  })

  test.each<[string, (sent: Sent | Sent[]) => Reply]>([
    ['is away', () => ({ status: 500, body: 'oops' })],
    ['is too busy', () => ({ body: 'Too Many Requests' })],
    [
      'refuses everybody',
      (sent) => ({ body: [sent].flat().map(({ id }) => ({ id, error: errorOf('no key') })) }),
    ],
  ])('fails after one single call when the node %s [N07]', async (_how, reply) => {
    const { rpc, sizes } = nodeThat((sent) => {
      const { body, status = 200 } = reply(sent)
      return { status, body: Array.isArray(body) && !Array.isArray(sent) ? body[0] : body }
    })
    await expect(rpc.batch(numbersTo(100).map(callOf))).rejects.toBeInstanceOf(Outage)
    expect(sizes).toEqual([100, 0])
  })

  test('sends no more once the node asks for a pause [N07]', async () => {
    let left = 3
    const busy = errorOf('limit exceeded', -32_005)
    const { rpc, sizes } = nodeThat((sent) => {
      if (Array.isArray(sent)) return { status: 413, body: '' }
      return { body: left-- > 0 ? answer(sent) : { id: sent.id, error: busy } }
    })
    const failed = rpc.batch(numbersTo(100).map(callOf))
    await expect(failed).rejects.toMatchObject({ retryAfterMs: 1_000 })
    expect(sizes).toEqual([100, 0, 50, 0, 25, 0, 12, 0])
  })
})
