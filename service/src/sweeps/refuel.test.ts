import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  TOKEN,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import { Bug } from '../base/assert.ts'
import { Outage } from '../base/fault.ts'
import type { Address } from '../chains/port.ts'
import type { Send } from '../gas/send-top-up.ts'
import type { PaymentRequest } from '../transactions/core/payment-request.ts'
import { insertSender } from '../transactions/core/sender-rows.ts'
import type { Spend } from '../transactions/core/spend.ts'
import { insertSpend } from '../transactions/core/spend-rows.ts'
import { newRound } from './gather.ts'
import type { SweepDeps } from './deps.ts'
import { refuelSweeps } from './refuel.ts'
import { insertWaiting, moveSweep, selectWaiting } from './rows.ts'
import { BOOKED_WITHIN_MS, SWEEP_MOVES } from './sweep.ts'
import { sweepChain } from './tick.ts'

const FROM = stranger(9)
const OTHER = stranger(10)
const FEE = 1_000n

test('a signed sweep whose gas a reorg removed gets gas again [I19]', async () => {
  const made = await harness()
  const spend = await signed(made, TOKEN)
  await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
  const { toppedUp, sent } = await refuel(made, spend)
  expect(toppedUp).toBe(1)
  expect(sent).toMatchObject([{ to: FROM, tokenId: NATIVE, amount: (FEE * 5n) / 4n }])
})

test('a signed sweep gets no gas for a while after a reorg', async () => {
  const made = await harness()
  const spend = await signed(made, TOKEN)
  expect(await refuel(made, spend)).toEqual({ toppedUp: 0, sent: [] })
})

test('a signed sweep with enough gas gets none [W20]', async () => {
  const made = await harness()
  await made.put(FROM, NATIVE, FEE)
  const spend = await signed(made, TOKEN)
  await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
  expect(await refuel(made, spend)).toEqual({ toppedUp: 0, sent: [] })
})

test('a native sweep gets the missing part of its fee [I19]', async () => {
  const made = await harness()
  await made.put(FROM, NATIVE, 100n + FEE - 40n)
  const spend = await signed(made, NATIVE)
  await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
  const { toppedUp, sent } = await refuel(made, spend)
  expect(toppedUp).toBe(1)
  expect(sent).toMatchObject([{ to: FROM, tokenId: NATIVE, amount: 50n }])
})

test('a native sweep whose amount is missing gets no gas', async () => {
  const made = await harness()
  const spend = await signed(made, NATIVE, { amount: 2n * made.deps.caps.absolute })
  await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
  expect(await refuel(made, spend)).toEqual({ toppedUp: 0, sent: [] })
})

test('a sweep from the gas wallet gets no gas', async () => {
  const made = await harness()
  const spend = await signed(made, TOKEN, { from: made.gas })
  await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
  expect(await refuel(made, spend)).toEqual({ toppedUp: 0, sent: [] })
})

describe('an error with one sweep', () => {
  test('does not keep others from their gas, and is thrown at the end [I19]', async () => {
    const made = await harness()
    const spend = await signed(made, TOKEN)
    await signed(made, TOKEN, { from: OTHER })
    await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
    const bug = new Bug('a test')
    const asked: string[] = []
    const round = refuelSweeps(sweepDeps(made), async (_deps, { intent }) => {
      asked.push(intent.to)
      if (asked.length === 1) throw bug
      return { outcome: 'sent', spend }
    })
    await expect(round).rejects.toBe(bug)
    expect(asked.toSorted()).toEqual([FROM, OTHER])
  })

  test('does not keep stuck sweeps from their gas, and is thrown at the end [I19]', async () => {
    const made = await harness()
    const spend = await signed(made, TOKEN)
    await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
    const { sent, round } = await roundWith(made, { spend, thrown: new Bug('a test') })
    await expect(round).rejects.toThrow('a test')
    expect(sent).toMatchObject([{ from: made.gas, to: FROM, tokenId: NATIVE }])
  })

  test('ends the round when no node answers', async () => {
    const made = await harness()
    const spend = await signed(made, TOKEN)
    await made.harness.clock.advance(BOOKED_WITHIN_MS + 1)
    const { sent, round } = await roundWith(made, { spend, thrown: new Outage('a node', 'away') })
    await expect(round).rejects.toBeInstanceOf(Outage)
    expect(sent).toEqual([])
  })
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  return made
}

/** A sweep that is on its way, and that no block has. */
function signed(
  made: SpendHarness,
  tokenId: typeof TOKEN,
  { amount = 100n, from = FROM }: { amount?: bigint; from?: Address } = {},
): Promise<Spend> {
  const { orgId, settlement: recipient, gas } = made
  const where = { orgId, chainId: CHAIN, tokenId, address: from, amount }
  const numbers = { walletNumber: from === OTHER ? 2 : 1, pathIndex: 0, nextNonce: 1 }
  const purpose = from === gas ? 'gas' : 'deposit'
  return made.database.transaction(async (tx) => {
    await insertWaiting(tx, [where])
    const [sweep] = await selectWaiting(tx, { chainId: CHAIN, limit: 1 })
    if (sweep === undefined) throw new Error('nothing waits')
    await moveSweep(tx, { orgId, id: sweep.id, move: SWEEP_MOVES.send })
    const sender = { chainId: CHAIN, address: from, orgId, purpose } as const
    await insertSender(tx, { ...sender, ...numbers })
    const given = { id: tx.ids.next(), subjectId: sweep.id, purpose: 'sweep' } as const
    const number = { nonce: 0, ticket: false, tickets: 0, maxFee: FEE, txnHash: `0x${from}` }
    return insertSpend(tx, { ...where, ...given, ...number, sender: from, recipient })
  })
}

/** The number of top-ups, and the requests that were sent; `spend` is the sweep's. */
async function refuel(made: SpendHarness, spend: Spend) {
  const sent: PaymentRequest['intent'][] = []
  const toppedUp = await refuelSweeps(sweepDeps(made), async (_deps, { intent }) => {
    sent.push(intent)
    return { outcome: 'sent', spend }
  })
  return { toppedUp, sent }
}

/** A whole round, in which something is thrown about the one sweep that waits. */
async function roundWith(
  made: SpendHarness,
  { spend, thrown }: { spend: Spend; thrown: Error },
): Promise<{ sent: PaymentRequest['intent'][]; round: Promise<unknown> }> {
  await made.put(OTHER, TOKEN, 100n)
  const { orgId } = made
  const waiting = { orgId, chainId: CHAIN, tokenId: TOKEN, address: OTHER, amount: 100n }
  await made.database.transaction((tx) => insertWaiting(tx, [waiting]))
  const deps = sweepDeps(made)
  const quote: SweepDeps['adapter']['quote'] = async (intent, caps) => {
    if (intent.from === OTHER) throw thrown
    return deps.adapter.quote(intent, caps)
  }
  const sent: PaymentRequest['intent'][] = []
  const given = { fees: { feeOf: async () => FEE }, demands: [], round: newRound() }
  const send: Send = async (_deps, { intent }) => {
    sent.push(intent)
    return { outcome: 'sent', spend }
  }
  const adapter = { ...deps.adapter, quote }
  return { sent, round: sweepChain({ ...deps, adapter }, { ...given, send }) }
}

function sweepDeps(made: SpendHarness): SweepDeps {
  const { crash: _crash, ...spends } = made.deps
  return { ...spends, feeMultiple: 20n, maxAgeMs: 10 ** 12 }
}
