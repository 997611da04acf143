import { type FaultAction, type FaultProxy, startFaultProxy, xrplWallet } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendSpend } from '../../src/transactions/send.ts'
import { stockTickets } from '../../src/transactions/stock-tickets.ts'
import { AMOUNT, openXrplSpender, type XrplSpender } from '../support/xrpl-spender.ts'

/** Responses of a node to a submission, whether it accepted it or not. */
const SAID = [
  'tesSUCCESS',
  'tefPAST_SEQ',
  'tefMAX_LEDGER',
  'tefALREADY',
  'tefNO_TICKET',
  'terQUEUED',
  'terPRE_SEQ',
  'terPRE_TICKET',
  'telINSUF_FEE_P',
  'temBAD_FEE',
  'tecUNFUNDED_PAYMENT',
] as const
const PAST_THE_LAST = 24
const subjects: string[] = []

let proxy: FaultProxy
let spender: XrplSpender
beforeAll(async () => {
  spender = await openXrplSpender('submissions', undefined, async (target) => {
    proxy = await startFaultProxy({ target, seed: 'submissions' })
    return proxy.url
  })
})
afterAll(async () => {
  await spender?.close()
  await proxy?.stop()
})

const saying = (result: string): FaultAction => ({
  do: 'mutate',
  change: (answer: object) => ({ ...answer, engine_result: result }),
})
const ANSWERS: readonly (readonly [string, FaultAction])[] = [
  ...SAID.map((code) => [code, saying(code)] as const),
  ['noNetwork', { do: 'mutate', change: () => ({ error: 'noNetwork', status: 'error' }) }],
  ['nothing', { do: 'dropAfter' }],
]

describe.each(['taken', 'lost'])('submissions that are %s [X11]', (fate) => {
  test.each(ANSWERS)('a submission is paid once when the node answers %s', async (name, action) => {
    const { node, base, deps } = spender
    deps.tickets = 4
    await stockTickets(deps)
    await spender.closed(1)
    proxy.rules.add({ match: { method: 'submit' }, action })
    const recipient = `${fate} ${name}`
    const subjectId = await spender.freshId()
    const mandate = await spender.requestFor(subjectId, spender.intentTo(recipient))
    expect(await sendSpend(deps, mandate)).toMatchObject({ outcome: 'sent' })
    if (fate === 'lost') node.chain.forget()
    await spender.closed(1)
    proxy.rules.clear()
    await spender.world.clock.advance(30_000)
    await spender.tend()
    await spender.closed(2)
    const { address } = xrplWallet(recipient)
    expect(node.chain.paymentsBetween(base, address)).toEqual([
      { amount: AMOUNT.toString(), tag: 7 },
    ])
    subjects.push(subjectId)
  })
})

test('no submission is signed twice, even after its last ledger [X11]', async () => {
  await spender.closed(PAST_THE_LAST)
  await spender.tend()
  await spender.closed(1)
  expect(subjects).toHaveLength(2 * ANSWERS.length)
  for (const subjectId of subjects) {
    const [spend] = await spender.spendsOf(subjectId)
    expect(spend).toMatchObject({ state: 'Settled', succeeded: true })
    expect(spend?.transactions).toHaveLength(1)
  }
})

test('a lagging node raises no alert and only delays a new signature [N01 X10]', async () => {
  const { node, deps, world } = spender
  const subjectId = await spender.freshId()
  const mandate = await spender.requestFor(subjectId, spender.intentTo('after a node that lags'))
  const { adapter } = deps
  const lagging = await adapter.feeRate()
  expect(await sendSpend(deps, mandate)).toMatchObject({ outcome: 'sent' })
  node.chain.forget()
  await spender.closed(PAST_THE_LAST)
  deps.adapter = { ...adapter, feeRate: async () => lagging }
  await spender.tend()
  expect(await world.alerts()).toEqual([])
  deps.adapter = adapter
  await spender.tend()
  await spender.closed(1)
  const [spend] = await spender.spendsOf(subjectId)
  expect(spend).toMatchObject({ state: 'Settled', succeeded: true })
  expect(spend?.transactions).toHaveLength(2)
})
