import { expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHouse,
  TOKEN,
  openSpendHouse,
  stranger,
} from '../../test/support/spend-house.ts'
import type { Mandate } from '../spends/mandate.ts'
import { insertSender } from '../spends/sender-rows.ts'
import type { Spend } from '../spends/spend.ts'
import { insertSpend } from '../spends/spend-rows.ts'
import { refuelSweeps } from './refuel.ts'
import { insertWaiting, moveSweep, selectWaiting } from './rows.ts'
import { BOOKED_WITHIN_MS, SWEEP_MOVES } from './sweep.ts'

const FROM = stranger(9)
const FEE = 1_000n

test('I19 a signed sweep whose gas a reorg took is given gas once more', async () => {
  const made = await house()
  const spend = await signed(made, TOKEN)
  await made.house.clock.advance(BOOKED_WITHIN_MS + 1)
  const { toppedUp, sent } = await refuel(made, spend)
  expect(toppedUp).toBe(1)
  expect(sent).toMatchObject([{ to: FROM, tokenId: NATIVE, amount: (FEE * 5n) / 4n }])
})

test('what a reorg took may come back: nothing is given for a while', async () => {
  const made = await house()
  const spend = await signed(made, TOKEN)
  expect(await refuel(made, spend)).toEqual({ toppedUp: 0, sent: [] })
})

test('W20 a signed sweep that has its gas is given none', async () => {
  const made = await house()
  await made.put(FROM, NATIVE, FEE)
  const spend = await signed(made, TOKEN)
  await made.house.clock.advance(BOOKED_WITHIN_MS + 1)
  expect(await refuel(made, spend)).toEqual({ toppedUp: 0, sent: [] })
})

test('I19 a sweep of native currency that lacks a part of its fee is given that', async () => {
  const made = await house()
  await made.put(FROM, NATIVE, 100n + FEE - 40n)
  const spend = await signed(made, NATIVE)
  await made.house.clock.advance(BOOKED_WITHIN_MS + 1)
  const { toppedUp, sent } = await refuel(made, spend)
  expect(toppedUp).toBe(1)
  expect(sent).toMatchObject([{ to: FROM, tokenId: NATIVE, amount: 50n }])
})

test('a sweep of native currency that is gone is given none: it would move the gas', async () => {
  const made = await house()
  const spend = await signed(made, NATIVE, 2n * made.means.caps.absolute)
  await made.house.clock.advance(BOOKED_WITHIN_MS + 1)
  expect(await refuel(made, spend)).toEqual({ toppedUp: 0, sent: [] })
})

async function house(): Promise<SpendHouse> {
  const made = await openSpendHouse(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  return made
}

/** A sweep that is on its way, and that no block has. */
function signed(made: SpendHouse, tokenId: typeof TOKEN, amount = 100n): Promise<Spend> {
  const { orgId, settlement: recipient } = made
  const where = { orgId, chainId: CHAIN, tokenId, address: FROM, amount }
  const numbers = { walletNumber: 1, pathIndex: 0, nextNonce: 1 }
  return made.database.transaction(async (tx) => {
    await insertWaiting(tx, [where])
    const [sweep] = await selectWaiting(tx, { chainId: CHAIN, limit: 1 })
    if (sweep === undefined) throw new Error('nothing waits')
    await moveSweep(tx, { orgId, id: sweep.id, move: SWEEP_MOVES.send })
    const sender = { chainId: CHAIN, address: FROM, orgId, purpose: 'deposit' } as const
    await insertSender(tx, { ...sender, ...numbers })
    const given = { id: tx.ids.next(), subjectId: sweep.id, purpose: 'sweep' } as const
    const number = { nonce: 0, ticket: false, tickets: 0, maxFee: FEE, txnHash: '0x01' }
    return insertSpend(tx, { ...where, ...given, ...number, sender: FROM, recipient })
  })
}

/** How many were given gas, and what was to be sent; `spend` stands for what is. */
async function refuel(made: SpendHouse, spend: Spend) {
  const { crash: _crash, ...spends } = made.means
  const sent: Mandate['intent'][] = []
  const means = { ...spends, feeMultiple: 20n, maxAgeMs: 1 }
  const toppedUp = await refuelSweeps(means, async (_means, { intent }) => {
    sent.push(intent)
    return { outcome: 'sent', spend }
  })
  return { toppedUp, sent }
}
