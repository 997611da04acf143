import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  TOKEN,
  type SpendHarness,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import { Outage } from '../base/fault.ts'
import type { Address } from '../chains/port.ts'
import type { PaymentRequest, Sent } from '../transactions/core/payment-request.ts'
import { newRound } from './gather.ts'
import type { SweepDeps } from './deps.ts'
import { insertWaiting, selectOpen } from './rows.ts'
import type { Sweep } from './sweep.ts'
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
  const waits = await readWaits(made, [...dear, OTHER])
  expect(waits.map(({ waitingFor }) => waitingFor)).toEqual([
    ...dear.map(() => 'gas'),
    'confirmations',
  ])
})

describe('the wait of a sweep', () => {
  test('is recorded with its beginning, and ends when the sweep fails', async () => {
    const { made, sweep, deps } = await openStuck('a wait')
    await sweep()
    const since = made.harness.clock.now()
    const stored = { waitingFor: 'fee', waitingSince: since, state: 'Waiting' }
    expect(await readWaits(made, [STUCK])).toMatchObject([stored])
    await made.harness.clock.advance(MINUTE_MS)
    await sweep()
    expect(await readWaits(made, [STUCK])).toMatchObject([stored])
    deps.adapter.quote = async () => {
      return { ok: false, code: 'RECIPIENT_REFUSES', message: 'a test', details: {} }
    }
    await sweep()
    expect(await readWaits(made, [STUCK])).toEqual([])
  })

  test('is for the chain while nodes do not answer, unless it is known', async () => {
    const { made, sweep, deps } = await openStuck('an outage')
    await sweep()
    const { orgId } = made
    const other = { orgId, chainId: CHAIN, tokenId: TOKEN, address: OTHER, amount: 1n }
    await made.database.transaction((tx) => insertWaiting(tx, [other]))
    deps.adapter.quote = async () => Promise.reject(new Outage(CHAIN, 'away'))
    await expect(sweep()).rejects.toThrow(Outage)
    const waits = await readWaits(made, [STUCK, OTHER])
    expect(waits.map(({ waitingFor }) => waitingFor)).toEqual(['fee', 'chain'])
  })

  test('is for the chain while it is frozen', async () => {
    const { made, sweep } = await openStuck('a frozen chain')
    await sweep()
    await made.freeze()
    await made.harness.clock.advance(MINUTE_MS)
    await sweep()
    const since = made.harness.clock.now()
    const stored = { waitingFor: 'chain', waitingSince: since }
    expect(await readWaits(made, [STUCK])).toMatchObject([stored])
  })
})

/** The open sweeps of addresses, in their order. */
async function readWaits(made: SpendHarness, addresses: readonly Address[]): Promise<Sweep[]> {
  const open = await made.database.transaction((tx) =>
    selectOpen(tx, { chainId: CHAIN, addresses }),
  )
  return addresses.flatMap((address) => open.filter((sweep) => sweep.address === address))
}

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
  const sweep = () => sweepChain(deps, { fees: FEES, demands, round: newRound() })
  const open = async (): Promise<Address[]> => {
    await sweep()
    const found = await made.database.transaction((tx) =>
      selectOpen(tx, { chainId: CHAIN, addresses: [STUCK, OTHER] }),
    )
    return found.map(({ address }) => address).toSorted()
  }
  return { made, deps, sweep, open }
}
