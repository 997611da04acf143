import { Agent, request } from 'undici'
import { TRON } from './plan.ts'

// The limit: what any client of such a node must do at least, and nothing else.
// `node fetch-parse.ts <url> <first> <last>`
const [url = '', firstText = '0', lastText = '0'] = process.argv.slice(2)
const [first, last] = [Number(firstText), Number(lastText)]
const IN_FLIGHT = 8
const agent = new Agent({ connections: 16 })
let next = first
let transactions = 0
let infos = 0

const began = performance.now()
await Promise.all(Array.from({ length: IN_FLIGHT }, fetchAll))
const seconds = (performance.now() - began) / 1_000
const blocks = last - first + 1
const whole = blocks * TRON.transactions
process.send?.({ rate: blocks / seconds, ok: transactions === whole && infos === whole })
await agent.close()

async function fetchAll(): Promise<void> {
  for (;;) {
    const num = next
    next += 1
    if (num > last) return
    const asked = { startNum: num, endNum: num + 1 }
    const list = (await call('getblockbylimitnext', asked)) as {
      block: { transactions: unknown[] }[]
    }
    for (const block of list.block) transactions += block.transactions.length
    const told = (await call('gettransactioninfobyblocknum', { num })) as unknown[]
    infos += told.length
  }
}

async function call(method: string, params: object): Promise<unknown> {
  const { body: answer } = await request(`${url}/wallet/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
    dispatcher: agent,
  })
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
