import {
  type Receiver,
  startReceiver,
  startTronNode,
  type TronChain,
  type TronNode,
} from '@sluice/simulator'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type ServedApp, serveApp } from '../support/served-app.ts'

const SHASTA = 'tron:shasta'
const COIN = `${SHASTA}/slip44:195`
/** As the catalogue spells it. */
const CONTRACT = 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'
const USDT = `${SHASTA}/trc20:${CONTRACT}`
const SOLID_LAG = 18
const HOUR_MS = 3_600_000
const REACHED = { timeout: 20_000, interval: 50 }

let node: TronNode
let chain: TronChain
let receiver: Receiver
let app: ServedApp
beforeAll(async () => {
  node = await startTronNode({ solidLag: SOLID_LAG, startTime: Date.now() - HOUR_MS })
  ;({ chain } = node)
  chain.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 6, address: CONTRACT })
  chain.mine(30)
  receiver = await startReceiver()
  const chains = { [SHASTA]: { nodes: [{ url: node.url, solidity: node.url }] } }
  app = await serveApp({ chains, webhookDevOrigins: [receiver.url] })
  await app.ask('PATCH', '/organisation/webhook', { webhookUrl: `${receiver.url}/in` })
})
afterAll(async () => {
  await app?.stop()
  await receiver?.stop()
  await node?.stop()
})

test('TRX is emitted at once, and credited when its block is solid [T06]', async () => {
  const address = await addressOf('ann', COIN)
  expect(address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
  const txnHash = chain.pay({ to: address, amount: 5_000_000n })
  chain.mine()
  await told('deposit.detected', 1)
  chain.mine(SOLID_LAG - 1)
  await deposited('ann', { confirmations: SOLID_LAG - 1, status: 'Detected' })
  expect(payloads('deposit.confirmed')).toEqual([])
  chain.mine()
  await told('balance.updated', 1)
  await told('deposit.confirmed', 1)
  const [detected] = payloads('deposit.detected')
  expect(detected).toMatchObject({ txnHash, tokenId: COIN, amount: '5000000', status: 'Detected' })
  expect(payloads('deposit.confirmed')).toMatchObject([
    { id: detected?.['id'], status: 'Confirmed', amount: '5000000' },
  ])
  expect(payloads('balance.updated')).toMatchObject([{ accountId: address, balance: '5000000' }])
  const { body } = await app.ask('GET', '/payments?userId=ann')
  expect(body['payments']).toMatchObject([
    { txnHash, senderAddress: chain.faucet.address, status: 'Confirmed' },
  ])
})

test('a TRC-20 token is credited by its log at an address that is not activated', async () => {
  const address = await addressOf('bob', USDT)
  const before = payloads('balance.updated').length
  const txnHash = chain.payToken({ to: address, amount: 70_000_000n, token: CONTRACT })
  chain.mine(1 + SOLID_LAG)
  await told('balance.updated', before + 1)
  await told('deposit.confirmed', before + 1)
  expect(payloads('deposit.confirmed').at(-1)).toMatchObject({
    txnHash,
    tokenId: USDT,
    amount: '70000000',
  })
})

test.each([
  ['a token whose transfer returns nothing', 'mute', '70000000'],
  ['a token whose transfer returns false', 'denying', '70000000'],
  ['a token that logs less than its call states', 'skimming', '69300000'],
] as const)('%s is credited by its log [T05 T14]', async (_name, manner, amount) => {
  const user = `uma-${manner}`
  const address = await addressOf(user, USDT)
  const before = payloads('balance.updated').length
  chain.setToken(CONTRACT, { manner })
  onTestFinished(() => chain.setToken(CONTRACT, { manner: 'honest' }))
  const txnHash = chain.payToken({ to: address, amount: 70_000_000n, token: CONTRACT })
  chain.mine(1 + SOLID_LAG)
  await told('balance.updated', before + 1)
  await deposited(user, { txnHash, tokenId: USDT, amount, status: 'Confirmed' })
})

test('TRX that a contract pays is a deposit, unless its call failed [T04]', async () => {
  const address = await addressOf('cid', COIN)
  const before = payloads('balance.updated').length
  chain.failed({ to: address, amount: 9n })
  chain.payInternal({ to: address, amount: 3_000_000n })
  chain.mine(1 + SOLID_LAG)
  await told('balance.updated', before + 1)
  const { body } = await app.ask('GET', '/payments?userId=cid')
  expect(body['payments']).toMatchObject([{ amount: '3000000', status: 'Confirmed' }])
})

test('a deposit whose block is replaced before it is solid is orphaned [R01]', async () => {
  const address = await addressOf('dan', COIN)
  const before = payloads('deposit.detected').length
  chain.pay({ to: address, amount: 5_000_000n })
  chain.mine(3)
  await told('deposit.detected', before + 1)
  chain.reorg({ depth: 5 })
  chain.mine()
  await told('deposit.reverted', 1)
  chain.mine(SOLID_LAG)
  await deposited('dan', { status: 'Orphaned' })
})

test('the same transaction in another block is the same deposit, credited once [R02]', async () => {
  const address = await addressOf('eve', USDT)
  const before = payloads('balance.updated').length
  const id = chain.payToken({ to: address, amount: 6_000_000n, token: CONTRACT })
  chain.mine(3)
  await deposited('eve', { status: 'Detected', confirmations: 2 })
  const first = chain.blockOf(id)?.height
  chain.reorg({ depth: 4, keep: new Map([[id, chain.head().height]]) })
  expect(chain.blockOf(id)?.height).not.toBe(first)
  chain.mine(1 + SOLID_LAG)
  await told('balance.updated', before + 1)
  const { body } = await app.ask('GET', '/payments?userId=eve')
  expect(body['payments']).toMatchObject([
    { txnHash: id, status: 'Confirmed', blockNumber: chain.blockOf(id)?.height },
  ])
})

test('a TRON address is accepted only in its exact spelling [T12]', async () => {
  const { body } = await app.ask('GET', '/tokens')
  expect(JSON.stringify(body)).toContain(USDT)
  const wrong = await ask('fay', `${SHASTA}/trc20:41a614f803b6fd780986a42c78ec9c7f77e6ded13c`)
  expect(wrong.status).toBe(422)
})

function ask(userId: string, tokenId: string) {
  const query = new URLSearchParams({ userId, tokenId, chainId: SHASTA })
  return app.ask('GET', `/payments/deposit-address?${query.toString()}`)
}

async function addressOf(userId: string, tokenId: string): Promise<string> {
  const asked = await vi.waitFor(async () => {
    const answer = await ask(userId, tokenId)
    expect(answer).toMatchObject({ status: 201 })
    return answer
  }, REACHED)
  const { address } = Object(Object(asked.body['address']).properties)
  return String(address)
}

function payloads(type: string): Record<string, unknown>[] {
  return receiver.received
    .map(({ body }) => Object(JSON.parse(body)))
    .filter((event) => event.type === type)
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ payload }) => payload)
}

function told(type: string, count: number): Promise<void> {
  return vi.waitFor(() => expect(payloads(type).length).toBeGreaterThanOrEqual(count), REACHED)
}

/** Expects the fields of the user's only deposit. */
function deposited(userId: string, expected: Record<string, unknown>): Promise<void> {
  return vi.waitFor(async () => {
    const { body } = await app.ask('GET', `/payments?userId=${userId}`)
    expect(body['payments']).toMatchObject([expected])
  }, REACHED)
}
