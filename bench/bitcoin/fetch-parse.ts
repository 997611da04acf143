import { Agent, request } from 'undici'

// The limit: what any client of a node's JSON must do at least, and nothing else.
// `node fetch-parse.ts <url> <first> <last> <transactions of a block>`
const [url = '', firstText = '0', lastText = '0', each = '0'] = process.argv.slice(2)
const [first, last] = [Number(firstText), Number(lastText)]
const IN_FLIGHT = 8
const agent = new Agent({ connections: 16 })
let next = first
let transactions = 0

const began = performance.now()
await Promise.all(Array.from({ length: IN_FLIGHT }, fetchAll))
const seconds = (performance.now() - began) / 1_000
const { user, system } = process.cpuUsage()
const blocks = last - first + 1
const ok = transactions === blocks * Number(each)
process.send?.({
  rate: blocks / seconds,
  ok,
  more: { cpuMsABlock: (user + system) / 1e3 / blocks },
})
await agent.close()

async function fetchAll(): Promise<void> {
  for (;;) {
    const height = next
    next += 1
    if (height > last) return
    const hash = await call<string>('getblockhash', [height])
    const { tx } = await call<{ tx: unknown[] }>('getblock', [hash, 2])
    transactions += tx.length
  }
}

async function call<T>(method: string, params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const { body: answer } = await request(url, { method: 'POST', headers, body, dispatcher: agent })
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { result: T }).result
}
