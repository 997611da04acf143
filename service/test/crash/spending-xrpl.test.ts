import { startXrplNode, type XrplChain, xrplWallet } from '@sluice/simulator'
import type { TokenId } from '@sluice/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOwnAddress } from '../../src/accounts/own-address.ts'
import { auditLedger } from '../../src/audit/run.ts'
import type { Address } from '../../src/chains/port.ts'
import { openFeeBook } from '../../src/gas/fee-book.ts'
import { SPEND_POINTS } from '../../src/transactions/core/crash-points.ts'
import { withdraw } from '../support/money-world.ts'
import { openWorld } from '../support/world.ts'
import { XRP, XRPL } from '../support/xrpl-spender.ts'
import { MortalHarness, tokenOf } from './crashing-spender.ts'
import { expectSettled } from './expect-settled.ts'

/** The funding of the organization, the deposit of a user, and each payment, in drops. */
const [APART, DEPOSITED, AMOUNT] = [50_000_000n, 900_000_000n, 1_500_000n]
/** More ledgers than a transaction may wait for inclusion. */
const PAST_THE_LAST = 24
const PAUSE_MS = 15_000
const ROUNDS_MAX = 12
const PASSES = 2
/** Points at which a process dies in one life, one after the other. */
const TOGETHER = 7
/** A validated ledger is final: there are no reorgs here. */
const POINTS = SPEND_POINTS.filter((point) => !point.startsWith('untrack.'))
const CHUNKS = Array.from({ length: Math.ceil(POINTS.length / TOGETHER) }, (_, at) =>
  POINTS.slice(at * TOGETHER, (at + 1) * TOGETHER),
)

/** A harness that dies as planned, and its ledger. */
interface Crashing {
  harness: MortalHarness
  chain: XrplChain
  base: Address
  coin: TokenId
}

describe('a process that pays on the XRP Ledger and dies', () => {
  let crashing: Crashing
  let lives = 0
  beforeAll(async () => {
    crashing = await open()
  })
  afterAll(() => crashing?.harness.close())

  const cases = [1, PASSES].flatMap((pass) => CHUNKS.map((points) => ({ pass, points })))
  test.each(cases.map((one) => [one.pass, one.points.join(', '), one.points] as const))(
    'pays each once with death at pass %i of %s [W03 W06 W07 W08 W10 W11 X10]',
    async (pass, _names, points) => {
      const { harness } = crashing
      harness.plan(points.map((point) => ({ stage: 'withdrawal', point, pass })))
      harness.enter('withdrawal')
      const left = () => points.filter((point) => harness.passes('withdrawal', point) < pass)
      for (let more = 0; more < pass && left().length > 0; more += 1) {
        lives += 1
        await live(crashing, lives)
      }
      harness.enter(null)
      expect(left()).toEqual([])
      expect(harness.deaths).toBe(points.length)
      await expectSettled(harness.world)
    },
  )

  test('ledger and chain agree, and no event is pending [W01 W12]', async () => {
    const { harness, chain, base } = crashing
    const { world, failures } = harness
    await again(crashing, 3)
    expect(await auditLedger(world)).toEqual([])
    expect((await world.audit(XRPL)).findings).toEqual([])
    expect(await world.balance(XRP, 'claim:reserved')).toBe(0n)
    const place = await world.balance(XRP, `place:settlement:${base}`)
    expect(place).toBe(chain.account(base)?.balance)
    expect(await world.alerts()).toEqual([])
    expect(failures).toEqual([])
  })
})

/**
 * A life: three withdrawals are paid; the network drops them once, and once until their last ledger
 * has passed.
 */
async function live(crashing: Crashing, number: number): Promise<void> {
  const { harness, chain, base, coin: tokenId } = crashing
  const { world } = harness
  const recipients = [1, 2, 3].map((at) => xrplWallet(`life ${number} ${at}`).address)
  for (const recipient of recipients) {
    const entry = world.entry(XRPL)
    const fees = openFeeBook({ get: () => world.adapter(XRPL) }, world.clock)
    const wanted = { tokenId, recipient, amount: AMOUNT, reference: recipient }
    await withdraw({ world, spender: { entry, fees } }, wanted)
  }
  await harness.round()
  for (let forgets = 0; forgets < PASSES; forgets += 1) {
    chain.forget()
    await again(crashing, 1, 0)
  }
  chain.forget()
  await harness.mine(PAST_THE_LAST)
  await harness.round()
  chain.forget()
  await again(crashing, 1, 1)
  const arePaid = () => recipients.every((to) => chain.paymentsBetween(base, to).length > 0)
  for (let rounds = 0; !arePaid(); rounds += 1) {
    if (rounds === ROUNDS_MAX) throw new Error('it is never carried out')
    await again(crashing, 1)
  }
  await again(crashing, 2)
  for (const to of recipients) {
    expect(chain.paymentsBetween(base, to)).toEqual([{ amount: `${AMOUNT}`, tag: null }])
  }
}

/** Rounds of the spender, with ledgers after each. */
async function again({ harness }: Crashing, rounds: number, ledgers = 2): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await harness.world.clock.advance(PAUSE_MS)
    await harness.round()
    await harness.mine(ledgers)
  }
}

async function open(): Promise<Crashing> {
  const node = await startXrplNode()
  const { chain } = node
  chain.close(3)
  const world = await openWorld({
    seed: 'spending xrpl',
    chains: [{ id: XRPL, nodes: [node.url] }],
  })
  const harness = new MortalHarness({
    world,
    chainId: XRPL,
    mine: (ledgers) => void chain.close(ledgers),
    bumpAfter: 3,
    stop: () => node.stop(),
  })
  await harness.settle()
  await harness.round()
  const params = { orgId: world.orgId, chainId: XRPL, purpose: 'settlement' } as const
  const base = await world.database.transaction((tx) => readOwnAddress(tx, params))
  if (base === null) throw new Error('no base account was opened')
  const crashing = { harness, chain, base, coin: tokenOf(world, XRP) }
  chain.pay({ to: base, amount: APART })
  await harness.mine(2)
  // It refuses payments without a tag, and has its tickets.
  await again(crashing, 4)
  const tag = (await world.issue('ann', XRPL)).destinationTag ?? 0
  chain.pay({ to: base, amount: DEPOSITED, tag })
  await harness.mine(2)
  return crashing
}
