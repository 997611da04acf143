import { createHmac, randomUUID } from 'node:crypto'
import { Agent } from 'undici'

/** Arguments of a queue's program: `<origin> <path> <count> <connections> <database or redis>`. */
export interface QueueSettings {
  origin: string
  path: string
  count: number
  connections: number
  store: string
}

export function queueSettings(): QueueSettings {
  const [origin = '', path = '/', count = '0', connections = '1', store = ''] =
    process.argv.slice(2)
  return { origin, path, count: Number(count), connections: Number(connections), store }
}

export interface Job {
  id: string
  body: string
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const KEY = Buffer.alloc(32, 7)
const PADDING = 'x'.repeat(560)

/** As many jobs as wanted, with bodies as long as ours. */
export function makeJobs(count: number): Job[] {
  return Array.from({ length: count }, () => {
    const id = randomUUID()
    return {
      id,
      body: JSON.stringify({ id, type: 'deposit.detected', orgId: '', payload: PADDING }),
    }
  })
}

/** Signs and sends like our deliverer; throws if the request fails, so that the queue retries. */
export function openSender({ origin, path, connections }: QueueSettings) {
  const ca = process.env['BENCH_TLS_CERT'] ?? ''
  const agent = new Agent({ connections, pipelining: 1, connect: { ca } })
  const send = ({ id, body }: Job): Promise<void> => {
    const seconds = String(Math.floor(Date.now() / 1_000))
    const standard = createHmac('sha256', KEY).update(`${id}.${seconds}.${body}`).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'x-webhook-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${standard}`,
    }
    return new Promise((resolve, reject) => {
      let status = 0
      agent.dispatch(
        { origin, path, method: 'POST', headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, code) => (status = code),
          onResponseData: () => undefined,
          onResponseEnd: () => (status === 200 ? resolve() : reject(new Error(String(status)))),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  }
  return { send, secret: SECRET, close: () => agent.close() }
}

/** Waits for the parent's word, then resolves: all is enqueued, the clock starts. */
export async function ready(): Promise<void> {
  process.send?.({ ready: true })
  await new Promise((resolve) => process.once('message', resolve))
}
