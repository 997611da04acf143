import { describe, expect, test } from 'vitest'
import { Outage } from '../base/fault.ts'
import { openBatching } from './batching.ts'
import { TooLong } from './http.ts'
import { RpcRefusal } from './json-rpc.ts'
import type { JsonRpc, RpcCall } from './json-rpc.ts'

const NODE = 'http://node'
const callOf = (n: number): RpcCall => ({ method: 'eth_call', params: [n] })
const refusal = (code: number) =>
  new RpcRefusal(NODE, 'eth_call', { code, message: 'no such method' })

/** A node that doubles what it is asked, and refuses odd numbers. */
function nodeThat(settle?: JsonRpc['settle']) {
  const singles: unknown[] = []
  const batches: unknown[][] = []
  const answer = ({ params: [n] }: RpcCall) => (Number(n) % 2 === 1 ? refusal(3) : Number(n) * 2)
  const never = () => Promise.reject(new Error('not asked for'))
  const rpc: JsonRpc = {
    name: NODE,
    read: never,
    batch: never,
    readTogether: never,
    batchExactly: never,
    call: async (call) => {
      singles.push(call.params[0])
      const result = answer(call)
      if (result instanceof RpcRefusal) throw result
      return result
    },
    settle: async (calls) => {
      batches.push(calls.map(({ params }) => params[0]))
      return settle === undefined ? calls.map(answer) : settle(calls)
    },
  }
  return { rpc: openBatching(rpc), singles, batches }
}

const outcomes = (calls: Promise<unknown>[]) =>
  Promise.allSettled(calls).then((all) =>
    all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)),
  )

describe('calls of one turn', () => {
  test('travel together, each with its own answer or refusal', async () => {
    const { rpc, singles, batches } = nodeThat()
    const found = await outcomes([4, 5, 6].map((n) => rpc.call(callOf(n))))
    expect(found).toEqual([8, refusal(3), 12])
    expect(batches).toEqual([[4, 5, 6]])
    expect(singles).toEqual([])
  })

  test('are asked alone where there is one, and anew in the next turn', async () => {
    const { rpc, singles, batches } = nodeThat()
    expect(await rpc.call(callOf(4))).toBe(8)
    expect(await rpc.call(callOf(6))).toBe(12)
    expect([singles, batches]).toEqual([[4, 6], []])
  })

  test('are no more in a batch than nodes take', async () => {
    const { rpc, batches } = nodeThat()
    const numbers = Array.from({ length: 250 }, (_, at) => 2 * at)
    const found = await outcomes(numbers.map((n) => rpc.call(callOf(n))))
    expect(found).toEqual(numbers.map((n) => 2 * n))
    expect(batches.map(({ length }) => length)).toEqual([100, 100, 50])
  })

  test('are asked one by one where the node refuses batches', async () => {
    const { rpc, singles } = nodeThat(() => Promise.reject(refusal(-32600)))
    expect(await outcomes([4, 5, 6].map((n) => rpc.call(callOf(n))))).toEqual([8, refusal(3), 12])
    expect(singles).toEqual([4, 5, 6])
  })

  test('N09 are asked one by one where together their answers are too long', async () => {
    const { rpc, singles } = nodeThat(() => Promise.reject(new TooLong(NODE, 'too long')))
    expect(await outcomes([4, 5, 6].map((n) => rpc.call(callOf(n))))).toEqual([8, refusal(3), 12])
    expect(singles).toEqual([4, 5, 6])
  })

  test('N08 fail all where the node does not answer', async () => {
    const { rpc, singles } = nodeThat(() => Promise.reject(new Outage(NODE, 'away')))
    const found = await outcomes([4, 6].map((n) => rpc.call(callOf(n))))
    expect(found.map(String)).toEqual([String(new Outage(NODE, 'away')), expect.any(String)])
    expect(found.every((one) => one instanceof Outage)).toBe(true)
    expect(singles).toEqual([])
  })
})
