import { type FaultProxy, startFaultProxy, xrplWallet } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { toHex41 } from '../../src/chains/tron/address.ts'
import { tronSender } from '../adapters/tron-world.ts'
import { created, opened, TRX } from '../support/tron-harness.ts'
import type { WithdrawingWorld } from '../support/withdrawing-world.ts'
import { asked, openXrplHarness } from '../support/xrpl-harness.ts'

const ROUNDS = 6
const DROPS = 5_000_000n

test('a TRON payment that breaks the node each time waits alone [W20]', async () => {
  const { proxy, before } = proxied()
  const harness = await opened(before)
  const odd = tronSender(601).address
  const others = [602, 603, 604].map((number) => tronSender(number).address)
  const ids: string[] = []
  for (const recipient of [odd, ...others]) {
    await harness.world.clock.advance(1_000)
    ids.push(await created(harness, { recipient, amount: `${20n * TRX}` }))
  }
  await expectOthersPaid(harness, ids, () => breakAnswers(proxy(), toHex41(odd)))
})

test('an XRPL payment that breaks the node each time waits alone [W20]', async () => {
  const { proxy, before } = proxied()
  const harness = await openXrplHarness(before)
  const odd = xrplWallet('odd').address
  const others = ['one', 'two', 'three'].map((name) => xrplWallet(name).address)
  const ids: string[] = []
  for (const recipient of [odd, ...others]) {
    await harness.world.clock.advance(1_000)
    ids.push(await asked(harness, { recipient, amount: DROPS }))
  }
  await expectOthersPaid(harness, ids, () => breakAnswers(proxy(), odd))
})

/** The first withdrawal, the broken one, waits, and the others are completed. */
async function expectOthersPaid(
  harness: WithdrawingWorld,
  [bad = '', ...good]: readonly string[],
  broken: () => { hits: number },
): Promise<void> {
  const rule = broken()
  for (let round = 0; round < ROUNDS; round += 1) {
    await harness.world.clock.advance(60_000)
    await harness.spend()
    await harness.mine(20)
  }
  for (const id of good) expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
  expect(rule.hits).toBeGreaterThan(0)
  expect(await harness.read(bad)).toMatchObject({ status: 'Pending' })
}

/** Makes every answer about an address invalid. */
function breakAnswers({ rules }: FaultProxy, address: string): { hits: number } {
  return rules.add({
    match: { params: (params) => JSON.stringify(params).includes(address) },
    action: { do: 'mutate', change: () => 'nonsense' },
  })
}

function proxied() {
  let proxy: FaultProxy | null = null
  return {
    proxy: () => {
      if (proxy === null) throw new Error('no proxy was started')
      return proxy
    },
    before: async (url: string) => {
      const started = await startFaultProxy({ target: url, seed: 1 })
      onTestFinished(() => started.stop())
      proxy = started
      return started.url
    },
  }
}
