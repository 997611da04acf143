import { Agent, request } from 'undici'
import { CHAIN } from '../chain/plan.ts'

// The limit: what any client of JSON nodes must do at least, and nothing else.
// `node fetch-parse.ts <url> <first> <last> <logs|receipts>`
const [url = '', firstText = '0', lastText = '0', mode = 'logs'] = process.argv.slice(2)
const [first, last] = [Number(firstText), Number(lastText)]
const IN_FLIGHT = 8
const agent = new Agent({ connections: 16 })
let lastId = 0
let next = first
let transactions = 0
let logs = 0

interface FullBlock {
  hash: string
  transactions: unknown[]
}

const began = performance.now()
await Promise.all(Array.from({ length: IN_FLIGHT }, fetchAll))
const seconds = (performance.now() - began) / 1_000
const blocks = last - first + 1
const isWhole = transactions === blocks * CHAIN.transactions && logs === blocks * CHAIN.logs
process.send?.({ rate: blocks / seconds, ok: isWhole })
await agent.close()

async function fetchAll(): Promise<void> {
  for (;;) {
    const height = next
    next += 1
    if (height > last) return
    const asked = ['0x' + height.toString(16), true]
    const block = (await call('eth_getBlockByNumber', asked)) as FullBlock
    transactions += block.transactions.length
    if (mode === 'logs') {
      const found = (await call('eth_getLogs', [{ blockHash: block.hash }])) as unknown[]
      logs += found.length
    } else {
      const found = (await call('eth_getBlockReceipts', [block.hash])) as { logs: unknown[] }[]
      for (const receipt of found) logs += receipt.logs.length
    }
  }
}

async function call(method: string, params: unknown[]): Promise<unknown> {
  lastId += 1
  const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })
  const headers = { 'content-type': 'application/json' }
  const { body: answer } = await request(url, { method: 'POST', headers, body, dispatcher: agent })
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { result: unknown }).result
}
