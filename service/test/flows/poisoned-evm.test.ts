import { startFaultProxy } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { auditLedger } from '../../src/audit/run.ts'
import { simulatedNode } from '../support/opened-world.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import { openWithdrawingWorld, type WithdrawingWorld } from '../support/withdrawing-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER = `${SEPOLIA}/slip44:60`
const AMOUNT = 10n ** 15n
const ALL_GAS = 40_000_000n
const DEPOSIT = 10n ** 17n
const ROUNDS = 6

test('a recipient that burns all gas fails alone, and others are paid [W17 W20]', async () => {
  const { harness, chain, created } = await open()
  const burner = randomWallet('burner')
  chain.setCode(burner, { gas: ALL_GAS, reverts: false })
  const bad = await created(burner)
  const good = [await created(), await created(), await created()]
  for (const id of good) expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  expect(await harness.read(bad)).toMatchObject({
    status: 'Failed',
    failureCode: 'RECIPIENT_REFUSES',
    txnHash: null,
  })
  expect(await auditLedger(harness.world)).toEqual([])
})

test('a payment that nodes reject with an unknown message waits alone [W20]', async () => {
  const { harness, proxy, created } = await open()
  const odd = randomWallet('odd')
  const rule = proxy.rules.add({
    match: { method: /^eth_(estimateGas|call)$/, params: ([call]) => paysTo(call, odd) },
    action: { do: 'error', code: -32603, message: 'internal error' },
  })
  const bad = [await created(odd), await created(odd), await created(odd), await created(odd)]
  const good = [await created(), await created(), await created()]
  for (const id of good) expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  expect(rule.hits).toBeGreaterThan(0)
  for (const id of bad) expect(await harness.read(id)).toMatchObject({ status: 'Pending' })
  rule.remove()
  for (const id of bad) expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  expect(await auditLedger(harness.world)).toEqual([])
})

test('a payment that breaks the node each time waits alone [W20]', async () => {
  const { harness, proxy, created } = await open()
  const odd = randomWallet('odd')
  const rule = proxy.rules.add({
    match: { method: 'eth_estimateGas', params: ([call]) => paysTo(call, odd) },
    action: { do: 'mutate', change: () => 'no quantity' },
  })
  const bad = await created(odd)
  const good = [await created(), await created(), await created()]
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) await round(harness)
  for (const id of good) expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
  expect(rule.hits).toBeGreaterThan(0)
  expect(await harness.read(bad)).toMatchObject({ status: 'Pending' })
})

test('a sweep that breaks the node each time does not block other sweeps [W20]', async () => {
  const { harness, chain, proxy } = await open()
  const { world } = harness
  const issue = async (user: string) => (await world.issue(user)).address
  const odd: string[] = []
  const sound: string[] = []
  for (let user = 0; user < 6; user += 1) odd.push(await issue(`odd ${user}`))
  for (let user = 0; user < 2; user += 1) sound.push(await issue(`sound ${user}`))
  const rule = proxy.rules.add({
    match: {
      method: 'eth_estimateGas',
      params: ([call]) => odd.some((address) => isSame(Object(call).from, address)),
    },
    action: { do: 'mutate', change: () => 'no quantity' },
  })
  for (const addresses of [odd, sound]) {
    for (const to of addresses) chain.pay({ to, amount: DEPOSIT })
    await harness.mine(1 + REQUIRED)
    await round(harness)
  }
  for (let rounds = 0; rounds < 2 * ROUNDS; rounds += 1) await round(harness)
  expect(rule.hits).toBeGreaterThan(0)
  for (const address of sound) expect(chain.balanceOf(address)).toBeLessThan(DEPOSIT / 10n)
  for (const address of odd) expect(chain.balanceOf(address)).toBe(DEPOSIT)
})

/** A minute passes, the spender runs once, and the blocks of a deposit are mined. */
async function round(harness: WithdrawingWorld): Promise<void> {
  await harness.world.clock.advance(60_000)
  await harness.spend()
  await harness.mine(1 + REQUIRED)
}

/** A service with a proxy in front of its only node. */
async function open() {
  const { chain, url } = await simulatedNode()
  const proxy = await startFaultProxy({ target: url, seed: 1 })
  onTestFinished(() => proxy.stop())
  const hand = {
    id: SEPOLIA,
    url: proxy.url,
    pay: async (to: string, amount: bigint) => chain.pay({ to, amount }),
    mine: async (blocks = 1) => chain.mine(blocks),
    settles: 1 + REQUIRED,
  }
  const harness = await openWithdrawingWorld(hand)
  const operator = await harness.colleague('operator')
  let references = 0
  const created = async (recipient = randomWallet(`anybody ${references}`)) => {
    references += 1
    // Each is younger than the one before.
    await harness.world.clock.advance(1_000)
    const answer = await operator.ask('POST', '/withdrawals', {
      chainId: SEPOLIA,
      tokenId: ETHER,
      amount: `${AMOUNT}`,
      recipient,
      reference: `number ${references}`,
    })
    expect(answer).toMatchObject({ status: 201 })
    return idIn(answer.json['withdrawal'])
  }
  return { harness, chain, proxy, created }
}

function paysTo(call: unknown, recipient: string): boolean {
  return isSame(Object(call).to, recipient)
}

function isSame(one: unknown, other: string): boolean {
  return String(one).toLowerCase() === other.toLowerCase()
}
