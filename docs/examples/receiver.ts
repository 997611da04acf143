/**
 * A webhook receiver: verifies what comes, does each thing once, and answers at once.
 *
 *     WEBHOOK_SECRET=whsec_… PORT=3000 node docs/examples/receiver.ts
 *
 * Deliveries repeat and overtake each other: the newest word on a thing counts. What is remembered
 * lies in maps here, and in earnest in tables that one transaction writes.
 */
import { type IncomingMessage, createServer } from 'node:http'
import { type WebhookEvent, WebhookVerificationError, verifyWebhook } from '@sluice/client'

const BODY_BYTES_MAX = 256 * 1024

const secret = process.env['WEBHOOK_SECRET'] ?? ''
const port = Number(process.env['PORT'] ?? 3000)
/** The highest sequence heard of each deposit and withdrawal. */
const heard = new Map<string, number>()
/** What each deposit has brought, by its id. */
const deposits = new Map<string, { userId: string; tokenId: string; amount: bigint }>()

createServer((request, response) => {
  take(request)
    .then((status) => response.writeHead(status).end())
    .catch(() => response.writeHead(500).end())
}).listen(port, '127.0.0.1', () => console.log(`listening on ${port}`))

/** Gives the status to answer with: 2xx and the event is not sent again. */
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

/** The bytes as they come; null where there are too many to be an event. */
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
      // Nothing to do; more types may come.
      break
  }
}

/** Whether this is newer than all that was heard of a thing before. */
function isNews(id: string, sequence: number): boolean {
  if (sequence <= (heard.get(id) ?? 0)) return false
  heard.set(id, sequence)
  return true
}

/** Base units of two tokens are no sum. */
function balanceOf(userId: string, tokenId: string): bigint {
  const own = [...deposits.values()].filter(
    (deposit) => deposit.userId === userId && deposit.tokenId === tokenId,
  )
  return own.reduce((sum, { amount }) => sum + amount, 0n)
}
