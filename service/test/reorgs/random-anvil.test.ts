import {
  encodeCall,
  ethSplitterInitCode,
  type ReorgTransaction,
  type Seeded,
  type SendRequest,
  seeded,
  selfDestructPayer,
  type Wallet,
  walletOf,
} from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { type AnvilChain, listed, startAnvilChain } from '../support/anvil-chain.ts'
import { openWorld } from '../support/world.ts'
import { SEPOLIA } from '../support/world-life.ts'
import { expectToldTruly, follow, liveOf, rescanFresh, settleForGood } from './fresh-rescan.ts'

const SEED = process.env['SLUICE_REORG_SEED'] ?? 'sluice'
const REORGS = 20
const DEPTH_MAX = 20
const PAYMENTS_MAX = 4
const USERS = ['ann', 'bob', 'cid']
const ALLOWANCE = 10n ** 17n

test(`${REORGS} random reorgs of anvil end like a fresh scan (seed ${SEED}) [R07]`, async () => {
  const random = seeded(`${SEED}/anvil`)
  const anvil = await startAnvilChain(SEPOLIA)
  onTestFinished(() => anvil.stop())
  const token = await anvil.create()
  const wallets = await strangers(anvil, random, REORGS * PAYMENTS_MAX)
  await anvil.mine(DEPTH_MAX + 1)
  const options = {
    seed: SEED,
    chains: [{ id: SEPOLIA, nodes: [anvil.url], startHeight: 1 }],
    tokens: [listed(SEPOLIA, token)],
  }
  const world = await openWorld(options)
  onTestFinished(() => world.close())
  await world.step()
  const addresses: string[] = []
  for (const user of USERS) addresses.push((await world.issue(user)).address)
  const sent = new Map<string, string>()
  for (let reorgs = 0; reorgs < REORGS; reorgs += 1) {
    for (let payments = random.int(PAYMENTS_MAX); payments > 0; payments -= 1) {
      const request = payment(random, token, random.pick(addresses))
      const { hash, raw } = await anvil.keep(request, wallets.pop())
      sent.set(hash, raw)
    }
    await anvil.mine(1 + random.int(2))
    await follow(world, random)
    await reorg(anvil, random, sent)
    await follow(world, random)
  }
  await anvil.mine(random.int(5))
  await settleForGood(world)
  const live = await liveOf(world)
  expect(live.deposits.length).toBeGreaterThan(REORGS / 4)
  expect(live).toEqual(await rescanFresh(options, USERS))
  expect((await world.audit()).findings).toEqual([])
  await expectToldTruly(world)
})

/** Payers of one transaction each: a lost one affects no other nonce. */
async function strangers(anvil: AnvilChain, random: Seeded, count: number): Promise<Wallet[]> {
  const wallets = Array.from({ length: count }, () => walletOf(`0x${random.hex(32)}`))
  const splitter = await anvil.create(ethSplitterInitCode())
  const data = encodeCall('pay(address[],uint256[])', [
    wallets.map(({ address }) => address),
    wallets.map(() => ALLOWANCE),
  ])
  const value = ALLOWANCE * BigInt(count)
  const { status } = await anvil.send({ to: splitter, value, data, gas: 10_000_000 })
  expect(status).toBe('0x1')
  return wallets
}

/** By the transaction itself, from a contract that destroys itself, or in a token. */
function payment(random: Seeded, token: string, to: string): SendRequest {
  const value = BigInt(1 + random.int(1_000))
  const kind = random.int(3)
  if (kind === 0) return { to, value, gas: 21_000 }
  if (kind === 1) return { data: selfDestructPayer(to), value }
  return { to: token, data: encodeCall('mint(address,uint256)', [to, value]) }
}

/**
 * Replaces some blocks; of their transactions a few vanish, the others lie anywhere in the new
 * ones.
 */
async function reorg(anvil: AnvilChain, random: Seeded, sent: Map<string, string>): Promise<void> {
  const depth = 1 + random.int(DEPTH_MAX)
  const head = await anvil.height()
  const kept: ReorgTransaction[] = []
  for (let height = head - depth + 1; height <= head; height += 1) {
    const block = await anvil.rpc<{ transactions: string[] }>('eth_getBlockByNumber', [
      `0x${height.toString(16)}`,
      false,
    ])
    for (const hash of block.transactions) {
      const raw = sent.get(hash)
      if (raw !== undefined && random.chance(0.8)) kept.push([raw, random.int(depth)])
    }
  }
  await anvil.reorg(depth, kept)
}
