import { freePort } from '@sluice/simulator'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { coins, transactionJson, writeJson } from '../../simulator/src/bitcoin/json.ts'
import { deserializeBlock } from '../../simulator/src/bitcoin/block.ts'
import { BITCOIN_NETWORKS } from '../../simulator/src/bitcoin/networks.ts'
import { COINS, type MadeBlock, coinsSpent, makeBlocks } from './make-blocks.ts'

/** Messages of the parent to the node. */
export interface CoinsOrder {
  head?: number
  /** Whether blocks can be had as bytes. */
  rest?: boolean
}

/** Messages of the node to its parent. */
export interface CoinsNews {
  port: number
  last: number
  /** Bytes of a block, and of its JSON with all transactions. */
  bytes: number
  jsonBytes: number
}

/** Blocks whose JSON is kept; the others answer with one of these, which are as long. */
const JSONS = 6

// The program of a child process: `node serve-node.ts <blocks> <transactions of a block>`.
const [count = 0, transactions = 0] = process.argv.slice(2).map(Number)
const blocks = makeBlocks({ count, transactions })
const byHash = new Map(blocks.map((block) => [block.hash, block]))
const jsons = blocks.slice(0, JSONS).map(jsonOf)
let head = count
let rest = false

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => reply(request, response, Buffer.concat(chunks)))
})
server.keepAliveTimeout = 60_000
const port = await freePort()
server.listen(port, '127.0.0.1', () => {
  const bytes = blocks[0]?.bytes.length ?? 0
  const news: CoinsNews = { port, last: count, bytes, jsonBytes: jsons[0]?.length ?? 0 }
  process.send?.(news)
})
process.on('message', (order: CoinsOrder) => {
  head = order.head ?? head
  rest = order.rest ?? rest
})
process.on('disconnect', () => process.exit(0))

function reply(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  if (request.method === 'GET') return replyByRest(request.url ?? '', response)
  const asked: unknown = JSON.parse(body.toString())
  const answer = Array.isArray(asked) ? Buffer.concat(inList(asked.map(answerTo))) : answerTo(asked)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
  response.end(answer)
}

function replyByRest(path: string, response: ServerResponse): void {
  const [, hash = ''] = /^\/rest\/block\/([0-9a-f]{64})\.bin$/.exec(path) ?? []
  const found = byHash.get(hash)?.bytes
  const answer = path === '/rest/chaininfo.json' ? Buffer.from(JSON.stringify(chain())) : found
  if (!rest || answer === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-length': answer.length }).end(answer)
}

function inList(answers: readonly Buffer[]): Buffer[] {
  const parts = answers.flatMap((answer, at) => [Buffer.from(at === 0 ? '[' : ','), answer])
  return [...parts, Buffer.from(']')]
}

function answerTo(asked: unknown): Buffer {
  const { id, method, params } = Object(asked)
  const result = resultOf(String(method), params)
  const start = Buffer.from('{"jsonrpc":"2.0","result":')
  const end = Buffer.from(`,"id":${JSON.stringify(id)}}`)
  return Buffer.concat([start, result, end])
}

function resultOf(method: string, [first, second, third]: readonly unknown[]): Buffer {
  if (method === 'getblockchaininfo') return json(chain())
  if (method === 'getblockhash') return json(hashAt(Number(first)))
  const block = byHash.get(String(method === 'getrawtransaction' ? third : first))
  if (block === undefined) throw new Error(`no answer to ${method}`)
  if (method === 'getrawtransaction') return json(prevoutsOf(block, String(first)))
  const { hash, height, previousHash: previousblockhash } = block
  if (method === 'getblockheader') return json({ hash, height, previousblockhash })
  if (second === 2) return jsons[height % JSONS] ?? json(null)
  return Buffer.from(`"${block.bytes.toString('hex')}"`)
}

function chain() {
  const bestblockhash = hashAt(head)
  return { blocks: head, bestblockhash, pruned: false, initialblockdownload: false }
}

function hashAt(height: number): string | undefined {
  return height === 0 ? COINS.genesis : blocks[height - 1]?.hash
}

function prevoutsOf({ height, ranks }: MadeBlock, txid: string) {
  const hex = `0014${'77'.repeat(20)}`
  const prevout = { value: coins(COINS.spent), scriptPubKey: { hex } }
  return {
    txid,
    vin: coinsSpent(height, ranks.get(txid) ?? 0).map((input) => ({ ...input, prevout })),
  }
}

/** As Core writes a block with its transactions and their fees. */
function jsonOf({ bytes, hash, height }: MadeBlock): Buffer {
  const { transactions: all } = deserializeBlock(bytes)
  const { kind } = BITCOIN_NETWORKS.test
  const coin = { value: COINS.spent, script: Buffer.alloc(22), height: 1, isCoinbase: false }
  const tx = all.map((one, rank) => {
    const spent = rank === 0 ? null : one.inputs.map(() => coin)
    return transactionJson(one, kind, { spent, shows: false })
  })
  return json({ hash, height, confirmations: 1, nTx: tx.length, tx })
}

function json(value: unknown): Buffer {
  return Buffer.from(writeJson(value))
}
