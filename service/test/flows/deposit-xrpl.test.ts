import { type Receiver, startReceiver, startXrplNode, type XrplNode } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseXAddress } from '../../src/chains/xrpl/address.ts'
import { type ServedApp, serveApp } from '../support/served-app.ts'

const SOON = { timeout: 20_000, interval: 50 }
const CHAIN = 'xrpl:testnet'
const XRP = `${CHAIN}/slip44:144`

let node: XrplNode
let receiver: Receiver
let app: ServedApp
let base = ''
let closing: NodeJS.Timeout | undefined
beforeAll(async () => {
  node = await startXrplNode()
  node.chain.close(3)
  receiver = await startReceiver()
  app = await serveApp({
    chains: { [CHAIN]: { nodes: [node.url] } },
    webhookDevOrigins: [receiver.url],
  })
  const set = await app.ask('PATCH', '/organisation/webhook', { webhookUrl: `${receiver.url}/in` })
  expect(set.status).toBe(200)
  closing = setInterval(() => node.chain.close(), 100)
})
afterAll(async () => {
  clearInterval(closing)
  await app?.stop()
  await receiver?.stop()
  await node?.stop()
})

test('no address is issued before the base account is funded [X03]', async () => {
  const refused = await vi.waitFor(async () => {
    const answer = await askAddress('ann')
    expect(answer.body).toMatchObject({ details: { address: expect.any(String) } })
    return answer
  }, SOON)
  expect(refused.status).toBe(503)
  expect(refused.body).toMatchObject({
    error: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining(`Send XRP for the reserve to`),
    details: { reason: expect.stringContaining('funded') },
  })
  base = String(Object(refused.body['details']).address)
})

test('a funded base account sets the flag that refuses payments without a tag [X03]', async () => {
  node.chain.pay({ to: base, amount: 20_000_000n })
  const opened = await vi.waitFor(async () => {
    const answer = await askAddress('ann')
    expect(answer.status).toBe(201)
    return answer
  }, SOON)
  expect(node.chain.account(base)?.flags).toBe(0x0002_0000)
  const { address, destinationTag, xAddress } = propertiesOf(opened.body)
  expect(address).toBe(base)
  expect(Number(destinationTag)).toBeGreaterThanOrEqual(100_000)
  expect(parseXAddress(xAddress ?? '')).toEqual({
    address: base,
    tag: Number(destinationTag),
    isTestnet: true,
  })
})

test('payments are credited to the user of their tag, others to no user [X04]', async () => {
  const [ann, bob] = [await tagOf('ann'), await tagOf('bob')]
  expect(ann).not.toBe(bob)
  const paid = [
    node.chain.pay({ to: base, amount: 5_000_000n, tag: ann }),
    node.chain.payPartially({ to: base, amount: 10n ** 12n, delivered: 1n, tag: bob }),
    node.chain.finishEscrow({ to: base, amount: 7_000_000n, tag: bob }),
    node.chain.claimChannel({ to: base, amount: 3_000_000n }),
  ]
  node.chain.pay({ to: base, amount: 9_000_000n, tag: 7 })
  node.chain.pay({ to: base, amount: 4_000_000n, tag: 0 })
  node.chain.payIssued({ to: base, tag: ann, currency: 'USD' })
  node.chain.payMpt({ to: base, tag: ann })
  node.chain.payInVain({ to: base, amount: 99_000_000n, tag: ann })
  const payments = await vi.waitFor(async () => {
    const { body } = await app.ask('GET', '/payments')
    const list = parseList(body['payments'])
    expect(list.filter(({ status }) => status === 'Confirmed')).toHaveLength(3)
    return list
  }, SOON)
  const brief = payments.map(({ txnHash, externalUserId, amount }) => {
    return [txnHash, externalUserId, amount]
  })
  expect(new Set(brief)).toEqual(
    new Set([
      [paid[0], 'ann', '5000000'],
      [paid[1], 'bob', '1'],
      [paid[2], 'bob', '7000000'],
    ]),
  )
  const confirmed = receiver.received.filter(({ body }) => body.includes('deposit.confirmed'))
  await receiver.waitFor((all) => all.some(({ body }) => body.includes('deposit.confirmed')))
  expect(confirmed.length).toBeLessThanOrEqual(3)
})

async function tagOf(user: string): Promise<number> {
  const { body } = await askAddress(user)
  return Number(propertiesOf(body).destinationTag)
}

function askAddress(userId: string) {
  const query = new URLSearchParams({ userId, tokenId: XRP, chainId: CHAIN })
  return app.ask('GET', `/payments/deposit-address?${query.toString()}`)
}

function propertiesOf(body: Record<string, unknown>): Record<string, string> {
  return Object(Object(body['address']).properties)
}

function parseList(value: unknown): Record<string, string>[] {
  return Array.isArray(value) ? value : []
}
