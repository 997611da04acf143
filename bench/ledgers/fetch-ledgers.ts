import { Agent, request } from 'undici'
import { LEDGERS } from './make-ledgers.ts'

// The limit: what any client of such a node must do at least, and nothing else.
// `node fetch-ledgers.ts <url> <first> <last>`
const [url = '', firstText = '0', lastText = '0'] = process.argv.slice(2)
const [first, last] = [Number(firstText), Number(lastText)]
const IN_FLIGHT = 8
const agent = new Agent({ connections: 16 })
let next = first
let transactions = 0

const began = performance.now()
await Promise.all(Array.from({ length: IN_FLIGHT }, fetchAll))
const seconds = (performance.now() - began) / 1_000
const { user, system } = process.cpuUsage()
const ledgers = last - first + 1
const ok = transactions === ledgers * (LEDGERS.strangers + LEDGERS.deposits)
const cpuMsALedger = (user + system) / 1_000 / ledgers
process.send?.({ rate: ledgers / seconds, ok, more: { cpuMsALedger } })
await agent.close()

async function fetchAll(): Promise<void> {
  for (;;) {
    const height = next
    next += 1
    if (height > last) return
    const asked = { ledger_index: height, transactions: true, expand: true, binary: true }
    const params = [{ ...asked, api_version: 2 }]
    const body = JSON.stringify({ method: 'ledger', params })
    const headers = { 'content-type': 'application/json' }
    const { body: answer } = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher: agent,
    })
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    const { result } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      result: { ledger: { transactions: unknown[] } }
    }
    transactions += result.ledger.transactions.length
  }
}
