/**
 * From a user's deposit to a withdrawal with three approvals, in the sandbox. Run `npm start`, then
 *
 *     node docs/examples/deposit-to-withdrawal.ts
 *
 * with Node 24, or with `--import ./bench/typescript.mjs` after `node` with Node 20. All calls to
 * Sluice use `@sluice/client`; the sandbox simulates the payment and the codes of two phones.
 */
import { readFileSync } from 'node:fs'
import {
  type Client,
  type RecordedEvent,
  type Withdrawal,
  createClient,
  toBaseUnits,
  toDecimal,
} from '@sluice/client'

interface Sandbox {
  baseUrl: string
  controlUrl: string
  apiKey: string
  users: { username: string; password: string; role: string }[]
  tokens: { id: string; chainId: string; symbol: string; decimals: number }[]
}

const CHAIN = 'eip155:11155111'
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const WAIT_SECONDS = 5
const LOOKS_MAX = 60

const path = process.env['SANDBOX_STATE'] ?? '.sluice/sandbox.json'
const sandbox: Sandbox = JSON.parse(readFileSync(path, 'utf8'))
const { baseUrl, apiKey } = sandbox
const token = sandbox.tokens.find(({ chainId, symbol }) => chainId === CHAIN && symbol === 'USDT')
if (token === undefined) throw new Error('the sandbox has no USDT')
const { id: tokenId, decimals } = token

const client = createClient({ baseUrl, apiKey })

// A user asks where to pay to, and pays 25.
const userId = `user-${Date.now()}`
const { properties } = await client.payments.depositAddress({ chainId: CHAIN, tokenId, userId })
console.log(`${userId} pays to ${properties.address}`)
const payment = { chainId: CHAIN, tokenId, address: properties.address }
await control('/deposits', { ...payment, amount: toBaseUnits('25', decimals) })

const deposit = await untilEvent(
  client,
  (event) => event.type === 'deposit.confirmed' && event.payload.externalUserId === userId,
)
console.log(`${deposit.type}, event ${deposit.sequence}`)
for await (const { amount, status, Token } of client.payments.allOfUser(userId))
  console.log(`${toDecimal(amount, Token.decimals)} ${Token.symbol} are ${status}`)

// From now on three must agree.
await client.organisation.setMinWithdrawalSigners(3)
const order = {
  chainId: CHAIN,
  tokenId,
  amount: toBaseUnits('12.50', decimals),
  recipient: RECIPIENT,
  reference: `withdrawal of ${userId}`,
  externalUserId: userId,
}
const created = await client.withdrawals.create(order)
console.log(`${created.reference} is ${created.status}`)

// A repeated request, as after a crash, does not pay twice.
const again = await client.withdrawals.create(order, { ifDuplicate: 'return' })
console.log(`requested again: ${again.id === created.id ? 'the same withdrawal' : 'another one'}`)

// Users approve until the number of approvals is reached.
for (const person of sandbox.users) {
  const { status } = await client.withdrawals.get(created.id)
  if (status !== 'PendingApproval') break
  const approved = await approve(created, person)
  console.log(`${person.username} approves, it is ${approved.status}`)
}

const paid = await untilEvent(
  client,
  (event) => event.type === 'withdrawal.completed' && event.payload.id === created.id,
)
const { status, txnHash, amount, Token } = await client.withdrawals.get(created.id)
console.log(`${paid.type}, event ${paid.sequence}`)
console.log(`${toDecimal(amount, Token.decimals)} ${Token.symbol} are ${status} in ${txnHash}`)

/** Signs a user in and approves, each time with an unused one-time code. */
async function approve(
  { id }: Withdrawal,
  { username, password }: { username: string; password: string },
): Promise<Withdrawal> {
  const { accessToken } = await client.auth.login({
    username,
    password,
    totpCode: await codeOf(username),
  })
  const signer = createClient({ baseUrl, accessToken })
  return signer.withdrawals.approve(id, await codeOf(username))
}

/** Reads the feed of events, each time from the last known one, until an event fits. */
async function untilEvent(
  { events }: Client,
  fits: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent> {
  let after = 0
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    for await (const event of events.all({ after, wait: WAIT_SECONDS })) {
      if (fits(event)) return event
      after = event.sequence
    }
  }
  throw new Error(`no such event after ${LOOKS_MAX} reads of the feed`)
}

/** The current one-time code of a user's phone. */
async function codeOf(username: string): Promise<string> {
  const answer = await fetch(`${sandbox.controlUrl}/totp?username=${username}`)
  const { totpCode }: { totpCode: string } = JSON.parse(await answer.text())
  return totpCode
}

/** Controls the simulated outside world. */
async function control(route: string, body: object): Promise<void> {
  const url = `${sandbox.controlUrl}${route}`
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`)
}
