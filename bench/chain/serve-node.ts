import { freePort } from '@sluice/simulator'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { CannedNode } from './canned-node.ts'

/** Messages of the parent to the node. */
export interface NodeOrder {
  head?: number
  /** Move the head automatically, one block each time. */
  every?: { ms: number; blocks: number }
}

/** Messages of the node to its parent. */
export type NodeNews =
  | { ready: true; port: number; last: number; sizes: Record<string, number> }
  | { told: number; at: number }
  | { made: number; at: number }

// The program of a child process: `node serve-node.ts <blocks> <watched> <chain id> <offset>`.
const [blocks = 0, watched = 0, chainId = 1, offset = 0] = process.argv.slice(2).map(Number)
const node = new CannedNode({ blocks, watched, offset, chainId })
const tell = (news: NodeNews) => void process.send?.(news)
let told = 0
let live = false
node.onHead = (height) => {
  if (!live) return
  // Reporting a head reports all blocks below it.
  for (; told < height; told += 1) tell({ told: told + 1, at: Date.now() })
}
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => reply(request, response, Buffer.concat(chunks)))
})
server.keepAliveTimeout = 60_000
const port = await freePort()
server.listen(port, '127.0.0.1', () => {
  tell({ ready: true, port, last: node.last, sizes: {} })
})
process.on('message', (order: NodeOrder) => {
  if (order.head !== undefined) {
    told = order.head
    live = false
    node.setHead(order.head)
  }
  if (order.every !== undefined) makeBlocks(order.head ?? told, order.every)
})
process.on('disconnect', () => process.exit(0))

function reply(_request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const parts = node.answer(JSON.parse(body.toString()))
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
  // Until the end of this turn, so that all parts go out at once.
  response.cork()
  for (const part of parts) response.write(part)
  response.end()
}

function makeBlocks(from: number, { ms, blocks: count }: { ms: number; blocks: number }): void {
  live = true
  let made = 0
  const timer = setInterval(() => {
    made += 1
    node.setHead(from + made)
    tell({ made: from + made, at: Date.now() })
    if (made >= count) clearInterval(timer)
  }, ms)
}
