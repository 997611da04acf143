import { describe, expect, onTestFinished, test } from 'vitest'
import { auditLoop } from '../../src/app/audit-loop.ts'
import type { ChainWorld } from '../../src/app/chain-world.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import { listed } from '../support/anvil-chain.ts'
import { openedWorld, simulatedNode } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { BSC_TESTNET, SEPOLIA } from '../support/world-life.ts'
import { confirm, type Faulty, openFaulty } from './fault-world.ts'
import { chainWorldOf } from './running-world.ts'

const AUDIT_MS = 60_000
const CYCLES = 3
const FALL_ASLEEP_MAX_MS = 30_000

describe('tokens burned by their issuer', () => {
  test('the next cycle of the audit reports burned tokens, and only those [E09]', async () => {
    const { faulty, other } = await openWithTwoTokens()
    const { chain, payer, world } = faulty
    const address = await payer.address('ann')
    const { cycle } = runAudit(faulty)
    await cycle()
    expect(await differences(world)).toEqual([])
    chain.burn({ token: payer.contract, address, amount: 10n })
    chain.mine(1)
    await world.settle()
    await cycle()
    expect(await differences(world)).toEqual([
      `deficit of 10 base units of ${payer.dollar} on ${address.toLowerCase()}`,
    ])
    expect(await world.balance(payer.dollar)).toBe(100n)
    expect(await world.balance(other)).toBe(100n)
    chain.setBalance({ address, by: 10n, token: payer.contract })
    chain.mine(1)
    await world.settle()
    await cycle()
    expect(await differences(world)).toEqual([])
  })

  test('missing tokens are one alert as long as they are missing [E09]', async () => {
    const { faulty } = await openWithTwoTokens()
    const { chain, payer, world } = faulty
    const { cycle } = runAudit(faulty)
    chain.burn({ token: payer.contract, address: await payer.address('ann'), amount: 10n })
    for (let cycles = 0; cycles < CYCLES; cycles += 1) {
      chain.mine(1)
      await world.settle()
      await cycle()
    }
    expect(await differences(world)).toHaveLength(1)
  })
})

describe('a node that fails during an audit', () => {
  test.each([
    ['does not answer', { do: 'dropBefore' }],
    ['is busy', { do: 'http', status: 429 }],
    ['answers malformed JSON', { do: 'malformed' }],
    ['lags behind', { do: 'stale', blocks: 3 }],
  ] as const)('a node that %s causes no false difference [E09]', async (_how, action) => {
    const { faulty } = await openWithTwoTokens()
    const { chain, payer, proxy, world } = faulty
    const { cycle } = runAudit(faulty)
    const rule = proxy.rules.add({ match: { method: /^eth_getBalance$|^eth_call$/ }, action })
    await cycle()
    expect(rule.hits).toBeGreaterThan(0)
    expect(await differences(world)).toEqual([])
    rule.remove()
    chain.burn({ token: payer.contract, address: await payer.address('ann'), amount: 10n })
    chain.mine(1)
    await cycle()
    await world.settle()
    await cycle()
    expect(await differences(world)).toHaveLength(1)
  })

  test('a failing node does not resolve an earlier difference [E09]', async () => {
    const { faulty } = await openWithTwoTokens()
    const { chain, payer, proxy, world } = faulty
    const { cycle } = runAudit(faulty)
    chain.burn({ token: payer.contract, address: await payer.address('ann'), amount: 10n })
    chain.mine(1)
    await world.settle()
    await cycle()
    proxy.rules.add({ action: { do: 'dropBefore' } })
    await cycle()
    expect(await differences(world)).toHaveLength(1)
  })
})

test('a bug in the audit of one chain does not stop the audit of others [E09]', async () => {
  const nodes = [await simulatedNode(), await simulatedNode({ chainId: 97 })]
  const chains = [SEPOLIA, BSC_TESTNET].map((id, at) => ({ id, nodes: [nodes[at]?.url ?? ''] }))
  const world = await openedWorld(chains)
  for (const { id } of chains) await world.issue('ann', id)
  const asked: string[] = []
  const opened = chainWorldOf(world, { auditMs: AUDIT_MS })
  const all = opened.chains.all().map((adapter): ChainAdapter => {
    const { chainId } = adapter
    const balanceOf: ChainAdapter['balanceOf'] = async () => {
      asked.push(chainId)
      if (chainId === SEPOLIA) throw new Error('a bug')
      return 0n
    }
    return { ...adapter, balanceOf }
  })
  const { cycle } = runOver(world, { ...opened, chains: { ...opened.chains, all: () => all } })
  await cycle()
  expect(new Set(asked)).toEqual(new Set([SEPOLIA, BSC_TESTNET]))
})

/** A world where a user has 100 of each of two tokens. */
async function openWithTwoTokens(): Promise<{ faulty: Faulty; other: string }> {
  const contract = `0x${'7e'.repeat(20)}`
  const second = listed(SEPOLIA, contract)
  const faulty = await openFaulty({ tokens: [second] })
  const { chain, payer } = faulty
  chain.deployToken({ address: contract, name: 'Second', symbol: 'TUSD', decimals: 6 })
  const to = await payer.address('ann')
  payer.payDollars(to, 100n)
  chain.payToken({ to, amount: 100n, token: contract })
  await confirm(faulty)
  const [other] = (await faulty.world.deposits())
    .map(({ tokenId }) => tokenId)
    .filter((tokenId) => tokenId !== payer.dollar)
  return { faulty, other: other ?? '' }
}

/** Starts the loop of the role `audit`; `cycle` runs it once more. */
function runAudit({ world }: Faulty): { cycle: () => Promise<void> } {
  return runOver(world, chainWorldOf(world, { auditMs: AUDIT_MS }))
}

function runOver({ clock, keys }: World, opened: ChainWorld): { cycle: () => Promise<void> } {
  const stopping = new AbortController()
  const running = auditLoop(opened, keys.serviceKey).run(stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  return {
    async cycle() {
      await untilAsleep(clock)
      await clock.advance(AUDIT_MS)
      await untilAsleep(clock)
    },
  }
}

/** The loop sleeps between two cycles, and its lease between two renewals. */
async function untilAsleep(clock: Faulty['world']['clock']): Promise<void> {
  for (let waited = 0; clock.sleeping < 2; waited += 1) {
    if (waited > FALL_ASLEEP_MAX_MS) throw new Error('the audit did not end')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

async function differences(world: Faulty['world']): Promise<string[]> {
  const alerts = await world.alerts()
  return alerts
    .filter(({ code }) => code === 'ledger.difference')
    .map(({ message }) => message.replace(/^The audit found a (.*) at block \d+\.$/, '$1'))
}
