import { freePort } from '@sluice/simulator'
import { createServer } from 'node:http'
import { type CannedBlock, cannedChain } from './canned-blocks.ts'
import { TRON } from './plan.ts'

/** Messages of the parent to the node. */
export interface TronOrder {
  head: number
}

/** Messages of the node to its parent. */
export interface TronNews {
  port: number
  last: number
}

type Question = Record<string, string | number | boolean | undefined>

// The program of a child process: `node serve-node.ts <blocks> <watched>`.
const [count = 0, watched = 0] = process.argv.slice(2).map(Number)
const NONE = Buffer.from('{}')
const blocks = new Map(cannedChain({ blocks: count, watched }).map((one) => [one.height, one]))
const last = TRON.origin + count
let head = last

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const asked = Buffer.concat(chunks).toString()
    const [, side = '', method = ''] = (request.url ?? '').split('/')
    const body = answer(side, method, asked === '' ? {} : JSON.parse(asked))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
})
server.keepAliveTimeout = 60_000
const port = await freePort()
server.listen(port, '127.0.0.1', () => void process.send?.({ port, last } satisfies TronNews))
process.on('message', (order: TronOrder) => {
  head = order.head
})
process.on('disconnect', () => process.exit(0))

function answer(side: string, method: string, asked: Question): Buffer {
  const tip = side === 'wallet' ? head : head - TRON.solidLag
  const at = (height: number): CannedBlock | undefined =>
    height > tip ? undefined : blocks.get(height)
  switch (method) {
    case 'getblock':
      return at(Number(asked['id_or_num'] ?? Math.max(tip, TRON.origin)))?.header ?? NONE
    case 'getblockbylimitnext':
      return at(Number(asked['startNum']))?.whole ?? NONE
    case 'gettransactioninfobyblocknum':
      return at(Number(asked['num']))?.infos ?? Buffer.from('[]')
    case 'triggerconstantcontract':
      return Buffer.from(JSON.stringify(called(String(asked['function_selector']))))
    default:
      return NONE
  }
}

/** The token's description; it answers no balances. */
function called(selector: string): unknown {
  const text = Buffer.from(TRON.symbol).toString('hex').padEnd(64, '0')
  const words: Record<string, string> = {
    'decimals()': word(TRON.decimals),
    'symbol()': `${word(32)}${word(TRON.symbol.length)}${text}`,
  }
  const found = words[selector]
  if (found === undefined) return { result: { code: 'CONTRACT_VALIDATE_ERROR' } }
  const ret = [{}]
  return { result: { result: true }, constant_result: [found], transaction: { ret } }
}

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}
