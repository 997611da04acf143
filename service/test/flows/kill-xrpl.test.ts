import { xrplWallet } from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { SPEND_POINTS, type SpendPoint } from '../../src/transactions/core/crash-points.ts'
import { sendSpend } from '../../src/transactions/send.ts'
import { stockTickets } from '../../src/transactions/stock-tickets.ts'
import { AMOUNT, openXrplSpender, XRPL, type XrplSpender } from '../support/xrpl-spender.ts'

/** More ledgers than the validity of a transaction. */
const PAST_THE_LAST = 24
const STOCK = 4
/** A validated ledger is final, so points of reorgs do not apply. */
const POINTS = SPEND_POINTS.filter((point) => !point.startsWith('untrack.'))

class Killed extends Error {}

let spender: XrplSpender
let crash: (point: string) => void = () => undefined
beforeAll(async () => {
  spender = await openXrplSpender('kill xrpl')
  spender.deps.crash = (point) => crash(point)
  spender.deps.tickets = STOCK
})
afterAll(() => spender?.close())

describe.each([0, STOCK])('with a stock of %i tickets', (stock) => {
  beforeEach(async () => {
    crash = () => undefined
    spender.deps.tickets = stock
    await stockTickets(spender.deps)
    await spender.closed(1)
  })

  test.each(POINTS)('a crash at %s pays once [W03 W06 W07 W08 W10 W11 X10]', async (point) => {
    const { node, base, deps, spendsOf, tickets } = spender
    const seen = planKill(point)
    const name = `recipient at ${point} of ${stock}`
    const recipient = xrplWallet(name).address
    const sequence = node.chain.account(base)?.sequence ?? 0
    const before = tickets()
    expect(before.length > 0).toBe(stock > 0)
    const subjectId = await spender.freshId()
    const intent = spender.intentTo(name)
    await persist(async () => sendSpend(deps, await spender.requestFor(subjectId, intent)))
    // The network drops it, and its last ledger passes.
    node.chain.forget()
    await closed(PAST_THE_LAST)
    await persist(spender.tend)
    node.chain.forget()
    await persist(spender.tend)
    await closed(2)
    expect(`${point} ${seen.passes > 0}`).toBe(`${point} true`)
    expect(node.chain.paymentsBetween(base, recipient)).toEqual([
      { amount: AMOUNT.toString(), tag: 7 },
    ])
    const used = before.length > 0 ? 0 : 1
    expect(node.chain.account(base)?.sequence).toBe(sequence + used)
    expect(tickets()).toEqual(before.slice(1))
    expect(await spendsOf(subjectId)).toMatchObject([{ state: 'Settled', succeeded: true }])
    await expectNoAlerts()
  })
})

/** Tickets are created by ordinary spends: at these points their handling differs. */
const MAKING = ['send.stored', 'send.committed', 'bump.committed', 'track.included'] as const

test.each(MAKING)('a crash at %s creates tickets once [W03 W07 X10]', async (point) => {
  const { node, base, deps } = spender
  // Uses up the tickets of the last round.
  deps.tickets = 0
  crash = () => undefined
  while (spender.tickets().length > 0) await payOnce()
  deps.tickets = STOCK
  const sequence = node.chain.account(base)?.sequence ?? 0
  const seen = planKill(point)
  await persist(() => stockTickets(deps))
  node.chain.forget()
  await closed(PAST_THE_LAST)
  await persist(spender.tend)
  node.chain.forget()
  await persist(spender.tend)
  await closed(2)
  await persist(() => stockTickets(deps))
  await closed(1)
  expect(`${point} ${seen.passes > 0}`).toBe(`${point} true`)
  expect(spender.tickets()).toEqual([1, 2, 3, 4].map((at) => sequence + at))
  expect(node.chain.account(base)?.sequence).toBe(sequence + 1 + STOCK)
  await expectNoAlerts()
})

async function payOnce(): Promise<void> {
  const intent = spender.intentTo('whoever')
  const mandate = await spender.requestFor(await spender.freshId(), intent)
  expect(await sendSpend(spender.deps, mandate)).toMatchObject({ outcome: 'sent' })
  await spender.closed(1)
}

async function expectNoAlerts(): Promise<void> {
  const alerts = await spender.world.alerts()
  expect(alerts.filter(({ code }) => code.startsWith('spend.'))).toEqual([])
}

/** Ends the process at the first pass of a point. */
function planKill(point: SpendPoint): { passes: number } {
  const seen = { passes: 0 }
  crash = (here) => {
    if (here !== point) return
    seen.passes += 1
    if (seen.passes === 1) throw new Killed(point)
  }
  return seen
}

async function persist(step: () => Promise<unknown>): Promise<void> {
  for (let deaths = 0; ; deaths += 1) {
    try {
      await step()
      return
    } catch (error) {
      if (!(error instanceof Killed) || deaths > 3) throw error
    }
  }
}

/** Closes ledgers for a scanner that may crash as well. */
async function closed(count: number): Promise<void> {
  const { node, world } = spender
  node.chain.close(count)
  await persist(async () => {
    const holder = { ...(await world.holder(XRPL)), crash: (point: string) => crash(point) }
    const ahead = new BlocksAhead(holder.adapter, 4)
    while ((await followChain(holder, ahead)) === 'moved') continue
  })
}
