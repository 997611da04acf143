import { describe, expect, test } from 'vitest'
import { Outage } from '../base/fault.ts'
import { Unfinished } from './http.ts'
import { openJsonRpc, RpcRefusal } from './json-rpc.ts'
import type { RpcAnswer } from './json-rpc.ts'
import { openReadingTogether } from './reading-together.ts'

interface Sent {
  id: number
  method: string
  params: [number]
}

const MAX = 1_000
const clock = { now: () => 0, sleep: () => Promise.resolve() }
const callOf = (n: number) => ({ method: 'double', params: [n] })
const double = ({ id, params: [n] }: Sent) => ({ jsonrpc: '2.0', id, result: 2 * n })
const readNumber = ({ result, body }: RpcAnswer) => ({
  value: result(),
  text: body?.toString() ?? null,
})

/** A node that doubles numbers, and what each exchange with it asked for. */
function nodeThat(reply: (sent: Sent | Sent[]) => unknown = answer, status = 200) {
  const exchanges: (number | number[])[] = []
  const http = {
    name: 'http://node',
    post: async ({ body }: { body: string }) => {
      const sent = JSON.parse(body) as Sent | Sent[]
      exchanges.push(Array.isArray(sent) ? sent.map(({ params: [n] }) => n) : sent.params[0])
      return { status, body: Buffer.from(JSON.stringify(reply(sent))) }
    },
  }
  const rpc = openReadingTogether(openJsonRpc(http, clock, () => undefined))
  const read = (n: number) => rpc.read(callOf(n), MAX, readNumber)
  return { exchanges, rpc, read }
}

function answer(sent: Sent | Sent[]): unknown {
  return Array.isArray(sent) ? sent.map(double) : double(sent)
}

/** Answers each as `one` does, in a batch and alone. */
function everyone(one: (sent: Sent) => unknown) {
  return (sent: Sent | Sent[]) => (Array.isArray(sent) ? sent.map(one) : one(sent))
}

/** Answers to one alone, and this to many. */
function alone(many: (sent: Sent[]) => unknown) {
  return (sent: Sent | Sent[]) => (Array.isArray(sent) ? many(sent) : double(sent))
}

function throwing(error: Error): () => never {
  return () => {
    throw error
  }
}

const valuesOf = async (read: Promise<{ value: unknown }>[]) =>
  (await Promise.all(read)).map(({ value }) => value)

describe('bodies that are wanted in one turn', () => {
  test('come in one exchange, four at a time, each as if it had come alone', async () => {
    const { exchanges, read } = nodeThat()
    const found = await Promise.all([1, 2, 3, 4, 5].map(read))
    expect(found.map(({ value }) => value)).toEqual([2, 4, 6, 8, 10])
    expect(found[2]?.text).toBe(JSON.stringify({ jsonrpc: '2.0', id: 3, result: 6 }))
    expect(exchanges).toEqual([[1, 2, 3, 4], 5])
  })

  test('are matched to their requests by id, in any order', async () => {
    const { read } = nodeThat(alone((sent) => sent.map(double).toReversed()))
    expect(await valuesOf([1, 2, 3].map(read))).toEqual([2, 4, 6])
  })

  test('are parsed as a whole if their boundaries are unclear', async () => {
    const other = ({ id, params: [n] }: Sent) => ({ result: 2 * n, id })
    const { read } = nodeThat(alone((sent) => sent.map(other)))
    const found = await Promise.all([1, 2].map(read))
    expect(found).toEqual([2, 4].map((value) => ({ value, text: null })))
  })

  test('the refusal of one, or what it cannot be read as, is its own [N09]', async () => {
    const refused = (one: Sent) =>
      one.params[0] === 2 ? { id: one.id, error: { code: 3, message: 'no' } } : double(one)
    const { rpc, read } = nodeThat(everyone(refused))
    const broken = rpc.read(callOf(4), MAX, throwing(new Error('malformed')))
    const all = await Promise.allSettled([read(1), read(2), read(3), broken])
    expect(all.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ])
    expect(all[1]).toMatchObject({ reason: expect.any(RpcRefusal) })
    expect(all[3]).toMatchObject({ reason: new Error('malformed') })
  })

  test('asks again for one that is missing [N09]', async () => {
    const { exchanges, read } = nodeThat(alone((sent) => sent.map(double).slice(1)))
    expect(await valuesOf([1, 2].map(read))).toEqual([2, 4])
    expect(exchanges).toEqual([[1, 2], 1])
  })

  test('are single calls, then and later, when the node refuses batches [N08]', async () => {
    const error = { code: -32_600, message: 'batches are not supported' }
    const { exchanges, read } = nodeThat(alone(() => ({ id: null, error })))
    expect(await valuesOf([1, 2].map(read))).toEqual([2, 4])
    exchanges.length = 0
    for (const first of [3, 5]) await valuesOf([first, first + 1].map(read))
    expect(exchanges).toEqual([3, 4, 5, 6])
  })

  test('are single calls for a while when together they were too much [N08]', async () => {
    const { exchanges, read } = nodeThat(alone(throwing(new Unfinished('node', 'too long'))))
    expect(await valuesOf([1, 2].map(read))).toEqual([2, 4])
    expect(exchanges).toEqual([[1, 2], 1, 2])
  })

  test('all fail after one single call when the node is down or too busy [N08]', async () => {
    const busy = { code: -32_005, message: 'limit exceeded' }
    for (const reply of [
      throwing(new Outage('node', 'cannot be reached')),
      () => ({ id: null, error: busy }),
    ]) {
      const { exchanges, read } = nodeThat(reply)
      const all = await Promise.allSettled([1, 2].map(read))
      expect(all.every((one) => one.status === 'rejected' && one.reason instanceof Outage)).toBe(
        true,
      )
      expect(exchanges).toEqual([[1, 2], 1])
    }
  })

  test('have no body to scan where the node answers with a status of failure [N07]', async () => {
    const { read } = nodeThat(answer, 500)
    const all = await Promise.allSettled([1, 2].map(read))
    expect(all.every(({ status }) => status === 'rejected')).toBe(true)
  })
})

describe('batches that are wanted in one turn', () => {
  test('come in one exchange, each with its own answers', async () => {
    const { exchanges, rpc } = nodeThat()
    const found = await Promise.all([
      rpc.batch([callOf(1), callOf(2)], MAX),
      rpc.batch([callOf(3)], MAX),
    ])
    expect(found).toEqual([[2, 4], [6]])
    expect(exchanges).toEqual([[1, 2, 3]])
  })

  test('are no more than nodes take at once', async () => {
    const { exchanges, rpc } = nodeThat()
    const calls = Array.from({ length: 60 }, (_, n) => callOf(n))
    const found = await Promise.all([rpc.batch(calls, MAX), rpc.batch(calls, MAX)])
    expect(found.map(({ length }) => length)).toEqual([60, 60])
    expect(exchanges.map((one) => Object(one).length)).toEqual([60, 60])
  })

  test('fail separately if one of their calls is refused [N09]', async () => {
    const refused = (one: Sent) =>
      one.params[0] === 2 ? { id: one.id, error: { code: 3, message: 'no' } } : double(one)
    const { rpc } = nodeThat(everyone(refused))
    const [first, second] = await Promise.allSettled([
      rpc.batch([callOf(1), callOf(2)], MAX),
      rpc.batch([callOf(3), callOf(4)], MAX),
    ])
    expect(first).toMatchObject({ reason: expect.any(RpcRefusal) })
    expect(second).toMatchObject({ value: [6, 8] })
  })
})
