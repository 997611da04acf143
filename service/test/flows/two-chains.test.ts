import { endow, mined, signTransaction, transactionHash, walletOf } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchAddresses } from '../../src/accounts/watch.ts'
import { watchScope } from '../../src/catalogue/scope.ts'
import { parseChain, parseHolder } from '../adapters/brands.ts'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { ETHER, openedWorld, TBNB } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { BSC_TESTNET, REQUIRED, SEPOLIA } from '../support/world-life.ts'

let sepolia: AnvilChain
let bsc: AnvilChain
beforeAll(async () => {
  sepolia = await startAnvilChain(SEPOLIA)
  bsc = await startAnvilChain(BSC_TESTNET)
})
afterAll(() => Promise.all([sepolia.stop(), bsc.stop()]))

test('a payment on another network is credited on that network [E20]', async () => {
  const token = await bsc.create()
  const world = await open([listed(BSC_TESTNET, token)])
  const { address, id } = await world.issue('ann', SEPOLIA)
  await bsc.payToken(token, address, 9n)
  await bsc.pay(address, 4n)
  await confirm(world)
  const where = {
    chainId: BSC_TESTNET,
    accountChainId: SEPOLIA,
    accountId: id,
    externalUserId: 'ann',
    status: 'Confirmed',
  }
  expect(await world.deposits()).toMatchObject([
    { ...where, tokenId: tokenId(BSC_TESTNET, token), amount: 9n },
    { ...where, tokenId: TBNB, amount: 4n },
  ])
  expect(await world.balance(TBNB)).toBe(4n)
  expect(await world.balance(ETHER)).toBe(0n)
  expect(await world.events('deposit.confirmed')).toMatchObject([
    { payload: { chainId: BSC_TESTNET, accountChainId: SEPOLIA, amount: '9' } },
    { payload: { chainId: BSC_TESTNET, accountChainId: SEPOLIA, amount: '4' } },
  ])
  expect((await world.audit(BSC_TESTNET)).findings).toEqual([])
  expect((await world.audit(SEPOLIA)).findings).toEqual([])
})

test('one transaction hash on two chains is two deposits [E21]', async () => {
  const world = await open()
  const { address } = await world.issue('ann', SEPOLIA)
  const wallet = walletOf(`0x${'5e'.repeat(32)}`)
  const raw = signTransaction(wallet, {
    type: 'legacy',
    nonce: 0,
    to: address,
    value: 6n,
    gas: 21_000,
    gasPrice: 10n ** 11n,
  })
  for (const anvil of [sepolia, bsc]) {
    await endow(anvil, wallet.address, 10n ** 18n)
    await anvil.rpc('eth_sendRawTransaction', [raw])
    await mined(anvil, { hash: transactionHash(raw) })
  }
  await confirm(world)
  const txnHash = transactionHash(raw)
  expect(await world.deposits()).toMatchObject([
    { chainId: SEPOLIA, txnHash, amount: 6n, status: 'Confirmed' },
    { chainId: BSC_TESTNET, txnHash, amount: 6n, status: 'Confirmed' },
  ])
  expect(await world.balance(ETHER)).toBe(6n)
  expect(await world.balance(TBNB)).toBe(6n)
})

test('main networks and test networks do not watch the same address [E20]', async () => {
  const world = await open()
  const { address } = await world.issue('ann', SEPOLIA)
  const holder = parseHolder(SEPOLIA, address)
  const match = (chainId: string) => {
    const scope = watchScope(world.entry(parseChain(chainId)))
    const asked = { scope, addresses: [holder] }
    return world.database.transaction((tx) => matchAddresses(tx, world.keys.serviceKey, asked))
  }
  expect((await match('eip155:97')).size).toBe(1)
  expect((await match('eip155:1')).size).toBe(0)
})

function open(tokens: Parameters<typeof openedWorld>[1] = []): Promise<World> {
  const chains = [sepolia, bsc].map(({ id, url }) => ({ id, nodes: [url] }))
  return openedWorld(chains, tokens)
}

/** Mines the required confirmations on both chains, and returns the new events. */
async function confirm(world: World): Promise<void> {
  for (const anvil of [sepolia, bsc]) await anvil.mine(REQUIRED)
  await world.settle()
}
