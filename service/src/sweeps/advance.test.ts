import { payingBy, type WindowAdapter } from '../chains/chain-adapter.ts'
import { offering } from '../../test/support/model-chain.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  TOKEN,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import type { Address, Quote } from '../chains/port.ts'
import type { FeeBook } from '../gas/fee-book.ts'
import { place } from '../ledger/account.ts'
import type { SeenSpend } from '../transactions/core/hooks.ts'
import { haltSender } from '../transactions/core/halt.ts'
import type { PaymentRequest } from '../transactions/core/payment-request.ts'
import { insertSender } from '../transactions/core/sender-rows.ts'
import { advanceSweep } from './advance.ts'
import type { SweepDeps } from './deps.ts'
import { insertWaiting, moveSweep, selectSweep, selectWaiting } from './rows.ts'
import { sweepHooks } from './hooks.ts'
import { SWEEP_MOVES, type Sweep } from './sweep.ts'

const FROM = stranger(9)
const FEES = { feeOf: async () => 10n ** 30n }
const FREE = { feeOf: async () => 0n }

describe('a sweep whose address lacks gas', () => {
  test('gets at most the fee cap, for any answer of a node [N11]', async () => {
    const made = await harness()
    const sweep = await waiting(made)
    const required = (10n ** 30n).toString()
    const quote = refusal('NO_GAS_FOR_ESTIMATE', { available: '0', required })
    const { step, sent } = await advance(made, sweep, quote)
    expect(step).toBe('topped-up')
    expect(sent.map(({ intent }) => intent.amount)).toEqual([(made.deps.caps.absolute * 5n) / 4n])
  })

  test('is topped up once, even if a node does not show the first [W20]', async () => {
    const made = await harness()
    const sweep = await waiting(made)
    await made.put(FROM, NATIVE, 2_000n)
    const quote = refusal('INSUFFICIENT_GAS', { available: '0', required: '1000' })
    expect(await advance(made, sweep, quote)).toEqual({ step: 'waits', sent: [] })
  })

  test('fails with an alert when it needs more gas than the cap [E24]', async () => {
    const made = await harness()
    const sweep = await waiting(made)
    const quote = refusal('FEE_TOO_HIGH', { gas: '500000', gasMax: '300000' })
    expect(await advance(made, sweep, quote)).toEqual({ step: 'refused', sent: [] })
    expect(await made.alerts()).toEqual(['sweep.refused'])
    expect(await failureOf(made, sweep)).toEqual({ failureCode: 'FEE_TOO_HIGH', cause: 'a test' })
  })

  test('waits while fees are above the cap', async () => {
    const made = await harness()
    const sweep = await waiting(made)
    const quote = refusal('FEE_TOO_HIGH', { fee: '500000' })
    expect(await advance(made, sweep, quote)).toEqual({ step: 'over-cap', sent: [] })
    expect(await made.alerts()).toEqual([])
  })
})

describe('a sweep of a token that was sent to the gas wallet', () => {
  test.each([
    ['a node', { code: 'INSUFFICIENT_GAS', available: '800', required: '1000' }],
    ['no node', { code: 'NO_GAS_FOR_ESTIMATE', available: '0' }],
  ] as const)('waits for the wallet to be filled where %s says what lacks', async (_, told) => {
    const made = await harness()
    const sweep = await waiting(made, { at: made.gas })
    const { code, ...details } = told
    const looked = await advance(made, sweep, refusal(code, details))
    // It says nothing of the gas of others: theirs may be there, or lent.
    expect(looked).toEqual({ step: 'unfilled', sent: [] })
    expect(await made.alerts()).toEqual([])
  })
})

test('a sweep of a halted address is refused and gets no energy [W25]', async () => {
  const made = await harness()
  const sweep = await waiting(made)
  const sender = { chainId: CHAIN, address: FROM, orgId: made.orgId, purpose: 'deposit' } as const
  await made.database.transaction(async (tx) => {
    await insertSender(tx, { ...sender, walletNumber: 1, pathIndex: 0, nextNonce: 1 })
    await haltSender(tx, { ...sender, code: 'spend.mismatch', message: 'a test' })
  })
  await made.fund('gas', NATIVE, 10n ** 18n)
  const offerEnergy = async () => ({ stake: 1_000n, energy: 64_000n, besides: 0n })
  const quote = refusal('INSUFFICIENT_GAS', { available: '0', required: '1000' })
  const looked = await advance(made, sweep, quote, { offerEnergy })
  expect(looked).toEqual({ step: 'refused', sent: [] })
  const failure = await failureOf(made, sweep)
  expect(failure).toMatchObject({
    failureCode: 'SENDER_HALTED',
    cause: expect.stringContaining('halted'),
  })
})

describe.each([
  ['native currency', NATIVE],
  ['a token', TOKEN],
])('a sweep of %s with less on a node than in the ledger', (_, tokenId) => {
  const quote = refusal('INSUFFICIENT_BALANCE', { available: '90' })

  test('waits at first, because postings may be late [R01]', async () => {
    const made = await harness()
    const sweep = await waiting(made, { tokenId })
    expect(await advance(made, sweep, quote, { fees: FREE })).toEqual({ step: 'waits', sent: [] })
    expect(await made.alerts()).toEqual([])
  })

  test('is refused with an alert when it persists', async () => {
    const made = await harness()
    const sweep = await waiting(made, { tokenId })
    const old = { ...sweep, createdAt: sweep.createdAt - 600_000 }
    expect((await advance(made, old, quote, { fees: FREE })).step).toBe('refused')
    expect(await made.alerts()).toEqual(['sweep.refused'])
    expect(await failureOf(made, sweep)).toMatchObject({ failureCode: 'INSUFFICIENT_BALANCE' })
  })
})

describe('an included sweep', () => {
  test('does not stop the chain when a token reports more than its balance [E09]', async () => {
    const made = await harness()
    const { id } = await waiting(made)
    const fate = sweepHooks(made)
    await made.database.transaction(async (tx) => {
      await moveSweep(tx, { orgId: made.orgId, id, move: SWEEP_MOVES.send })
      await fate.onIncluded(tx, seenAs(made, { id, shown: 10n ** 30n }))
    })
    expect(await made.balance(TOKEN, place('deposits', FROM))).toBe(0n)
    expect(await made.balance(TOKEN, place('settlement', made.settlement))).toBe(100n)
    expect(await made.alerts()).toEqual(['token.suspended'])
    const { orgId } = made
    const stored = await made.database.transaction((tx) => selectSweep(tx, { orgId, id }))
    expect(stored).toMatchObject({ state: 'Done', moved: 100n })
  })
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  return made
}

async function waiting(
  made: SpendHarness,
  { tokenId = TOKEN, at = FROM }: { tokenId?: typeof TOKEN; at?: Address } = {},
): Promise<Sweep> {
  await made.put(at, tokenId, 100n)
  const wanted = { orgId: made.orgId, chainId: CHAIN, tokenId, address: at, amount: 100n }
  return made.database.transaction(async (tx) => {
    await insertWaiting(tx, [wanted])
    const [sweep] = await selectWaiting(tx, { chainId: CHAIN, limit: 1 })
    if (sweep === undefined) throw new Error('nothing waits')
    return sweep
  })
}

/** Why a sweep failed, as stored. */
async function failureOf({ database, orgId }: SpendHarness, { id }: Sweep) {
  const sweep = await database.transaction((tx) => selectSweep(tx, { orgId, id }))
  return { failureCode: sweep?.failureCode ?? null, cause: sweep?.cause ?? '' }
}

function refusal(
  code: Exclude<Quote, { ok: true }>['code'],
  details: Record<string, string>,
): Quote {
  return { ok: false, code, message: 'a test', details }
}

/** Result of advancing the sweep, and the requests that it sent, when the quote is a refusal. */
async function advance(
  made: SpendHarness,
  sweep: Sweep,
  quote: Quote,
  { fees = FEES, offerEnergy }: { fees?: FeeBook; offerEnergy?: WindowAdapter['offerEnergy'] } = {},
) {
  const adapter = payingBy(made.deps.adapter, 'nonce')
  const quoting = {
    ...adapter,
    quote: async (...[intent, caps]: Parameters<typeof adapter.quote>) =>
      intent.tokenId === sweep.tokenId ? quote : adapter.quote(intent, caps),
  }
  const sent: PaymentRequest[] = []
  const { crash: _crash, ...spends } = made.deps
  const deps: SweepDeps = {
    ...spends,
    feeMultiple: 20n,
    maxAgeMs: 1,
    adapter: offerEnergy === undefined ? quoting : offering(quoting, offerEnergy),
  }
  const spend = await made.database.transaction(async (tx) => tx.ids.next())
  const step = await advanceSweep(deps, {
    sweep,
    fees,
    send: async (_deps, mandate) => {
      sent.push(mandate)
      return { outcome: 'sent', spend: seenAs(made, { id: spend, shown: 0n }) }
    },
  })
  return { step, sent }
}

function seenAs(made: SpendHarness, { id, shown }: { id: string; shown: bigint }): SeenSpend {
  const { orgId, settlement } = made
  const txnHash = '0x01'
  const moved = {
    txnHash,
    position: 'log:0',
    tokenId: TOKEN,
    from: FROM,
    to: settlement,
    tag: null,
  }
  return {
    orgId,
    id,
    chainId: CHAIN,
    purpose: 'sweep',
    subjectId: id,
    sender: FROM,
    nonce: 0,
    ticket: false,
    tickets: 0,
    tokenId: TOKEN,
    recipient: settlement,
    amount: 100n,
    state: 'Included',
    maxFee: 1n,
    txnHash,
    succeeded: true,
    fee: 0n,
    block: { height: 1, hash: '0xb1', time: 0 },
    settledAt: null,
    createdAt: 0,
    updatedAt: 0,
    transfers: [{ ...moved, amount: shown }],
  }
}
