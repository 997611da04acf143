import { createHmac } from 'node:crypto'
import { type ReceivedWebhook, type Receiver, startReceiver } from '@sluice/simulator'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { ETHER } from '../support/opened-world.ts'
import { type ServedApp, serveApp } from '../support/served-app.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const REACHED = { timeout: 20_000, interval: 50 }

let anvil: AnvilChain
let receiver: Receiver
let app: ServedApp
let token: string
let secret: string
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  token = await anvil.create()
  receiver = await startReceiver()
  app = await serveApp({
    chains: { [SEPOLIA]: { nodes: [anvil.url], confirmations: REQUIRED } },
    tokens: [listed(SEPOLIA, token)],
    webhookDevOrigins: [receiver.url],
  })
  const set = await app.ask('PATCH', '/organisation/webhook', { webhookUrl: `${receiver.url}/in` })
  expect(set).toEqual({ status: 200, body: {} })
  const organisation = await app.ask('GET', '/organisation')
  secret = String(organisation.body['webhookSigningSecret'])
})
afterAll(async () => {
  await app?.stop()
  await receiver?.stop()
  await anvil?.stop()
})

test('a deposit sends four signed webhooks from address to credit [I13]', async () => {
  const asked = await vi.waitFor(async () => {
    const answer = await askAddress('ann', ETHER)
    expect(answer.status).toBe(201)
    return answer
  }, REACHED)
  const account = asked.body['address']
  expect(account).toMatchObject({ chainId: SEPOLIA, externalUserId: 'ann' })
  const address = addressOf(asked.body)
  const again = await askAddress('ann', ETHER)
  expect(again).toEqual({ status: 200, body: { address: account } })

  const { transactionHash } = await anvil.pay(address, 5n)
  await receiver.waitFor((received) => typesOf(received).length >= 2)
  expect(typesOf(receiver.received)).toEqual(['account.created', 'deposit.detected'])
  await anvil.mine(REQUIRED)
  await receiver.waitFor((received) => typesOf(received).length >= 4)
  const events = sorted(receiver.received)
  expect(events.map(({ type }) => type)).toEqual([
    'account.created',
    'deposit.detected',
    'deposit.confirmed',
    'balance.updated',
  ])
  const [created, detected, confirmed, updated] = events.map(({ payload }) => payload)
  expect(created).toMatchObject({ externalUserId: 'ann', properties: { address } })
  expect(detected).toMatchObject({
    txnHash: transactionHash,
    tokenId: ETHER,
    amount: '5',
    confirmations: 0,
    status: 'Detected',
  })
  expect(confirmed).toMatchObject({ id: detected?.['id'], status: 'Confirmed', amount: '5' })
  expect(updated).toMatchObject({ accountId: address, balance: '5', delta: '5' })
  for (const webhook of receiver.received) expectSigned(webhook)

  const { body } = await app.ask('GET', '/payments?userId=ann')
  expect(body['payments']).toMatchObject([
    { id: detected?.['id'], status: 'Confirmed', amount: '5', confirmations: REQUIRED },
  ])
})

test('a deposit of a token verified on its chain sends four signed webhooks [I13]', async () => {
  const id = tokenId(SEPOLIA, token)
  const asked = await vi.waitFor(async () => {
    const answer = await askAddress('bob', id)
    expect(answer.status).toBe(201)
    return answer
  }, REACHED)
  const before = receiver.received.length
  await anvil.payToken(token, addressOf(asked.body), 70n)
  await anvil.mine(REQUIRED)
  await receiver.waitFor((received) => typesOf(received.slice(before)).includes('balance.updated'))
  const told = receiver.received.slice(before)
  for (const webhook of told) expectSigned(webhook)
  const updated = sorted(told).find(({ type }) => type === 'balance.updated')
  expect(updated?.payload).toMatchObject({ tokenId: id, balance: '70', reason: 'deposit' })
})

test('a webhook with a modified body does not verify [H07]', () => {
  const webhook = receiver.received.find(({ body }) => body.includes('account.created'))
  if (webhook === undefined) throw new Error('no webhook came')
  const forged = webhook.body.replace('account.created', 'account.creates')
  expect(forged).not.toBe(webhook.body)
  expect(() => new Webhook(secret).verify(forged, webhook.headers)).toThrow('signature')
})

interface Told {
  type: string
  sequence: number
  payload: Record<string, unknown>
}

function askAddress(userId: string, id: string) {
  const query = new URLSearchParams({ userId, tokenId: id, chainId: SEPOLIA })
  return app.ask('GET', `/payments/deposit-address?${query.toString()}`)
}

function addressOf(body: Record<string, unknown>): string {
  const { address } = Object(Object(body['address']).properties)
  return String(address)
}

function parseTold({ body }: ReceivedWebhook): Told {
  return JSON.parse(body) as Told
}

/**
 * Sorts deliveries by sequence, because they arrive in any order; leaves out gas wallet alerts,
 * which come at any time.
 */
function sorted(received: readonly ReceivedWebhook[]): Told[] {
  const told = received.map(parseTold).filter(({ type }) => type !== 'gas.low')
  return told.sort((a, b) => a.sequence - b.sequence)
}

function typesOf(received: readonly ReceivedWebhook[]): string[] {
  return sorted(received).map(({ type }) => type)
}

/**
 * Verifies with the published package and with the documented algorithm: hex, keyed with the whole
 * secret.
 */
function expectSigned(webhook: ReceivedWebhook): void {
  expect(webhook.path).toBe('/in')
  expect(new Webhook(secret).verify(webhook.body, webhook.headers)).toEqual(parseTold(webhook))
  const hex = createHmac('sha256', secret).update(webhook.raw).digest('hex')
  expect(webhook.headers['x-webhook-signature']).toBe(hex)
}
