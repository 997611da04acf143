import { Agent, request } from 'undici'
import { percentile } from '../harness/measure.ts'

// Asks for deposit addresses of new users: `node load.ts <url> <count> <connections> <user prefix>
// <keys with commas>`
const [url = '', countText = '0', linesText = '1', prefix = '', keysText = ''] =
  process.argv.slice(2)
const [count, lines, keys] = [Number(countText), Number(linesText), keysText.split(',')]
const agent = new Agent({ connections: lines, pipelining: 1 })
const CHAIN = encodeURIComponent('eip155:1')
const TOKEN = encodeURIComponent('eip155:1/slip44:60')
const addresses = new Set<string>()
const times: number[] = []
let asked = 0
let refused = 0

const began = performance.now()
await Promise.all(Array.from({ length: lines }, askAll))
const seconds = (performance.now() - began) / 1_000
process.send?.({
  rate: count / seconds,
  addresses: addresses.size,
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
    const query = `chainId=${CHAIN}&tokenId=${TOKEN}&userId=${prefix}-${number}`
    const headers = { 'x-api-key': keys[number % keys.length] ?? '' }
    const at = performance.now()
    const answer = await request(`${url}/payments/deposit-address?${query}`, {
      headers,
      dispatcher: agent,
    })
    const body = await answer.body.text()
    times.push(performance.now() - at)
    const address = /0x[0-9a-fA-F]{40}/.exec(body)?.[0]
    if (answer.statusCode === 201 && address !== undefined) addresses.add(address)
    else refused += 1
  }
}
