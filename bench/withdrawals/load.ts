import { hammer } from '../harness/hammer.ts'
import { AMOUNT, COIN } from './plan.ts'

// Creates withdrawals, each with another reference and recipient.
const [chainId] = COIN.split('/')

await hammer(
  (number, prefix) => ({
    path: '/withdrawals',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf(number, prefix),
  }),
  (body) => /"id":"([0-9a-f-]{36})"/.exec(body)?.[1],
)

function bodyOf(number: number, prefix: string): string {
  const recipient = `0x5a${number.toString(16).padStart(38, '0')}`
  const reference = `${prefix} ${number}`
  return JSON.stringify({ chainId, tokenId: COIN, amount: String(AMOUNT), recipient, reference })
}
