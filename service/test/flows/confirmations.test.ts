import { startEvmNode } from '@sluice/simulator'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { setSwitch } from '../../src/orgs/switches.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { stopChain } from '../../src/scanner/apply.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { ETHER, openedWorld, simulated, TBNB } from '../support/opened-world.ts'
import { openWorld, type World } from '../support/world.ts'
import { BSC_TESTNET, REQUIRED, SEPOLIA } from '../support/world-life.ts'

describe('confirmations of a deposit', () => {
  test('a deposit has no confirmation in its own block [I5]', async () => {
    const { world, chain, mine } = await simulated()
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    await mine()
    expect(await world.events('deposit.detected')).toMatchObject([
      { payload: { confirmations: 0, status: 'Detected', amount: '5', externalUserId: 'ann' } },
    ])
    expect(await statuses(world)).toEqual(['Detected'])
  })

  test.each([0, 1, 3, 12])('a deposit is credited after %i blocks [I5]', async (required) => {
    const { world, chain, mine } = await simulated({ confirmations: required })
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    for (let blocks = 0; blocks < required; blocks += 1) {
      await mine()
      expect(await statuses(world)).toEqual(['Detected'])
    }
    await mine()
    expect(await statuses(world)).toEqual(['Confirmed'])
    const [deposit] = await world.deposits()
    expect(deposit?.confirmedHeight).toBe((deposit?.block.height ?? 0) + required)
    expect(await world.events('deposit.confirmed', 'balance.updated')).toMatchObject([
      { payload: { confirmations: required, status: 'Confirmed' } },
      { payload: { previousBalance: '0', balance: '5', delta: '5', reason: 'deposit' } },
    ])
  })

  test('a deposit is credited earlier when the chain calls its block final [I5]', async () => {
    const { world, chain, mine } = await simulated({ confirmations: 12 })
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    await mine(2)
    const [deposit] = await world.deposits()
    const height = deposit?.block.height ?? 0
    chain.finalize(height - 1)
    await world.settle()
    expect(await statuses(world)).toEqual(['Detected'])
    chain.finalize(height)
    await world.settle()
    expect(await statuses(world)).toEqual(['Confirmed'])
    expect((await world.state()).final?.height).toBe(height)
  })

  test('blocks read in one run give the same credits as blocks read one by one [I19]', async () => {
    const { world, chain, mine } = await simulated()
    const { address } = await world.issue('ann')
    for (let blocks = 0; blocks < 10; blocks += 1) {
      chain.pay({ to: address, amount: 5n })
      chain.mine()
    }
    await mine(0)
    const all = await statuses(world)
    expect(all.filter((status) => status === 'Confirmed')).toHaveLength(10 - REQUIRED)
    expect(await world.balance(ETHER)).toBe(5n * BigInt(10 - REQUIRED))
  })

  test('a deposit that is already deep is credited at once, with two events [I19]', async () => {
    const { world, chain, mine } = await simulated()
    const { address } = await world.issue('ann')
    for (const amount of [5n, 6n]) {
      chain.pay({ to: address, amount })
      chain.mine()
    }
    await mine(REQUIRED)
    expect(await statuses(world)).toEqual(['Confirmed', 'Confirmed'])
    const told = await world.events('deposit.detected', 'deposit.confirmed', 'balance.updated')
    expect(told.map(({ type }) => type)).toEqual([
      'deposit.detected',
      'deposit.detected',
      'deposit.confirmed',
      'deposit.confirmed',
      'balance.updated',
      'balance.updated',
    ])
    expect(told).toMatchObject([
      { payload: { amount: '5', status: 'Detected', confirmations: 0 } },
      { payload: { amount: '6', status: 'Detected', confirmations: 0 } },
      { payload: { amount: '5', status: 'Confirmed', confirmations: REQUIRED + 1 } },
      { payload: { amount: '6', status: 'Confirmed', confirmations: REQUIRED } },
      { payload: { previousBalance: '0', balance: '5' } },
      { payload: { previousBalance: '5', balance: '11' } },
    ])
    expect(await commitsOf(world)).toBe(1)
  })

  test('the sums of places and of claims stay equal at every step [I1]', async () => {
    const { world, chain } = await simulated({ runMax: 1 })
    const { address } = await world.issue('ann')
    chain.pay({ to: address, amount: 5n })
    chain.batch([{ to: address, amount: 6n }])
    chain.mine(REQUIRED + 1)
    for (let steps = 0; steps < 10; steps += 1) {
      await world.step()
      const balances = Object.entries(await world.balances())
      const sum = (part: string) =>
        balances.reduce(
          (total, [name, amount]) => (name.includes(part) ? total + amount : total),
          0n,
        )
      expect(sum(' place:')).toBe(sum(' claim:'))
    }
    expect(await world.balance(ETHER)).toBe(11n)
  })
})

describe('deposits to new addresses and disabled tokens', () => {
  test('a deposit in a block mined before its address was issued is found [I14]', async () => {
    const { world, chain, node } = await simulated()
    // A second world of the same keys shows the first address in advance.
    const twin = await openWorld({
      seed: expect.getState().currentTestName ?? '',
      chains: [{ id: SEPOLIA, nodes: [node.url] }],
    })
    onTestFinished(() => twin.close())
    await twin.settle()
    const { address } = await twin.issue('ann')
    chain.pay({ to: address, amount: 5n })
    chain.mine()
    const holder = await world.holder()
    const late = {
      ...holder.adapter,
      blockAt: async (...query: Parameters<typeof holder.adapter.blockAt>) => {
        const block = await holder.adapter.blockAt(...query)
        expect((await world.issue('ann')).address).toBe(address)
        return block
      },
    }
    const blind = { ...holder, adapter: late }
    await followChain(blind, new BlocksAhead(late, 8))
    expect(await world.deposits()).toMatchObject([{ amount: 5n, externalUserId: 'ann' }])
  })

  test('deposits on a disabled chain and of a disabled token are credited', async () => {
    const { world, chain, confirm } = await simulated()
    const token = chain.deployToken(METADATA)
    const { address } = await world.issue('ann')
    const tokenId = parseToken(`${SEPOLIA}/erc20:${token}`)
    await world.restart({ tokens: [{ id: tokenId, ...METADATA }] })
    for (const subject of [SEPOLIA, tokenId]) {
      const off = { orgId: world.orgId, subject, enabled: false, actor: 'test' }
      await world.database.transaction((tx) => setSwitch(tx, off))
    }
    chain.pay({ to: address, amount: 5n })
    chain.payToken({ to: address, amount: 6n, token })
    await confirm()
    expect(await world.balance(ETHER)).toBe(5n)
    expect(await world.balance(tokenId)).toBe(6n)
  })
})

describe('a frozen, halted or unreachable chain', () => {
  test('a frozen chain credits nothing and catches up when resumed [R04]', async () => {
    const { world, chain, confirm } = await simulated()
    const { address } = await world.issue('ann')
    await stop(world, 'frozen')
    for (const amount of [5n, 6n]) {
      chain.pay({ to: address, amount })
      await confirm()
    }
    expect(await statuses(world)).toEqual(['Detected', 'Detected'])
    await world.resume()
    await world.settle()
    expect(await statuses(world)).toEqual(['Confirmed', 'Confirmed'])
    expect(await world.balance(ETHER)).toBe(11n)
  })

  test('a halted chain is not scanned and catches up when resumed [N06]', async () => {
    const { world, chain, confirm } = await simulated()
    const { address } = await world.issue('ann')
    const { tip } = await world.state()
    await stop(world, 'halted')
    chain.pay({ to: address, amount: 5n })
    await confirm()
    expect((await world.state()).tip).toEqual(tip)
    expect(await statuses(world)).toEqual([])
    await world.resume()
    await world.settle()
    expect(await statuses(world)).toEqual(['Confirmed'])
  })

  test('a freeze is reported once to the organizations and to the operators [R04]', async () => {
    const { world } = await simulated()
    await world.issue('ann')
    const idle = await world.found('Without an account there')
    await stop(world, 'frozen')
    await stop(world, 'frozen')
    expect(await world.events('chain.frozen')).toMatchObject([
      { payload: { chainId: SEPOLIA, state: 'frozen', reason: 'a test' } },
    ])
    expect(await world.eventsOf(idle)).toEqual([])
    expect(await world.alerts()).toMatchObject([{ code: 'chain.frozen', times: 1 }])
  })

  test('a chain with a dead node delays no other chain [N08]', async () => {
    const bsc = await startEvmNode({ chainId: 97, seed: 'bsc' })
    const dead = await startEvmNode({ chainId: 11_155_111, seed: 'dead' })
    onTestFinished(() => bsc.stop())
    const world = await openedWorld([
      { id: SEPOLIA, nodes: [dead.url] },
      { id: BSC_TESTNET, nodes: [bsc.url] },
    ])
    const { address } = await world.issue('ann', SEPOLIA)
    await dead.stop()
    bsc.chain.pay({ to: address, amount: 9n })
    bsc.chain.mine(REQUIRED + 1)
    await world.settle(BSC_TESTNET)
    await world.outage(SEPOLIA)
    expect(await world.balance(TBNB)).toBe(9n)
  })
})

/** The number of transactions that wrote the current deposits and their events. */
async function commitsOf(world: World): Promise<number> {
  const { commits } = await world.database.transaction((tx) =>
    tx.one(sql<{ commits: number }>`
      select count(distinct w.xmin::text)::int as commits
        from (select xmin from incoming_transfers
               union all
              select xmin from events where type like 'deposit.%') w`),
  )
  return commits
}

async function statuses(world: World): Promise<string[]> {
  return (await world.deposits()).map(({ status }) => status)
}

async function stop(world: World, condition: 'frozen' | 'halted'): Promise<void> {
  const stopped = { chainId: SEPOLIA, condition, cause: 'a test' }
  await world.database.transaction((tx) => stopChain(tx, stopped))
}
