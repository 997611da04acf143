import { expect, onTestFinished, test } from 'vitest'
import { CHAIN, TOKEN, openSpendHarness, stranger } from '../../test/support/spend-harness.ts'
import type { Address } from '../chains/port.ts'
import type { PaymentRequest, Sent } from '../transactions/core/payment-request.ts'
import { newRound } from './gather.ts'
import type { SweepDeps } from './deps.ts'
import { selectOpen } from './rows.ts'
import { sweepChain } from './tick.ts'

const STUCK = stranger(9)
const OTHER = stranger(10)
const MINUTE_MS = 60_000
const PRICE = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
const FEES = { feeOf: async () => 1_000n }

test('a withdrawal does not wait for a stuck sweep if another covers it [I19]', async () => {
  const { made, open } = await openStuck('a sweep that comes nowhere')
  expect(await open()).toEqual([STUCK])
  await made.harness.clock.advance(9 * MINUTE_MS)
  expect(await open()).toEqual([STUCK])
  await made.harness.clock.advance(2 * MINUTE_MS)
  expect(await open()).toEqual([STUCK, OTHER])
  expect(await open()).toEqual([STUCK, OTHER])
})

test('W20 sweeps that lack gas keep none behind them from going that cost less', async () => {
  const made = await openSpendHarness('sweeps of which most are dear')
  onTestFinished(() => made.close())
  const dear = Array.from({ length: 9 }, (_, at) => stranger(20 + at))
  for (const address of dear) await made.put(address, TOKEN, 100n)
  const { crash: _crash, adapter, ...spends } = made.deps
  const quote: SweepDeps['adapter']['quote'] = async () => {
    return { ok: true, terms: { family: 'eip155', gasLimit: 1n, ...PRICE } }
  }
  const deps = { ...spends, feeMultiple: 20n, maxAgeMs: 10 ** 12, adapter: { ...adapter, quote } }
  const sent: Address[] = []
  const given = {
    fees: FEES,
    demands: [{ orgId: made.orgId, tokenId: TOKEN, missing: 10_000n }],
    round: newRound(),
    send: async (_deps: unknown, { intent }: PaymentRequest): Promise<Sent> => {
      if (intent.from !== OTHER) return { outcome: 'short-of-gas', available: 1n, needed: 2n }
      sent.push(intent.from)
      return { outcome: 'declined' }
    },
  }
  await sweepChain(deps, given)
  await made.harness.clock.advance(MINUTE_MS)
  // It comes after all others.
  await made.put(OTHER, TOKEN, 80n)
  for (let rounds = 0; rounds < 6; rounds += 1) {
    await sweepChain(deps, given)
    await made.harness.clock.advance(MINUTE_MS)
  }
  expect(sent).toContain(OTHER)
})

/** A withdrawal waits for the balance of either address, and no sweep may be sent. */
async function openStuck(seed: string) {
  const made = await openSpendHarness(seed)
  onTestFinished(() => made.close())
  await made.put(STUCK, TOKEN, 100n)
  await made.put(OTHER, TOKEN, 80n)
  const { crash: _crash, adapter, ...spends } = made.deps
  const quote: SweepDeps['adapter']['quote'] = async () => {
    return { ok: false, code: 'FEE_TOO_HIGH', message: 'a test', details: {} }
  }
  const deps = { ...spends, feeMultiple: 20n, maxAgeMs: 10 ** 12, adapter: { ...adapter, quote } }
  const demands = [{ orgId: made.orgId, tokenId: TOKEN, missing: 50n }]
  const open = async (): Promise<Address[]> => {
    await sweepChain(deps, { fees: FEES, demands, round: newRound() })
    const found = await made.database.transaction((tx) =>
      selectOpen(tx, { chainId: CHAIN, addresses: [STUCK, OTHER] }),
    )
    return found.map(({ address }) => address).toSorted()
  }
  return { made, open }
}
