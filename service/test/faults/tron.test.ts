import { startTronNode, type TronChain } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { tronSender } from '../adapters/tron-world.ts'
import {
  COIN,
  created,
  expectWhole,
  opened,
  SHASTA,
  signedFor,
  SOLID_LAG,
  TRX,
} from '../support/tron-harness.ts'
import { openWorld, type World } from '../support/world.ts'
import { followWhilePossible, proxied } from './fault-world.ts'

const INFOS = '/wallet/gettransactioninfobyblocknum'
const BLOCKS = '/wallet/getblockbylimitnext'
const BROADCAST = '/wallet/broadcasthex'
const SOLID_HEAD = '/walletsolidity/getblock'
const BUSY = '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}'
const PAYMENTS = 30

/** Invalid answers with status 200, or answers to other queries. */
const WRONG: readonly [string, string, (chain: TronChain) => string][] = [
  ['without receipts yet [T10]', INFOS, () => '[]'],
  ['an empty object for receipts [T10]', INFOS, () => '{}'],
  ['receipts of another block [N09]', INFOS, (chain) => infosOf(chain)],
  ['with its rate limit [N07]', BLOCKS, () => BUSY],
  ['without a block [N04]', BLOCKS, () => '{}'],
  [
    'with invalid JSON [N09]',
    BLOCKS,
    () => 'this API is closed because this node is a lite fullnode',
  ],
]

test.each(WRONG)('no deposit is lost if a node answers %s', async (_what, method, bodyOf) => {
  const { world, chain, url } = await openScanned()
  const proxy = await proxied(url)
  await world.restart({ chains: [{ id: SHASTA, nodes: [proxy.url] }] })
  const { address } = await world.issue('ann', SHASTA)
  await payEach(chain, address, 2)
  const body = bodyOf(chain)
  const action = { do: 'http', status: 200, body } as const
  const rule = proxy.rules.add({ match: { method, every: 3 }, action })
  for (let paid = 2; paid < PAYMENTS; paid += 2) {
    await payEach(chain, address, 2)
    await followWhilePossible(world, SHASTA)
  }
  expect(rule.hits).toBeGreaterThan(3)
  proxy.rules.clear()
  chain.mine(SOLID_LAG)
  await world.settle(SHASTA)
  expect(await world.balance(COIN)).toBe(BigInt(PAYMENTS) * TRX)
  expect((await world.deposits()).map(({ status }) => status)).toEqual(
    Array.from({ length: PAYMENTS }, () => 'Confirmed'),
  )
})

test('no deposit is credited while the solid head does not move [T06 N01]', async () => {
  const { world, chain, url } = await openScanned()
  const proxy = await proxied(url)
  await world.restart({ chains: [{ id: SHASTA, nodes: [proxy.url] }] })
  const { address } = await world.issue('ann', SHASTA)
  // The solid block is one of ours by then.
  chain.mine(2 * SOLID_LAG)
  await world.settle(SHASTA)
  const asked = await fetch(`${url}${SOLID_HEAD}`, { method: 'POST', body: '{"detail":false}' })
  const body = await asked.text()
  proxy.rules.add({ match: { method: SOLID_HEAD }, action: { do: 'http', status: 200, body } })
  await payEach(chain, address, 1)
  chain.mine(3 * SOLID_LAG)
  await followWhilePossible(world, SHASTA)
  expect(await world.deposits()).toMatchObject([{ status: 'Detected' }])
  proxy.rules.clear()
  await world.settle(SHASTA)
  expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }])
})

test('a block without a proof is read once two nodes agree on it [N09]', async () => {
  const { world, chain, url } = await openScanned()
  const other = await startTronNode({ chain })
  onTestFinished(() => other.stop())
  await world.restart({ chains: [{ id: SHASTA, nodes: [url, other.url] }] })
  const { address } = await world.issue('ann', SHASTA)
  for (let odd = 0; odd < 2; odd += 1) {
    const id = chain.pay({ to: address, amount: TRX })
    const paid = chain.pool.get(id)
    // An unknown field number, as any signer may write it.
    if (paid !== undefined) chain.pool.set(id, { ...paid, hidden: Uint8Array.of(0xf8, 1, 7) })
    chain.mine(1)
    await world.settle(SHASTA)
  }
  chain.mine(SOLID_LAG)
  await world.settle(SHASTA)
  expect(await world.balance(COIN)).toBe(2n * TRX)
  const told = (await world.alerts()).filter(({ code }) => code === 'chain.unproven_block')
  expect(told).toMatchObject([
    { subject: SHASTA, times: 2, message: expect.stringContaining('names the root') },
  ])
})

test('a lost answer to a broadcast is one payment [T08 W13]', async () => {
  const proxies: Awaited<ReturnType<typeof proxied>>[] = []
  const harness = await opened(async (url) => {
    proxies.push(await proxied(url))
    return proxies[0]?.url ?? url
  })
  const to = tronSender(701).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  harness.chain.lets = () => false
  const rule = proxies[0]?.rules.add({ match: { method: BROADCAST }, action: { do: 'dropAfter' } })
  await harness.spend()
  proxies[0]?.rules.clear()
  // The same bytes again: the node has them.
  await harness.mine(4)
  await harness.world.clock.advance(60_000)
  await harness.spend()
  harness.chain.lets = () => true
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  expect(rule?.hits).toBeGreaterThan(0)
  expect(harness.chain.balance(to)).toBe(20n * TRX)
  expect(await signedFor(harness)).toBe(1)
})

test.each([
  'SERVER_BUSY',
  'NO_CONNECTION',
  'NOT_ENOUGH_EFFECTIVE_CONNECTION',
  'BLOCK_UNSOLIDIFIED',
  'TAPOS_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
  'BANDWITH_ERROR',
  'SIGERROR',
  'OTHER_ERROR',
])('an answer %s causes no second signature [T09]', async (code) => {
  const proxies: Awaited<ReturnType<typeof proxied>>[] = []
  const harness = await opened(async (url) => {
    proxies.push(await proxied(url))
    return proxies[0]?.url ?? url
  })
  const to = tronSender(702).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  const body = JSON.stringify({ result: false, code, txid: '00'.repeat(32), message: 'no' })
  const action = { do: 'http', status: 200, body } as const
  proxies[0]?.rules.add({ match: { method: BROADCAST }, action })
  for (let round = 0; round < 3; round += 1) {
    await harness.spend()
    await harness.mine(4)
    await harness.world.clock.advance(20_000)
  }
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  proxies[0]?.rules.clear()
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  expect(harness.chain.balance(to)).toBe(20n * TRX)
  expect(await signedFor(harness)).toBe(1)
  await expectWhole(harness)
})

async function openScanned(): Promise<{ world: World; chain: TronChain; url: string }> {
  const node = await startTronNode({ solidLag: SOLID_LAG })
  const { chain, url } = node
  chain.mine(30)
  const seed = expect.getState().currentTestName ?? ''
  const world = await openWorld({ seed, chains: [{ id: SHASTA, nodes: [url] }] })
  onTestFinished(async () => {
    await world.close()
    await node.stop()
  })
  await world.settle(SHASTA)
  return { world, chain, url }
}

/** Mines that many blocks, each with a payment. */
async function payEach(chain: TronChain, to: string, blocks: number): Promise<void> {
  for (let paid = 0; paid < blocks; paid += 1) {
    chain.pay({ to, amount: TRX })
    chain.mine(1)
  }
}

/** The receipts of the highest block, which is not requested later. */
function infosOf(chain: TronChain): string {
  const infos = chain.head().executed.map(({ info }) => info)
  return JSON.stringify(infos, (_key, one) => (typeof one === 'bigint' ? Number(one) : one))
}
