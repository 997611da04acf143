import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { listenSomewhere } from '../adapters/scripted-node.ts'

const CHUNK = Buffer.alloc(65_536, '0')
/** Empty objects use many times their length in memory once parsed. */
const DENSE_CHUNK = Buffer.from('{},'.repeat(21_845))

export type Flood = 'unannounced' | 'announced' | 'zipped' | 'endless' | 'dense'

interface Rule {
  method: RegExp
  about: string
  how: Flood
  bytes: number
  packed: Buffer
}

export interface FloodingNode {
  readonly url: string
  /**
   * Answers calls of these methods with a flood from now on, with `about` only if the body contains
   * it; stops if null.
   */
  flood(method: RegExp | null, how: Flood, bytes: number, about?: string): void
  /** The number of floods sent. */
  readonly floods: number
}

/**
 * A node that forwards calls to another and on request answers with far too much data, written in
 * pieces as fast as the other side reads, so that the sender does not hold it in memory.
 */
export async function startFloodingNode(target: string): Promise<FloodingNode> {
  let rule: Rule | null = null
  let floods = 0
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await bodyOf(request)
      // The first call of a batch decides.
      const { id, method } = Object([JSON.parse(body)].flat()[0])
      const isMeant = rule?.method.test(String(method)) === true && body.includes(rule.about)
      if (rule === null || !isMeant) return forward(target, body, response)
      floods += 1
      return pour(response, Number(id ?? 0), rule)
    }
    answer().catch(() => response.destroy())
  })
  const port = await listenSomewhere(server)
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    flood(method, how, bytes, about = '') {
      // Compressed in advance, so that compression does not count as memory of the other side.
      const packed = how === 'zipped' ? gzipSync(Buffer.alloc(bytes, '0')) : Buffer.alloc(0)
      rule = method === null ? null : { method, about, how, bytes, packed }
    },
    get floods() {
      return floods
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

async function forward(target: string, body: string, response: ServerResponse): Promise<void> {
  const answer = await fetch(target, { method: 'POST', body })
  response.end(await answer.text())
}

function pour(response: ServerResponse, id: number, { how, bytes, packed }: Rule): void {
  const isDense = how === 'dense'
  const [begin, chunk, end] = isDense ? ['[', DENSE_CHUNK, '{}]'] : ['"0x', CHUNK, '"']
  const head = `{"jsonrpc":"2.0","id":${id},"result":${begin}`
  response.on('error', () => undefined)
  if (how === 'zipped') {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    return
  }
  const length = how === 'announced' ? { 'content-length': head.length + bytes + 2 } : {}
  response.writeHead(200, { 'content-type': 'application/json', ...length })
  response.write(head)
  let left = how === 'endless' ? Number.POSITIVE_INFINITY : bytes
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length
      if (!response.write(chunk)) return
    }
    if (!response.destroyed) response.end(`${end}}`)
  }
  response.on('drain', more)
  more()
}
