import { describe, expect, test } from 'vitest'
import { Outage } from '../base/fault.ts'
import { openBatching } from './batching.ts'
import { openJsonRpc, RpcRefusal } from './json-rpc.ts'

interface Sent {
  id: number
  params: [number]
}

const clock = { now: () => 0, sleep: () => Promise.resolve() }
const callOf = (n: number) => ({ method: 'eth_call', params: [n] })
const answer = ({ id, params: [n] }: Sent) =>
  n % 2 === 1 ? { id, error: { code: 3, message: 'odd' } } : { id, result: n * 2 }

/** A node that doubles even numbers and refuses odd ones, and the numbers of each exchange. */
function openNode(reply: (sent: Sent | Sent[]) => unknown = answerAll) {
  const exchanges: unknown[] = []
  const http = {
    name: 'http://node',
    post: async ({ body }: { body: string }) => {
      const sent = JSON.parse(body) as Sent | Sent[]
      exchanges.push(Array.isArray(sent) ? sent.map(({ params: [n] }) => n) : sent.params[0])
      return { status: 200, body: Buffer.from(JSON.stringify(reply(sent))) }
    },
  }
  return { rpc: openBatching(openJsonRpc(http, clock, () => undefined)), exchanges }
}

function answerAll(sent: Sent | Sent[]): unknown {
  return Array.isArray(sent) ? sent.map(answer) : answer(sent)
}

const outcomes = (calls: Promise<unknown>[]) =>
  Promise.allSettled(calls).then((all) =>
    all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)),
  )

describe('calls of one turn of the event loop', () => {
  test('travel in one batch, each with its own answer', async () => {
    const { rpc, exchanges } = openNode()
    expect(await outcomes([4, 6, 8].map((n) => rpc.call(callOf(n))))).toEqual([8, 12, 16])
    expect(exchanges).toEqual([[4, 6, 8]])
  })

  test('fail one by one when the node refuses one of them', async () => {
    const { rpc } = openNode()
    const found = await outcomes([4, 5, 6].map((n) => rpc.call(callOf(n))))
    expect(found).toEqual([8, expect.any(RpcRefusal), 12])
  })

  test('are sent as single calls when each turn has one', async () => {
    const { rpc, exchanges } = openNode()
    expect(await rpc.call(callOf(4))).toBe(8)
    expect(await rpc.call(callOf(6))).toBe(12)
    expect(exchanges).toEqual([4, 6])
  })

  test('are divided into batches of 100', async () => {
    const { rpc, exchanges } = openNode()
    const numbers = Array.from({ length: 250 }, (_, at) => 2 * at)
    const found = await outcomes(numbers.map((n) => rpc.call(callOf(n))))
    expect(found).toEqual(numbers.map((n) => 2 * n))
    expect(exchanges.map((one) => Object(one).length)).toEqual([100, 100, 50])
  })

  test('all fail when the node does not answer [N08]', async () => {
    const { rpc, exchanges } = openNode(() => {
      throw new Outage('http://node', 'away')
    })
    const found = await outcomes([4, 6].map((n) => rpc.call(callOf(n))))
    expect(found).toEqual([expect.any(Outage), expect.any(Outage)])
    expect(exchanges).toEqual([[4, 6], 4])
  })
})
