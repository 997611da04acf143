/**
 * A webhook receiver: verifies each delivery, processes each event once, and answers at once.
 *
 *     WEBHOOK_SECRET=whsec_… PORT=3000 node docs/examples/receiver.ts
 *
 * Deliveries repeat and arrive out of order: the event with the highest sequence counts. This
 * example stores its state in maps; use tables, and one transaction for each event.
 */
import { type IncomingMessage, createServer } from 'node:http'
import { type WebhookEvent, WebhookVerificationError, verifyWebhook } from '@sluice/client'

const BODY_BYTES_MAX = 256 * 1024

const secret = process.env['WEBHOOK_SECRET'] ?? ''
const port = Number(process.env['PORT'] ?? 3000)
/** The highest sequence of each deposit and withdrawal. */
const heard = new Map<string, number>()
/** The credited amount of each deposit, by its id. */
const deposits = new Map<string, { userId: string; tokenId: string; amount: bigint }>()

createServer((request, response) => {
  take(request)
    .then((status) => response.writeHead(status).end())
    .catch(() => response.writeHead(500).end())
}).listen(port, '127.0.0.1', () => console.log(`listening on ${port}`))

/** Returns the status of the answer; after a 2xx the event is not sent again. */
async function take(request: IncomingMessage): Promise<number> {
  const body = await readBody(request)
  if (body === null) return 413
  try {
    const event = await verifyWebhook(body, request.headers, secret)
    handle(event)
    return 204
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.log(`refused: ${error.reason}`)
    return 401
  }
}

/** The bytes of the body; null if there are more than an event can have. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function handle({ sequence, ...event }: WebhookEvent): void {
  switch (event.type) {
    case 'deposit.confirmed':
    case 'deposit.reverted': {
      const { id, externalUserId: userId, tokenId, amount, Token } = event.payload
      if (!isNews(id, sequence)) return
      const has = event.type === 'deposit.confirmed' ? BigInt(amount) : 0n
      deposits.set(id, { userId, tokenId, amount: has })
      console.log(`${userId} has ${balanceOf(userId, tokenId)} base units of ${Token.symbol}`)
      break
    }
    case 'withdrawal.completed':
    case 'withdrawal.failed':
    case 'withdrawal.cancelled': {
      const { id, reference, status } = event.payload
      if (isNews(id, sequence)) console.log(`${reference}: ${status}`)
      break
    }
    default:
      // Other types need no action; newer services may send more.
      break
  }
}

/** Whether this event is newer than all earlier events of the object. */
function isNews(id: string, sequence: number): boolean {
  if (sequence <= (heard.get(id) ?? 0)) return false
  heard.set(id, sequence)
  return true
}

/** The balance of one token: base units of different tokens cannot be added. */
function balanceOf(userId: string, tokenId: string): bigint {
  const own = [...deposits.values()].filter(
    (deposit) => deposit.userId === userId && deposit.tokenId === tokenId,
  )
  return own.reduce((sum, { amount }) => sum + amount, 0n)
}
