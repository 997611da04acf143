import { Agent, request } from 'undici'
import { percentile } from '../harness/measure.ts'
import { AMOUNT, COIN } from './plan.ts'

// Creates withdrawals, each with another reference and recipient:
// `node load.ts <url> <count> <connections> <prefix of the references> <keys with commas>`
const [url = '', countText = '0', linesText = '1', prefix = '', keysText = ''] =
  process.argv.slice(2)
const [count, lines, keys] = [Number(countText), Number(linesText), keysText.split(',')]
const agent = new Agent({ connections: lines, pipelining: 1 })
const created = new Set<string>()
const times: number[] = []
let asked = 0
let refused = 0

const began = performance.now()
await Promise.all(Array.from({ length: lines }, askAll))
const seconds = (performance.now() - began) / 1_000
process.send?.({
  rate: count / seconds,
  created: created.size,
  refused,
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
})
await agent.close()

async function askAll(): Promise<void> {
  for (;;) {
    const number = asked
    asked += 1
    if (number >= count) return
    const at = performance.now()
    const answer = await request(`${url}/withdrawals`, {
      method: 'POST',
      headers: {
        'x-api-key': keys[number % keys.length] ?? '',
        'content-type': 'application/json',
      },
      body: bodyOf(number),
      dispatcher: agent,
    })
    const body = await answer.body.text()
    times.push(performance.now() - at)
    const id = /"id":"([0-9a-f-]{36})"/.exec(body)?.[1]
    if (answer.statusCode === 201 && id !== undefined) created.add(id)
    else refused += 1
  }
}

function bodyOf(number: number): string {
  const recipient = `0x5a${number.toString(16).padStart(38, '0')}`
  const reference = `${prefix} ${number}`
  const [chainId] = COIN.split('/')
  return JSON.stringify({ chainId, tokenId: COIN, amount: String(AMOUNT), recipient, reference })
}
