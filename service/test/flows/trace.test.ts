import { startFaultProxy } from '@sluice/simulator'
import type { ChainId } from '@sluice/wire'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readNodes, readFacts } from '../../src/api/trace/facts.ts'
import { trace } from '../../src/api/trace/trace.ts'
import { holdDeposit } from '../../src/deposits/hold.ts'
import { stopChain } from '../../src/scanner/apply.ts'
import { parseChain, parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { openedWorld, type Simulated, simulated, simulatedNode } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const MINIMUM = 100n
const POLYGON = parseChain('eip155:137')

describe('a trace, from the node to the credit', () => {
  test('a trace follows one payment through its whole life', async () => {
    const { world, chain, mine, confirm, ...more } = await simulated()
    const on = { world, chain, mine, confirm, ...more }
    const { address } = await world.issue('ann')
    const hash = chain.pay({ to: address, amount: 5n })
    expect(await told(on, hash)).toBe('TRANSACTION_WAITS')
    chain.mine()
    expect(await told(on, hash)).toBe('NOT_YET_SCANNED')
    await world.settle()
    expect(await told(on, hash)).toBe('WAITING_FOR_CONFIRMATIONS')
    await mine(REQUIRED)
    expect(await told(on, hash)).toBe('CREDITED')
  })

  test('a trace on Polygon reports the distance to the final block', async () => {
    const node = await simulatedNode({ chainId: 137 })
    const { chain } = node
    const nodes = [node.url]
    const on = { id: POLYGON, nodes, catalogueTokens: false, confirmations: 128 }
    const world = await openedWorld([on])
    const { address } = await world.issue('ann', POLYGON)
    const hash = chain.pay({ to: address, amount: 5n })
    chain.mine(4)
    const height = chain.head().height - 3
    chain.finalize(height - 2)
    await world.settle()
    const [payment] = (await traced({ world, chainId: POLYGON }, hash)).payments
    expect(payment?.steps.at(-1)).toMatchObject({
      code: 'WAITING_FOR_CONFIRMATIONS',
      details: { rule: 'final', finalBlockNumber: height - 2, remaining: 2, seconds: 4 },
    })
    chain.finalize(height)
    await world.settle()
    expect((await traced({ world, chainId: POLYGON }, hash)).outcome).toBe('CREDITED')
  })

  test('a trace shows a payment inside a call at its recorded position [E03]', async () => {
    const on = await simulated()
    const { address } = await on.world.issue('ann')
    const hash = on.chain.payInternal({ to: address, amount: 6n })
    await on.confirm()
    expect(await traced(on, hash)).toMatchObject({
      outcome: 'CREDITED',
      payments: [{ amount: '6', externalUserId: 'ann' }],
    })
  })

  test('a trace distinguishes failures, zero payments and unlisted tokens [E01 E12]', async () => {
    const on = await simulated()
    const { address } = await on.world.issue('ann')
    const token = on.chain.deployToken(METADATA)
    const failed = on.chain.failed({ to: address, amount: 5n })
    const nothing = on.chain.pay({ to: address, amount: 0n })
    const strange = on.chain.payToken({ to: address, amount: 7n, token })
    const elsewhere = on.chain.pay({ to: `0x${'9'.repeat(40)}`, amount: 5n })
    await on.confirm()
    expect(await told(on, failed)).toBe('TRANSACTION_FAILED')
    expect(await told(on, nothing)).toBe('ZERO_VALUE')
    expect(await told(on, strange)).toBe('TOKEN_NOT_LISTED')
    expect(await told(on, elsewhere)).toBe('NOTHING_FOR_YOU')
    expect(await told(on, `0x${'1'.repeat(64)}`)).toBe('TRANSACTION_NOT_FOUND')
    expect(await on.world.deposits()).toEqual([])
  })

  test('a trace shows the amount missing to the minimum, over several payments [B06]', async () => {
    const on = await simulated()
    const token = on.chain.deployToken(METADATA)
    const id = parseToken(`${SEPOLIA}/erc20:${token}`)
    await on.world.restart({ tokens: [{ id, ...METADATA, minimumAmount: MINIMUM }] })
    const { address } = await on.world.issue('ann')
    const first = on.chain.payToken({ to: address, amount: 40n, token })
    await on.confirm()
    on.chain.payToken({ to: address, amount: 35n, token })
    await on.confirm()
    const found = await traced(on, first)
    expect(found.payments[0]?.steps.at(-1)).toMatchObject({
      code: 'BELOW_MINIMUM',
      details: { minimum: '100', arrived: '75', missing: '25' },
    })
    on.chain.payToken({ to: address, amount: 25n, token })
    await on.confirm()
    expect(await told(on, first)).toBe('CREDITED')
  })

  test('a trace shows an orphan, and the same deposit when it returns [R01]', async () => {
    const on = await simulated()
    const { address } = await on.world.issue('ann')
    const hash = on.chain.pay({ to: address, amount: 5n })
    await on.mine(2)
    on.chain.reorg({ depth: 2, keep: 'none' })
    await on.mine(3)
    expect(await told(on, hash)).toBe('ORPHANED')
  })

  test('a trace names the frozen chain that delays a credit [R04]', async () => {
    const on = await simulated()
    const { world } = on
    const { address } = await world.issue('ann')
    const before = on.chain.pay({ to: address, amount: 4n })
    await on.confirm()
    const frozen = { chainId: SEPOLIA, condition: 'frozen', cause: 'a test' } as const
    await world.database.transaction((tx) => stopChain(tx, frozen))
    const hash = on.chain.pay({ to: address, amount: 5n })
    await on.confirm()
    expect(await told(on, hash)).toBe('CHAIN_FROZEN')
    expect(await told(on, before)).toBe('CREDITED')
    await world.resume()
    await world.settle()
    expect(await told(on, hash)).toBe('CREDITED')
  })

  test('a trace names disagreeing nodes that delay a credit [N05]', async () => {
    const node = await simulatedNode()
    const other = await simulatedNode({ chain: node.chain })
    const proxy = await startFaultProxy({ target: other.url, seed: 'N05' })
    onTestFinished(() => proxy.stop())
    const nodes = [node.url, proxy.url]
    const world = await openedWorld([{ id: SEPOLIA, nodes }])
    const { address } = await world.issue('ann')
    const hash = node.chain.pay({ to: address, amount: 5n })
    const pays = node.chain.head().height + 1
    proxy.rules.add({
      match: { method: 'eth_getBlockByNumber' },
      action: { do: 'mutate', change: (block) => onOtherBranch(block, pays) },
    })
    node.chain.mine(1 + REQUIRED)
    await world.settle()
    expect(await told({ world }, hash)).toBe('CHAIN_DISPUTED')
    proxy.rules.clear()
    node.chain.mine()
    await world.settle()
    expect(await told({ world }, hash)).toBe('CREDITED')
  })

  test('a trace shows who holds a deposit and why', async () => {
    const on = await simulated()
    const { address } = await on.world.issue('ann')
    const hash = on.chain.pay({ to: address, amount: 5n })
    await on.mine()
    const { catalogue, database } = on.world
    const [deposit] = await on.world.deposits()
    const hold = { depositId: deposit?.id ?? '', actor: 'cli:test', reason: 'looks stolen' }
    await database.transaction((tx) => holdDeposit(tx, { catalogue, ...hold }))
    const found = await traced(on, hash)
    expect(found.payments[0]?.steps.at(-1)).toMatchObject({
      code: 'HELD',
      details: { cause: 'looks stolen' },
    })
  })

  test('a trace shows an organization no payment of another one [S09]', async () => {
    const on = await simulated()
    const other = await on.world.found('Second')
    const { address } = await on.world.issue('ann', SEPOLIA, other)
    const hash = on.chain.pay({ to: address, amount: 5n })
    await on.confirm()
    expect(await traced(on, hash)).toMatchObject({ outcome: 'NOTHING_FOR_YOU', payments: [] })
    expect(await told(on, hash, other)).toBe('CREDITED')
  })
})

/** The same block on another branch, from a height on. */
function onOtherBranch(block: unknown, from: number): unknown {
  const { number } = Object(block)
  const isOther = typeof number === 'string' && Number(number) >= from
  return isOther ? { ...Object(block), hash: `0x${number.slice(2).padStart(64, 'f')}` } : block
}

/** The trace of a transaction for an organization. */
async function traced(
  { world, chainId = SEPOLIA }: Pick<Simulated, 'world'> & { chainId?: ChainId },
  txnHash: string,
  orgId = world.orgId,
) {
  const { catalogue, database } = world
  const { serviceKey } = world.keys
  const seen = await readNodes(world.adapter(chainId), { catalogue, chainId, txnHash })
  const entry = world.entry(chainId)
  const facts = { serviceKey, catalogue, entry, txnHash, seen, isTokenOn: () => true }
  return database.forOrg(orgId, async (tx) => trace(await readFacts(tx, facts)))
}

async function told(on: Pick<Simulated, 'world'>, txnHash: string, orgId?: string) {
  return (await traced(on, txnHash, orgId)).outcome
}
