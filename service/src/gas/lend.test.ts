import { expect, onTestFinished, test } from 'vitest'
import { offering } from '../../test/support/model-chain.ts'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  TOKEN,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import type { Address, Intent } from '../chains/port.ts'
import { haltSender } from '../transactions/core/halt.ts'
import type { PaymentRequest } from '../transactions/core/payment-request.ts'
import { UNMINED_MAX } from '../transactions/core/sender.ts'
import { type Lending, lendEnergy } from './lend.ts'
import { LOAN_MOVES } from './loan.ts'
import { insertLoan, insertUse, moveLoan } from './loan-rows.ts'

const RICH = 10n ** 18n
const HOUR_MS = 3_600_000

test('energy is lent to the sender of a token payment', async () => {
  const made = await harness()
  const { lending, signed } = await lend(made)
  expect(lending).toEqual({ state: 'waits' })
  expect(signed).toMatchObject([{ purpose: 'delegation', intent: { to: made.settlement } }])
})

test('energy is not lent to the gas wallet, which uses its own stake', async () => {
  const made = await harness()
  const asked = await lend(made, { from: made.gas })
  expect(asked).toEqual({ lending: { state: 'none' }, signed: [] })
})

test('energy is not lent to a halted sender [W25]', async () => {
  const made = await harness()
  await made.pay()
  const halted = { chainId: CHAIN, address: made.settlement, code: 'spend.foreign' } as const
  await made.database.transaction((tx) => haltSender(tx, { ...halted, message: 'a test' }))
  const cause = 'spend.foreign: a test'
  expect(await lend(made)).toEqual(stopped({ outcome: 'halted', cause }))
})

test('energy is not lent to a sender with too many unmined spends', async () => {
  const made = await harness()
  for (let count = 0; count < UNMINED_MAX; count += 1) await made.pay()
  expect(await lend(made)).toEqual(stopped({ outcome: 'busy' }))
})

test('energy is not lent for tokens that unmined payments take', async () => {
  const made = await harness()
  await made.pay({ tokenId: TOKEN, amount: 600n })
  expect((await lend(made, { amount: 400n })).lending).toEqual({ state: 'waits' })
  const short = { outcome: 'short-of-token', place: 400n, needed: 401n } as const
  expect(await lend(made, { amount: 401n })).toEqual(stopped(short))
})

test('an address with two unused loans in an hour gets no third', async () => {
  const made = await harness()
  const given = { address: made.settlement, used: false }
  await returned(made, { ...given, used: true })
  await returned(made, { ...given, address: stranger(9) })
  await returned(made, given)
  await made.harness.clock.advance(HOUR_MS / 2)
  expect((await lend(made)).signed).toHaveLength(1)
  await returned(made, given)
  expect(await lend(made)).toEqual({ lending: { state: 'none' }, signed: [] })
  await made.harness.clock.advance(HOUR_MS / 2 + 1)
  expect((await lend(made)).signed).toHaveLength(1)
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('gas', NATIVE, RICH)
  await made.fund('settlement', NATIVE, RICH)
  await made.float(RICH)
  await made.fund('settlement', TOKEN, 1_000n)
  return made
}

/** Result of `lendEnergy` with a stake at the gas wallet, and the requests that it sent. */
async function lend(made: SpendHarness, more: Partial<Intent> = {}) {
  const { orgId, settlement, deps, chain } = made
  const signed: PaymentRequest[] = []
  const offer = { stake: 1_000n, energy: 64_000n, besides: 0n }
  const adapter = {
    ...offering(deps.adapter, async () => offer),
    quote: async () => ({ ok: true, terms: chain.terms() }) as const,
  }
  const parties = { chainId: CHAIN, from: settlement, to: stranger(7) }
  const intent = { ...parties, tokenId: TOKEN, amount: 10n, memo: null, ...more }
  const place = intent.from === settlement ? 'settlement' : 'deposits'
  const wanted = { orgId, intent, place, payments: async () => 1 } as const
  const lending = await lendEnergy({ ...deps, adapter }, wanted, async (_deps, mandate) => {
    signed.push(mandate)
    return { outcome: 'declined' }
  })
  return { lending, signed }
}

function stopped(sent: Extract<Lending, { state: 'stopped' }>['sent']) {
  return { lending: { state: 'stopped', sent }, signed: [] }
}

/** A loan that has ended. */
async function returned(
  { database, orgId }: SpendHarness,
  { address, used }: { address: Address; used: boolean },
): Promise<void> {
  await database.transaction(async (tx) => {
    const id = tx.ids.next()
    const terms = { place: 'settlement', stake: 1_000n, energy: 64_000n } as const
    await insertLoan(tx, { orgId, id, chainId: CHAIN, address, ...terms })
    await moveLoan(tx, { orgId, id, move: LOAN_MOVES.lend })
    const subjectId = tx.ids.next()
    if (used) await insertUse(tx, { orgId, loanId: id, subjectId, energy: 1n })
    await moveLoan(tx, { orgId, id, move: LOAN_MOVES.arrive })
  })
}
