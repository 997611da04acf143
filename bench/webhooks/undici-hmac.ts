import { createHmac, randomUUID } from 'node:crypto'
import { Agent } from 'undici'

// The limit: signing and sending alone, without an outbox.
// `node undici-hmac.ts <origin> <path> <count> <connections> <secret> <org id>`, the certificate in
// BENCH_TLS_CERT.
const [origin = '', path = '/', countText = '0', linesText = '1', secret = '', orgId = ''] =
  process.argv.slice(2)
const [count, lines] = [Number(countText), Number(linesText)]
const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
const ca = process.env['BENCH_TLS_CERT'] ?? ''
const agent = new Agent({ connections: lines, pipelining: 1, connect: { ca } })
const payload = {
  id: randomUUID(),
  index: 0,
  status: 'Detected',
  chainId: 'eip155:1',
  txnHash: `0x${'ab'.repeat(32)}`,
  tokenId: 'eip155:1/slip44:60',
  amount: '10000000000000000',
  externalUserId: 'user 1',
  accountChainId: 'eip155:1',
  senderAddress: `0x${'cd'.repeat(20)}`,
  blockNumber: 10_000_000,
  confirmations: 0,
  Token: { id: 'eip155:1/slip44:60', name: 'Ether', symbol: 'ETH', decimals: 18, address: '' },
}
let sent = 0

process.send?.({ ready: true })
// The listener stays, so that the parent finds us alive when it looks at our processor time.
await new Promise((resolve) => process.on('message', resolve))
await sendAll()
await agent.close()

async function sendAll(): Promise<void> {
  await Promise.all(
    Array.from({ length: lines }, async () => {
      while (sent < count) {
        sent += 1
        if ((await post()) !== 200) throw new Error('a webhook was not taken')
      }
    }),
  )
}

function post(): Promise<number> {
  const id = randomUUID()
  const timestamp = '2026-01-01T00:00:00.000Z'
  const text = { id, type: 'deposit.detected', timestamp, orgId, sequence: sent, payload }
  const body = Buffer.from(JSON.stringify(text))
  const stamp = String(Math.floor(Date.now() / 1_000))
  const hmac = createHmac('sha256', key).update(`${id}.${stamp}.`).update(body).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': stamp,
    'webhook-signature': `v1,${hmac}`,
  }
  return new Promise((resolve, reject) => {
    let status = 0
    agent.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => (status = code),
        onResponseData: () => undefined,
        onResponseEnd: () => resolve(status),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}
