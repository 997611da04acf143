import { describe, expect, test } from 'vitest'
import { ETHER } from '../support/opened-world.ts'
import { REQUIRED } from '../support/world-life.ts'
import {
  confirm,
  type Faulty,
  followWhilePossible,
  openFaulty,
  rescanStates,
} from './fault-world.ts'

const TRACE_CALLS = /^trace_block$|^debug_trace/
/** Also traces of a single transaction. */
const ANY_TRACE = /^trace_|^debug_trace/
/** The number of states that a full node keeps. */
const KEPT_STATES = 128
const MINUTE_MS = 60_000

describe('a balance that no node returns', () => {
  test.each([
    [-32002, 'Archive, Debug and Trace requests are not available on your current plan.', 0],
    [-32000, 'project ID does not have access to archive state', 0],
    // An ambiguous message is accepted after ten minutes.
    [-32003, 'not for you', 2],
  ])('a balance missing after a downtime holds its deposit: %i %s [N13]', async (...args) => {
    const [code, message, waits] = args
    const faulty = await openFaulty()
    const { chain, payer, proxy, world } = faulty
    payer.payDollars(await payer.address('ann'), 7n)
    chain.mine(1)
    await world.settle()
    // An operator's own token: it is not credited without proof by a state.
    const params = ([, state]: readonly unknown[]) => state !== 'latest'
    proxy.rules.add({
      match: { method: 'eth_call', params },
      action: { do: 'error', code, message },
    })
    chain.mine(KEPT_STATES)
    payer.payCoins(await payer.address('bob'), 5n)
    chain.mine(REQUIRED + 1)
    for (let waited = 0; waited < waits; waited += 1) {
      expect((await followWhilePossible(world))?.message).toContain(message)
      expect(await standings(faulty)).toEqual(['ann Detected', 'bob Detected'])
      await world.clock.advance(5 * MINUTE_MS)
    }
    expect(await followWhilePossible(world)).toBeNull()
    expect(await standings(faulty)).toEqual(['ann Held', 'bob Confirmed'])
    expect(await world.balance(payer.dollar)).toBe(0n)
    expect(await world.balance(ETHER)).toBe(5n)
  })

  test('a missing state stops neither the scan nor detection [N13]', async () => {
    const faulty = await openFaulty({ runMax: 5 })
    const { chain, payer, proxy, world } = faulty
    payer.payDollars(await payer.address('ann'), 7n)
    chain.mine(1)
    await world.settle()
    const action = { do: 'error', code: -32603, message: 'internal error' } as const
    const rule = proxy.rules.add({ match: { method: 'eth_call' }, action })
    chain.mine(300)
    payer.payCoins(await payer.address('bob'), 5n)
    chain.mine(REQUIRED + 1)
    expect((await followWhilePossible(world))?.message).toContain('internal error')
    expect(await standings(faulty)).toEqual(['ann Detected', 'bob Detected'])
    const { tip, headHeight } = await world.state()
    expect(tip.height).toBe(headHeight)
    payer.payCoins(await payer.address('cleo'), 6n)
    chain.mine(1)
    await followWhilePossible(world)
    expect((await standings(faulty)).at(-1)).toBe('cleo Detected')
    rule.remove()
    await confirm(faulty)
    await payer.expectAllCredited()
  })
})

test('a token with an overlong answer delays no deposit of others [N09]', async () => {
  const faulty = await openFaulty()
  const { chain, payer, proxy, world } = faulty
  payer.payDollars(await payer.address('ann'), 7n)
  chain.mine(1)
  payer.payCoins(await payer.address('bob'), 5n)
  chain.mine(1)
  await world.settle()
  // As much as the gas of the query pays for: the author of the contract decides that.
  const change = () => `0x${'0'.repeat(1_380_000)}`
  proxy.rules.add({ match: { method: 'eth_call' }, action: { do: 'mutate', change } })
  chain.mine(REQUIRED + 1)
  expect(await followWhilePossible(world)).toBeNull()
  expect(await standings(faulty)).toEqual(['ann Held', 'bob Confirmed'])
})

test('a temporary refusal does not take the second proof of a deposit [N13]', async () => {
  const faulty = await openFaulty()
  const { chain, payer, proxy, world } = faulty
  payer.payDollars(await payer.address('ann'), 7n)
  chain.mine(1)
  await world.settle()
  const params = ([, state]: readonly unknown[]) => state !== 'latest'
  const rule = proxy.rules.add({
    match: { method: 'eth_call', params },
    action: { do: 'error', code: -32603, message: 'internal error' },
  })
  chain.mine(KEPT_STATES + REQUIRED)
  expect((await followWhilePossible(world))?.message).toContain('internal error')
  expect(await standings(faulty)).toEqual(['ann Detected'])
  rule.remove()
  await confirm(faulty)
  await payer.expectAllCredited()
})

test('a rescan for traces is not done before traces are available [E03]', async () => {
  const faulty = await openFaulty()
  const { chain, payer, proxy, world } = faulty
  payer.payCoins(await payer.address('bob'), 5n)
  const paid = { to: await payer.address('ann'), amount: 3n }
  // The way of tracing is known.
  chain.payInternal(paid)
  await confirm(faulty)
  const message = 'required historical state unavailable (reexec=128)'
  const action = { do: 'error', code: -32000, message } as const
  const rule = proxy.rules.add({ match: { method: TRACE_CALLS }, action })
  const { tip } = await world.state()
  chain.payInternal(paid)
  chain.mine(REQUIRED + 1)
  await followWhilePossible(world)
  await waitOut(faulty)
  expect(await followWhilePossible(world)).toBeNull()
  expect(await standings(faulty)).toHaveLength(2)
  await world.rescan(tip.height + 1, tip.height + 1)
  expect((await followWhilePossible(world))?.message).toContain(message)
  expect(await rescanStates(world)).toEqual(['waiting'])
  // The head moves on meanwhile.
  payer.payCoins(await payer.address('cleo'), 6n)
  chain.mine(REQUIRED + 1)
  await followWhilePossible(world)
  expect((await standings(faulty)).at(-1)).toBe('cleo Confirmed')
  rule.remove()
  await followWhilePossible(world)
  expect(await rescanStates(world)).toEqual(['done'])
  expect(await standings(faulty)).toHaveLength(4)
})

test('traces that a node cannot finish do not stop the chain permanently [E03]', async () => {
  const faulty = await openFaulty({ timeoutMs: 300 })
  const { chain, payer, proxy, world } = faulty
  chain.payInternal({ to: await payer.address('ann'), amount: 3n })
  await confirm(faulty)
  proxy.rules.add({ match: { method: ANY_TRACE }, action: { do: 'delay', ms: 60_000 } })
  const { tip } = await world.state()
  payer.payDollars(await payer.address('ann'), 7n)
  chain.mine(REQUIRED + 1)
  expect((await followWhilePossible(world))?.message).toContain('no answer within')
  expect((await world.state()).tip).toEqual(tip)
  await waitOut(faulty)
  expect(await followWhilePossible(world)).toBeNull()
  expect(await standings(faulty)).toEqual(['ann Confirmed', 'ann Confirmed'])
})

test('traces without a state do not stop the chain permanently [E03]', async () => {
  const faulty = await openFaulty()
  const { chain, payer, proxy, world } = faulty
  const paid = { to: await payer.address('ann'), amount: 3n }
  chain.payInternal(paid)
  await confirm(faulty)
  expect(await standings(faulty)).toEqual(['ann Confirmed'])
  const message = 'required historical state unavailable (reexec=128)'
  const action = { do: 'error', code: -32000, message } as const
  const rule = proxy.rules.add({ match: { method: TRACE_CALLS }, action })
  const { tip } = await world.state()
  payer.payDollars(await payer.address('ann'), 7n)
  chain.mine(1)
  payer.payCoins(await payer.address('bob'), 5n)
  chain.mine(REQUIRED + 1)
  expect((await followWhilePossible(world))?.message).toContain('historical state')
  expect((await world.state()).tip).toEqual(tip)
  await waitOut(faulty)
  expect(await followWhilePossible(world)).toBeNull()
  expect(await standings(faulty)).toEqual(['ann Confirmed', 'ann Confirmed', 'bob Confirmed'])
  rule.remove()
  chain.payInternal(paid)
  await confirm(faulty)
  expect(await standings(faulty)).toHaveLength(4)
})

/** The users of deposits, the oldest first, and the state of each. */
async function standings({ world }: Faulty): Promise<string[]> {
  const deposits = await world.deposits()
  return deposits
    .toSorted((a, b) => a.block.height - b.block.height)
    .map(({ externalUserId, status }) => `${externalUserId} ${status}`)
}

/** Eleven minutes in which the chain is scanned repeatedly. */
async function waitOut({ world }: Faulty): Promise<void> {
  await world.clock.advance(5 * MINUTE_MS)
  expect(await followWhilePossible(world)).not.toBeNull()
  await world.clock.advance(6 * MINUTE_MS)
}
